/// Governor and thinning over minutes of a camera, on machines that are slow, busy for a while, or busy for ever.

import Testing

@testable import Capstan

@Suite(.serialized) struct GovernorSimulationTests {
  /// Seconds that one core of two needs for a frame of noise in 720p, decoded and encoded: ultrafast to veryfast.
  static let work = [0.0085, 0.012, 0.0145]

  /// A camera, by the frames that may wait: ten seconds, and no more than 256 MiB.
  struct Camera: Sendable, CustomTestStringConvertible {
    var name: String
    var rate = 60.0
    var room: Int
    var decoded = 30
    /// Of the work at 720p60.
    var factor = 1.0

    var testDescription: String { name }

    func machine(_ share: @escaping @Sendable (Double) -> Double) -> SimulatedMachine {
      SimulatedMachine(
        rate: rate, room: room, decoded: decoded, work: GovernorSimulationTests.work.map { $0 * factor }, share: share)
    }
  }

  static let cameras = [
    Camera(name: "720p60 MJPG", room: 600), Camera(name: "720p60 YUYV", room: 145),
    Camera(name: "1080p60 YUYV", room: 64),
    // With nothing between camera and encoder.
    Camera(name: "1080p60 NV12", room: 86, decoded: 1), Camera(name: "1080p30 YUYV", rate: 30, room: 64, factor: 2),
    Camera(name: "2160p30 NV12", rate: 30, room: 21, decoded: 10, factor: 2),
    Camera(name: "1080p10 YUYV", rate: 10, room: 64, decoded: 5, factor: 6),
  ]

  static func busy(_ share: Double, from start: Double, to end: Double = .infinity) -> @Sendable (Double) -> Double {
    { (start..<end).contains($0) ? share : 1 }
  }

  @Test(arguments: cameras) func nothingHappensWhereThereIsRoom(_ camera: Camera) {
    let run = camera.machine { _ in 1 }.run(seconds: 120)
    #expect(run.lost == 0 && run.steps.isEmpty)
  }

  /// Shares at which the slowest speed does not hold, and the fastest does.
  @Test(arguments: cameras, [0.82, 0.65, 0.58])
  func losesNothingWhereSomeSpeedHolds(_ camera: Camera, _ share: Double) {
    let spell = camera.machine(Self.busy(share, from: 10, to: 20)).run(seconds: 120)
    #expect(spell.lost == 0 && !spell.steps.isEmpty, "\(spell.steps)")
    #expect(spell.speed == Self.work.count - 1, "\(spell.steps)")
    let lasting = camera.machine(Self.busy(share, from: 10)).run(seconds: 300)
    #expect(lasting.lost == 0, "\(lasting.refused) refused, \(lasting.thinned) thinned, \(lasting.steps)")
  }

  /// It chose a speed that the machine is far from holding.
  @Test(arguments: cameras) func losesNothingWhereTheStartWasTooSlow(_ camera: Camera) {
    var machine = camera.machine { _ in 0.65 }
    machine.work += [0.022, 0.03, 0.05].map { $0 * camera.factor }
    let run = machine.run(seconds: 120)
    // While the slow encoder empties itself, frames come, and some have no room.
    let exchange = (machine.work[5] * Double(machine.lookahead) + machine.starting) / 0.65
    let unavoidable = max(0, exchange * camera.rate - Double(camera.room) / 2)
    #expect(Double(run.lost) <= unavoidable, "\(run.refused) refused, \(run.thinned) thinned, \(run.steps)")
  }

  @Test(arguments: cameras, [0.45, 0.25])
  func losesHardlyMoreThanAnybodyWouldWhereNoneHolds(_ camera: Camera, _ share: Double) {
    let machine = camera.machine(Self.busy(share, from: 10))
    let (lost, least) = (machine.run(seconds: 600).lost, machine.leastLoss(seconds: 600))
    #expect(lost * 10 <= least * 11, "\(lost) of at least \(least)")
  }

