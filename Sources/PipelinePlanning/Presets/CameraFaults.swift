/// What a recording does about a camera that goes away or falls silent.

/// What happens when the camera goes.
public enum UnplugPolicy: String, Sendable, Hashable, CaseIterable {
  /// The recording ends, with what came before.
  case stop
  /// The recording goes on with the same physical camera once it is back, in whatever node; until it is stopped.
  case wait
}

/// How long a camera may be silent before it has failed.
public struct RecordingTimeouts: Sendable, Hashable {
  /// From the start to the first picture that can be used; `nil` for as long as it takes. Some cameras need seconds to
  /// wake.
  public var firstFrame: Duration?
  /// Between two pictures; `nil` for as long as it takes.
  public var stall: Duration?

  public init(firstFrame: Duration? = .seconds(10), stall: Duration? = .seconds(5)) {
    self.firstFrame = firstFrame
    self.stall = stall
  }

  /// For a camera so slow that its pictures are further apart.
  public func allowing(period: Duration) -> RecordingTimeouts {
    RecordingTimeouts(firstFrame: firstFrame, stall: stall.map { max($0, period * 3) })
  }
}

extension Duration {
  /// `10 seconds`, `0.5 seconds`, to the millisecond.
  public var inWords: String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    guard milliseconds % 1000 != 0 else { return milliseconds == 1000 ? "1 second" : "\(milliseconds / 1000) seconds" }
    return "\(Double(milliseconds) / 1000) seconds"
  }
}
