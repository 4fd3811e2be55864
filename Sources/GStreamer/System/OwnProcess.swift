/// What this process may do, and what it has done.

import CGStreamer
import Glibc

package enum OwnProcess {
  /// A crash from here on leaves no core file (`setrlimit(2)` with `RLIMIT_CORE`).
  package static func forbidCoreFiles() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Bytes that a file may have that this process writes (`getrlimit(2)` with `RLIMIT_FSIZE`); `nil` for any number.
  package static var fileSizeLimit: Int64? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_cur == rlim_t.max ? nil : Int64(exactly: limit.rlim_cur)
  }

  /// Seconds of processor time of all threads so far (`clock(3)`, which counts in millionths everywhere).
  package static var processorTime: Double { Double(clock()) / 1_000_000 }
}
