/// A camera, its queues, and an encoder whose machine has other work too, in simulated time: what the governor and the
/// thinning make of minutes is seen in milliseconds.

@testable import Capstan

/// Time goes by in steps of ten milliseconds. The encoder has a share of the machine, and what it has no use for is gone.
struct SimulatedMachine: Sendable {
  /// Frames a second.
  var rate = 60.0
  /// Frames that may wait before the decoder: of JPEG at 60 a second ten seconds of them.
  var room = 600
  /// Frames between decoder and encoder; raw pictures that nothing is done to have no such queue.
  var decoded = 30
  /// Seconds of work for a frame at each speed, the fastest first.
  var work: [Double]
  /// Of that, what a frame takes that is left out; nothing where it is left out before it is decoded.
  var decoding = 0.0
  /// Frames that an encoder has taken and not begun with: they have to be done before another one takes over.
  var lookahead = 10
  /// Seconds of work to make an encoder.
  var starting = 0.05
  /// The part of the machine that is ours at a time in seconds.
  var share: @Sendable (Double) -> Double

  private static let step = 10
  /// Milliseconds from one look to the next.
  private static let look = 250

  struct Run {
    var offered = 0
    var encoded = 0
    /// The queue was full.
    var refused = 0
    var thinned = 0
    /// With the time in seconds.
    var steps: [(time: Double, step: SpeedGovernor.Step)] = []
    /// Seconds.
    var longestWait = 0.0
    /// Frames from one that went on to the next, and the time of that, in seconds.
    var gaps: [(time: Double, frames: Int)] = []
    /// Where it ended.
    var speed = 0

    var lost: Int { refused + thinned }
  }

  /// What nobody can better: always the fastest, and nothing left out but where there is no room.
  func leastLoss(seconds: Double) -> Int {
    var simulation = Simulation(machine: self, start: 0, thins: false)
    return simulation.run(seconds: seconds).lost
  }

  /// - Parameter start: the speed at the start; `nil` for the slowest.
  func run(seconds: Double, start: Int? = nil) -> Run {
    var simulation = Simulation(machine: self, start: start ?? work.count - 1, thins: true)
    return simulation.run(seconds: seconds)
  }

  /// Frames by their numbers, first in, first out.
  private struct Line {
    private var frames: [Int] = []
    private var taken = 0
    private(set) var count = 0

    mutating func append(_ frame: Int) {
      frames.append(frame)
      count += 1
    }

    mutating func popFirst() -> Int? {
      if count == 0 { return nil }
      count -= 1
      taken += 1
      return frames[taken - 1]
    }
  }

  private struct Simulation {
    let machine: SimulatedMachine
    let thins: Bool
    var governor: SpeedGovernor
    var thinning = FrameThinning()
    var result = Run()
    var millisecond = 0
    var queue = Line()
    var decoded = Line()
    /// Seconds of work that can be done now.
    var budget = 0.0
    /// The encoder is being exchanged until this millisecond.
    var exchange: (end: Int, step: SpeedGovernor.Step)?
    var lastExchange: Int?
    var newestTaken = 0
    var lastOn: Int?

    init(machine: SimulatedMachine, start: Int, thins: Bool) {
      self.machine = machine
      self.thins = thins
      governor = SpeedGovernor(
        speed: start, period: .seconds(1 / machine.rate), room: .seconds(Double(machine.room) / machine.rate))
    }

    mutating func run(seconds: Double) -> Run {
      while millisecond < Int(seconds * 1000) {
        millisecond += SimulatedMachine.step
        capture()
        conclude()
        work()
        if millisecond % SimulatedMachine.look == 0 { look() }
      }
      result.speed = governor.speed
      return result
    }

    var time: Double { Double(millisecond) / 1000 }
    var share: Double { machine.share(time) }
    var fill: Double { Double(queue.count) / Double(machine.room) }
    var waiting: Duration { .seconds(Double(result.offered - newestTaken) / machine.rate) }

    mutating func capture() {
      while result.offered < Int(time * machine.rate) {
        result.offered += 1
        if queue.count < machine.room { queue.append(result.offered) } else { result.refused += 1 }
      }
    }

    mutating func conclude() {
      guard let (end, step) = exchange, millisecond >= end else { return }
      exchange = nil
      lastExchange = millisecond
      governor.settle(at: step.to, waiting: waiting, time: .milliseconds(millisecond))
    }

    mutating func work() {
      budget += share * Double(SimulatedMachine.step) / 1000
      decode()
      if exchange != nil {
        budget = 0
        return
      }
      while budget >= machine.work[governor.speed] {
        guard let frame = decoded.popFirst() else {
          budget = 0
          return
        }
        budget -= machine.work[governor.speed]
        newestTaken = frame
        result.encoded += 1
        decode()
      }
    }

    mutating func decode() {
      while decoded.count < machine.decoded, let frame = queue.popFirst() {
        let fill = fill
        guard thinning.passes(fill: { fill }) else {
          result.thinned += 1
          budget -= machine.decoding
          continue
        }
        decoded.append(frame)
        if let lastOn { result.gaps.append((time, frame - lastOn)) }
        lastOn = frame
      }
    }

    mutating func look() {
      result.longestWait = max(result.longestWait, waiting / .seconds(1))
      let isNew = lastExchange.map { millisecond - $0 < 1000 } ?? false
      let hasFaster = governor.speed > 0 || exchange != nil || isNew
      if exchange == nil,
        let step = governor.look(waiting: waiting, fill: fill, time: .milliseconds(millisecond))
      {
        let work = machine.work[step.from] * Double(machine.lookahead) + machine.starting
        exchange = (millisecond + Int(1000 * work / share), step)
        result.steps.append((time, step))
      }
      if thins { _ = thinning.look(fill: fill, hasFaster: hasFaster) }
    }
  }
}
