/// The descriptors that every program has, also where the one that started it has closed them.

import Glibc

package enum StandardDescriptors {
  /// Opens `/dev/null` in the place of each that is missing. Else a file that is opened later gets its number, and what
  /// is meant for people goes into a recording.
  package static func complete() {
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor > STDERR_FILENO { close(descriptor) }
        return
      }
    }
  }
}
