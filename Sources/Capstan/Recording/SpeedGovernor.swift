/// Chooses an encoder's speed while it records: faster before a frame is lost, slower again when there is room.

/// Frames that wait say that the machine does not keep up, long before the queue is full. What it costs to be wrong is
/// unequal: a step that was not needed costs a little quality, one that came late costs frames. So steps down are
/// quick, and steps up wait, longer each time that one had to be taken back.
struct SpeedGovernor: Sendable {
  struct Step: Sendable, Hashable {
    var from: Int
    var to: Int
    /// How much was waiting.
    var waiting: Duration
  }

  /// So much waits only where the encoder has fallen behind: at 60 frames a second, 18 of them.
  static let late = Duration.milliseconds(300)
  /// No time for one step after the other.
  static let urgent = Duration.seconds(1)
  /// Less than this is what threads make of any stream.
  static let calm = Duration.milliseconds(100)
  /// A new encoder needs this long before the waiting tells something about it.
  static let settling = Duration.seconds(1)
  static let firstPatience = Duration.seconds(10)
  static let longestPatience = Duration.seconds(160)

  /// Places in the encoder's list of speeds, 0 the fastest. Never slower than where the recording began: the planner
  /// chose that.
  let ceiling: Int
  private(set) var speed: Int
  private var changed = Duration.zero
  private var waitingAtChange = Duration.zero
  private var calmSince: Duration?
  private var patience = SpeedGovernor.firstPatience
  private var lastRise: Duration?

  init(speed: Int) {
    ceiling = speed
    self.speed = speed
  }

  /// - Parameters:
  ///   - waiting: the time between the newest captured frame and the newest that the encoder took.
  ///   - isHalfFull: whether half of what may wait does; where frames are large, that is soon.
  ///   - time: since the start.
  /// - Returns: the step to take, if one is due.
  mutating func look(waiting: Duration, isHalfFull: Bool = false, time: Duration) -> Step? {
    calmSince = waiting < SpeedGovernor.calm ? calmSince ?? time : nil
    let isUrgent = waiting >= SpeedGovernor.urgent || isHalfFull
    if let lower = lowerSpeed(waiting, isUrgent, time) { return step(to: lower, waiting, time) }
    guard speed < ceiling, let calmSince, time - max(calmSince, changed) >= patience else { return nil }
    lastRise = time
    return step(to: speed + 1, waiting, time)
  }

  /// After a step has been taken, or could not be: from here on the waiting tells something about this speed.
  mutating func settle(at speed: Int, waiting: Duration, time: Duration) {
    self.speed = speed
    changed = time
    waitingAtChange = waiting
    calmSince = nil
  }

  private func lowerSpeed(_ waiting: Duration, _ isUrgent: Bool, _ time: Duration) -> Int? {
    guard speed > 0, isUrgent || waiting >= SpeedGovernor.late else { return nil }
    if isUrgent { return 0 }
    guard time - changed >= SpeedGovernor.settling || changed == .zero else { return nil }
    // What waits gets less by itself where the last step was enough.
    return changed == .zero || waiting > waitingAtChange || waitingAtChange < SpeedGovernor.late ? speed - 1 : nil
  }

  private mutating func step(to next: Int, _ waiting: Duration, _ time: Duration) -> Step {
    if next < speed, let lastRise, time - lastRise < patience {
      patience = min(patience * 2, SpeedGovernor.longestPatience)
    }
    defer { speed = next }
    changed = time
    waitingAtChange = waiting
    calmSince = nil
    return Step(from: speed, to: next, waiting: waiting)
  }
}
