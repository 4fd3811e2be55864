/// Keeps a second program, or a second task of this one, from completing the same file meanwhile.

import Foundation
import Glibc

struct SalvageLock {
  private let handle: FileHandle

  /// `flock(2)`: the lock is the open file's, and goes with it, also where the program is killed.
  /// - Throws: `notReadable`; `invalidState` where it is held by another.
  init(_ file: URL) throws(CaptureError) {
    let name = file.lastPathComponent
    do { handle = try FileHandle(forReadingFrom: file) } catch {
      throw CaptureError(
        .notReadable,
        "\(name) cannot be completed: \(file.path(percentEncoded: false)) cannot be read; "
          + "check that it is there and that you may read it.")
    }
    // A file system that knows no locks is no reason to complete nothing.
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0, Glibc.errno == EAGAIN else { return }
    try? handle.close()
    throw CaptureError(
      .invalidState, "\(name) is being completed by another process, and is left to it.",
      remedy: "Wait until it has ended.")
  }

  func release() { try? handle.close() }
}