  /// Who always has the fastest speed loses less at the start of a load, where others see it first and then wait for
  /// the slow encoder to empty itself; and who fills all the room, at its end.
  @Test(arguments: cameras, [0.45, 0.3, 0.1])
  func losesLittleMoreInALoadThatPasses(_ camera: Camera, _ share: Double) {
    let machine = camera.machine(Self.busy(share, from: 10, to: 30))
    let (run, least) = (machine.run(seconds: 120), machine.leastLoss(seconds: 120))
    let free = (1 - FrameThinning.end) * Double(camera.room)
    let exchange = machine.work[2] * Double(machine.lookahead) / share
    let allowed = Double(least) * 1.1 + free + camera.rate * (1 + exchange)
    #expect(Double(run.lost) <= allowed, "\(run.lost) of at least \(least), \(run.steps)")
  }

  /// Once the rule has found its place: one of `n` or of `n - 1`, and each for a while.
  @Test(arguments: cameras, [0.45, 0.3, 0.2, 0.1]) func leavesOutEvenly(_ camera: Camera, _ share: Double) {
    let run = camera.machine(Self.busy(share, from: 10)).run(seconds: 180)
    let gaps = run.gaps.filter { $0.time > 90 }.map(\.frames)
    let needed = camera.rate * Self.work[0] * camera.factor / share
    #expect(gaps.allSatisfy { Double($0) > needed - 2 && Double($0) < needed + 3 }, "\(Set(gaps)) for \(needed)")
    let changes = zip(gaps, gaps.dropFirst()).count { $0 != $1 }
    #expect(changes * 4 <= gaps.count, "\(changes) changes in \(gaps.count) frames")
  }

  @Test(arguments: cameras, [0.95, 0.75, 0.6, 0.5])
  func doesNotOscillate(_ camera: Camera, _ share: Double) {
    let run = camera.machine(Self.busy(share, from: 10)).run(seconds: 300)
    let minutes = Dictionary(grouping: run.steps) { Int($0.time / 60) }.mapValues(\.count)
    #expect(minutes.values.allSatisfy { $0 <= 6 }, "\(minutes)")
    #expect(run.steps.count { $0.time > 150 } <= 5, "\(minutes)")
  }

  /// Loads that come again and again, each for seconds: the speed may follow them, or stay where it is safe.
  @Test(arguments: cameras, [4.0, 12, 40]) func followsLoadsThatComeAgain(_ camera: Camera, _ seconds: Double) {
    let run = camera.machine { Int($0 / seconds).isMultiple(of: 2) ? 1 : 0.6 }.run(seconds: 300)
    #expect(run.lost == 0, "\(run.refused) refused, \(run.thinned) thinned, \(run.steps)")
    #expect(run.steps.count <= 30, "\(run.steps.map(\.time))")
  }

  @Test(arguments: cameras, [0.65, 0.4, 0.2]) func comesBackToTheBestSpeed(_ camera: Camera, _ share: Double) {
    let run = camera.machine(Self.busy(share, from: 10, to: 25)).run(seconds: 180)
    #expect(run.speed == Self.work.count - 1, "\(run.steps)")
    #expect(run.gaps.last.map { $0.frames == 1 } == true)
    let last = run.steps.last?.time ?? 0
    #expect(last < 90, "\(run.steps)")
  }

  /// Pictures that have to be decoded to be left out: what can be encoded is what decoding all of them leaves.
  @Test(arguments: [0.45, 0.35, 0.3]) func leavesOutBehindTheDecoder(_ share: Double) {
    var machine = SimulatedMachine(rate: 60, room: 600, work: Self.work, share: Self.busy(share, from: 10))
    machine.decoding = 0.003
    let run = machine.run(seconds: 300)
    let possible = (share - 60 * machine.decoding) / (Self.work[0] - machine.decoding) * 290
    #expect(run.refused == 0)
    #expect(Double(run.encoded - 600) > possible * 0.95, "\(run.encoded) of \(possible)")
  }
}
