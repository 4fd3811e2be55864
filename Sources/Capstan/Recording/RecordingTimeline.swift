/// The time of a recording, in which pauses take none.

import Synchronization

/// Captured times go on while a recording pauses; those of its files do not. Each way round is one to one, but for what
/// lies in a pause.
final class RecordingTimeline: Sendable {
  /// From here on, so much has been left out in all.
  private struct Resumption {
    var time: Int64
    var leftOut: Int64
  }

  private let resumptions = Mutex<[Resumption]>([])

  /// - Parameters:
  ///   - time: of the first frame after a pause, in nanoseconds of the capture.
  ///   - last: of the last frame before it.
  ///   - period: of the camera: the two are that far apart in the recording.
  func resume(at time: Int64, after last: Int64, period: Int64) {
    resumptions.withLock { resumptions in
      let before = resumptions.last?.leftOut ?? 0
      resumptions.append(Resumption(time: time, leftOut: before + max(0, time - last - period)))
    }
  }

  /// The recording's time of a captured one.
  func recorded(_ time: Int64) -> Int64 {
    time - (resumptions.withLock { $0.last { $0.time <= time }?.leftOut } ?? 0)
  }

  /// The captured time of the recording's.
  func captured(_ time: Int64) -> Int64 {
    time + (resumptions.withLock { $0.last { $0.time - $0.leftOut <= time }?.leftOut } ?? 0)
  }

  /// What pauses have taken.
  var leftOut: Int64 { resumptions.withLock { $0.last?.leftOut ?? 0 } }
}
