/// Gives a finished file its name, in one step that either does it or changes nothing.

import CGStreamer
import Glibc

/// Both names are in one folder, which may have been moved meanwhile.
package enum FileNaming {
  /// `renameat(2)`: whatever has the name is replaced, a link too and not what it leads to.
  package static func replace(_ target: String, by source: String, in folder: OpenFile) throws(SystemFailure) {
    guard unsafe renameat(folder.descriptor, source, folder.descriptor, target) == 0 else {
      throw SystemFailure(of: errno)
    }
  }

  /// `renameat2(2)` with `RENAME_NOREPLACE`. File systems that do not know it, some network ones among them, get a hard
  /// link, which fails on a taken name as well.
  /// - Returns: false where the name is taken.
  package static func move(_ source: String, to target: String, in folder: OpenFile) throws(SystemFailure) -> Bool {
    let outcome = unsafe capstan_rename_exclusively(folder.descriptor, source, target)
    if outcome == 0 { return true }
    if outcome == EEXIST { return false }
    guard [EINVAL, ENOSYS, ENOTSUP].contains(outcome) else { throw SystemFailure(of: outcome) }
    if unsafe linkat(folder.descriptor, source, folder.descriptor, target, 0) == 0 {
      unsafe unlinkat(folder.descriptor, source, 0)
      return true
    }
    if errno == EEXIST { return false }
    throw SystemFailure(of: errno)
  }
}
