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
  /// The same as a share of what may wait.
  static let urgentFill = 0.4
  /// A slow camera has one frame waiting for as long as others have many.
  static let lateFrames = 5
  static let calmFrames = 3
  /// So many frames an encoder has still to do when another one is to take over.
  static let held = 10.0
  /// A new encoder needs this long before the waiting tells something about it.
  static let settling = Duration.seconds(1)
  static let firstPatience = Duration.seconds(10)
  static let longestPatience = Duration.seconds(160)

  /// Places in the encoder's list of speeds, 0 the fastest. Never slower than where the recording began: the planner
  /// chose that.
  let ceiling: Int
  private(set) var speed: Int
  private let late: Duration
  private let urgent: Duration
  private let calm: Duration
  private let period: Duration
  private let room: Duration
  private var changed = Duration.zero
  /// The least that has waited since the last change, and when.
  private var least = (waiting: Duration.zero, time: Duration.zero)
  private var calmSince: Duration?
  private var patience = SpeedGovernor.firstPatience
  private var lastRise: Duration?

  /// - Parameters:
  ///   - period: from one frame of the camera to the next.
  ///   - room: what may wait.
  init(speed: Int, period: Duration = .zero, room: Duration = .seconds(10)) {
    (self.period, self.room) = (period, room)
    ceiling = speed
    self.speed = speed
    late = max(SpeedGovernor.late, period * SpeedGovernor.lateFrames)
    urgent = max(SpeedGovernor.urgent, late * 2)
    calm = max(SpeedGovernor.calm, period * SpeedGovernor.calmFrames)
  }

  /// - Parameters:
  ///   - waiting: the time between the newest captured frame and the newest that the encoder took.
  ///   - fill: the share of what may wait that does, 0 to 1.
  ///   - time: since the start.
  /// - Returns: the step to take, if one is due.
  mutating func look(waiting: Duration, fill: Double = 0, time: Duration) -> Step? {
    calmSince = waiting < calm ? calmSince ?? time : nil
    if waiting <= max(least.waiting, calm) { least = (waiting, time) }
    if let lower = lowerSpeed(waiting, fill, time) { return step(to: lower, waiting, time) }
    guard speed < ceiling, let calmSince, time - max(calmSince, changed) >= patience else { return nil }
    lastRise = time
    return step(to: speed + 1, waiting, time)
  }

  /// After a step has been taken, or could not be: from here on the waiting tells something about this speed.
  mutating func settle(at speed: Int, waiting: Duration, time: Duration) {
    self.speed = speed
    change(waiting, time)
  }

  private mutating func change(_ waiting: Duration, _ time: Duration) {
    changed = time
    least = (waiting, time)
    calmSince = nil
  }

  private func lowerSpeed(_ waiting: Duration, _ fill: Double, _ time: Duration) -> Int? {
    guard speed > 0 else { return nil }
    let isUrgent = waiting >= urgent || fill >= SpeedGovernor.urgentFill
    // What waits gets less by itself where the last step was enough.
    guard isUrgent || waiting >= late, waiting >= least.waiting + calm else { return nil }
    if isUrgent || isSteep(waiting, time) { return 0 }
    return changed == .zero || time - changed >= SpeedGovernor.settling ? speed - 1 : nil
  }

  /// Whether there would be no room left before two steps have shown what they do. Large raw pictures have little.
  private func isSteep(_ waiting: Duration, _ time: Duration) -> Bool {
    guard time > least.time else { return false }
    // No frame at all for a moment is a pause, not a speed.
    let growth = min((waiting - least.waiting) / (time - least.time), 0.9)
    let step = SpeedGovernor.settling + period * (SpeedGovernor.held / (1 - growth))
    return room - waiting < step * 3 * growth
  }

  private mutating func step(to next: Int, _ waiting: Duration, _ time: Duration) -> Step {
    if next < speed, let lastRise {
      let wasTooSoon = time - lastRise < patience
      patience = wasTooSoon ? min(patience * 2, SpeedGovernor.longestPatience) : SpeedGovernor.firstPatience
    }
    defer { speed = next }
    change(waiting, time)
    return Step(from: speed, to: next, waiting: waiting)
  }
}
