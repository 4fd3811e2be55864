/// What the files of a recording tell while they are written.

import Foundation

extension FileSequence {
  /// What the sequence tells, on any thread.
  struct Listener: Sendable {
    /// A file is finished, and another has been begun before.
    var finished: @Sendable (FileReport, _ next: URL) -> Void
    /// A file is as large or as long as it may be or shall be, and the recording goes on in the next.
    var isGrown: @Sendable (_ next: URL) -> Void
    /// No further frame is taken, as the next file cannot be begun and this one cannot hold it.
    /// The time is that of the last frame that was taken.
    var isStuck: @Sendable (CaptureError, _ last: Int64?) -> Void
    /// No further frame is taken, as the recording would be larger than it may be; the time is that of the last frame to
    /// be shown.
    var isFull: @Sendable (_ last: Int64?) -> Void
    /// A frame that came behind that.
    var surplus: @Sendable () -> Void
    /// The most time in which what was written to a file was not on the disk.
    var synchronized: @Sendable (Duration) -> Void
    var warn: @Sendable (String) -> Void
  }
}
