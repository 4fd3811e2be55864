/// How a recording is written so that no crash, a power cut included, takes more of its end than was asked.

/// What is missing after a crash is what the encoder still held, what the muxer had not yet written as a fragment, and
/// what the system had not yet brought to the disk.
public struct RecoveryPlan: Sendable, Hashable {
  /// What may be missing at most.
  public var asked: Duration
  /// Frames wait so long in the encoder for those after them.
  public var encoderDelay: Duration
  /// A fragment (ISO/IEC 14496-12, 8.8) or cluster (RFC 9559) is so long at most.
  public var fragment: Duration
  /// From one `fdatasync(2)` of the file to the next.
  public var synchronization: Duration

  /// What can be asked for.
  public static let range = Duration.milliseconds(200)...Duration.seconds(60)

  /// Half of what the encoder leaves goes to the fragment and a quarter to the disk; the rest is for what no plan holds:
  /// the time that a synchronisation takes.
  /// - Parameter encoderDelay: of the encoder as it is set.
  public init(asked: Duration, encoderDelay: Duration = .zero) {
    self.asked = asked
    self.encoderDelay = encoderDelay
    let rest = max(RecoveryPlan.least, asked - encoderDelay)
    let hundredths = Int(min(rest / 2, RecoveryPlan.longestFragment).nanoseconds / 10_000_000)
    fragment = .milliseconds(hundredths * 10)
    synchronization = rest / 4
  }

  /// What an encoder with a long delay leaves: fragments that are shorter cost more than they save.
  private static let least = RecoveryPlan.range.lowerBound
  /// The muxer keeps a fragment in memory until it is whole.
  private static let longestFragment = Duration.seconds(10)

  /// What is missing at most where the disk takes no time.
  public var planned: Duration { encoderDelay + fragment + synchronization }

  public var isHeld: Bool { planned <= asked }

  /// What the user should know.
  var notes: [String] {
    guard !isHeld else { return [] }
    let (most, delay) = (RecoveryPlan.tenths(planned), RecoveryPlan.tenths(encoderDelay))
    return [
      "a crash can take \(most) s of the end, more than the \(asked.inSeconds) s that were asked: the encoder holds frames "
        + "back for \(delay) s; --low-latency, fewer B-frames or a faster speed help"
    ]
  }

  private static func tenths(_ time: Duration) -> Double { (time.inSeconds * 10).rounded(.up) / 10 }
}
