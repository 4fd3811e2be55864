/// Gives a finished file its name, in one step that either does it or changes nothing.

import CGStreamer
import Glibc

package enum FileNaming {
  package struct Failure: Error, Sendable, Hashable {
    package let errno: Int32
    /// The system's own words.
    package let text: String
  }

  /// `rename(2)`: whatever has the name is replaced.
  package static func replace(_ target: String, by source: String) throws(Failure) {
    guard unsafe rename(source, target) == 0 else { throw failure(errno) }
  }

  /// `renameat2(2)` with `RENAME_NOREPLACE`. File systems that do not know it, some network ones among them, get a hard
  /// link, which fails on a taken name as well.
  /// - Returns: false where the name is taken.
  package static func move(_ source: String, to target: String) throws(Failure) -> Bool {
    let outcome = unsafe capstan_rename_exclusively(source, target)
    if outcome == 0 { return true }
    if outcome == EEXIST { return false }
    guard [EINVAL, ENOSYS, ENOTSUP].contains(outcome) else { throw failure(outcome) }
    if unsafe link(source, target) == 0 {
      unsafe unlink(source)
      return true
    }
    if errno == EEXIST { return false }
    throw failure(errno)
  }

  private static func failure(_ number: Int32) -> Failure { Failure(errno: number, text: V4L2Error.text(number)) }
}
