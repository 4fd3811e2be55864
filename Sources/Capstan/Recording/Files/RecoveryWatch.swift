/// How much of the end of a recording a crash would have taken at the worst moment.

import Synchronization

/// What a crash takes was still on its way to the muxer, or in the fragment that it had not yet written, or not yet
/// brought to the disk: the worst of each is added up.
final class RecoveryWatch: Sendable {
  private struct State {
    /// From a frame's capture until the muxer took it.
    var way: Duration = .zero
    /// Of files that are done.
    var gap: Duration = .zero
    /// The time of the capture now, in nanoseconds.
    var now: (@Sendable () -> Int64?)?
  }

  private let plan: RecoveryPlan
  private let state = Mutex(State())

  init(_ plan: RecoveryPlan) { self.plan = plan }

  /// - Parameter now: the time of the capture, in nanoseconds; `nil` while there is no camera.
  func follow(_ now: @escaping @Sendable () -> Int64?) { state.withLock { $0.now = now } }

  /// A muxer has taken a frame that was captured at a time, in nanoseconds.
  func passed(captured: Int64?) {
    guard let captured, let now = state.withLock(\.now)?(), now > captured else { return }
    state.withLock { $0.way = max($0.way, .nanoseconds(now - captured)) }
  }

  /// The most time in which what was written to a file was not on the disk.
  func synchronized(gap: Duration) { state.withLock { $0.gap = max($0.gap, gap) } }

  var report: RecoveryReport {
    let (way, gap) = state.withLock { ($0.way, $0.gap) }
    return RecoveryReport(asked: plan.asked, worst: way + plan.fragment + gap)
  }
}

/// What a crash would have taken of the end, a power cut included.
public struct RecoveryReport: Sendable, Hashable {
  /// At most.
  public var asked: Duration
  /// At the worst moment of the recording, by how long frames were on their way to the disk.
  public var worst: Duration

  public init(asked: Duration, worst: Duration) {
    self.asked = asked
    self.worst = worst
  }

  public var isHeld: Bool { worst <= asked }
}

extension RecoveryReport: Encodable {
  private enum CodingKeys: CodingKey { case asked, worst, held }

  /// Times in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(asked.nanoseconds, forKey: .asked)
    try container.encode(worst.nanoseconds, forKey: .worst)
    try container.encode(isHeld, forKey: .held)
  }
}
