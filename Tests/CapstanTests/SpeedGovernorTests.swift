/// The governor beside a simulated encoder: what waits grows where the encoder is too slow, and shrinks where it is not.

import Testing

@testable import Capstan

@Suite struct SpeedGovernorTests {
  /// Seconds of work for a second of video at each speed, the fastest first.
  static let work = [0.4, 0.6, 0.85]

  struct Run {
    var steps: [(time: Double, step: SpeedGovernor.Step)] = []
    var longestWait = 0.0
  }

  /// Looks four times a second; `share` is the part of the machine that is ours at a time.
  static func simulate(
    seconds: Double, start: Int = 2, work: [Double] = SpeedGovernorTests.work, share: (Double) -> Double
  ) -> Run {
    var (governor, run, waiting) = (SpeedGovernor(speed: start), Run(), 0.0)
    for look in 1...Int(seconds * 4) {
      let time = Double(look) / 4
      waiting = max(0, waiting + 0.25 - 0.25 * share(time) / work[governor.speed])
      run.longestWait = max(run.longestWait, waiting)
      if let step = governor.look(waiting: .seconds(waiting), time: .seconds(time)) { run.steps.append((time, step)) }
    }
    return run
  }

  @Test func staysWhereThereIsRoom() {
    let run = Self.simulate(seconds: 600) { _ in 1 }
    #expect(run.steps.isEmpty && run.longestWait == 0)
  }

  @Test func stepsDownForABusySpellAndUpAgain() {
    let run = Self.simulate(seconds: 90) { (10..<20).contains($0) ? 0.5 : 1 }
    #expect(run.steps.first.map { $0.time > 10 && $0.time < 11.5 } == true)
    #expect(run.longestWait < 1.5, "\(run.longestWait)")
    #expect(run.steps.last.map { $0.step.to == 2 } == true, "\(run.steps)")
  }

  @Test func goesToTheFastestAtOnceWhereMuchWaits() {
    var governor = SpeedGovernor(speed: 3)
    #expect(governor.look(waiting: .seconds(1.2), time: .seconds(5))?.to == 0)
    #expect(governor.look(waiting: .seconds(1.9), time: .seconds(5.5)) == nil)
  }

  @Test func goesToTheFastestWhereHalfOfTheRoomIsTaken() {
    var governor = SpeedGovernor(speed: 3)
    #expect(governor.look(waiting: .milliseconds(250), fill: 0.5, time: .seconds(5))?.to == 0)
  }

  /// A step that could not be taken is not counted on.
  @Test func aStepThatCouldNotBeTakenIsTriedAgain() {
    var governor = SpeedGovernor(speed: 2)
    let first = governor.look(waiting: .milliseconds(400), time: .seconds(5))
    #expect(first?.to == 1)
    governor.settle(at: 2, waiting: .milliseconds(450), time: .seconds(6))
    #expect(governor.speed == 2)
    let settling = governor.look(waiting: .milliseconds(500), time: .seconds(6.5))
    let second = governor.look(waiting: .milliseconds(600), time: .seconds(7))
    #expect(settling == nil && second?.to == 1)
  }

  @Test func doesNotStepTwiceWhereOneStepIsEnough() {
    let run = Self.simulate(seconds: 60) { $0 < 5 ? 1 : 0.7 }
    #expect(run.steps.first?.step.to == 1)
    #expect(!run.steps.contains { $0.step.to == 0 }, "\(run.steps)")
  }

  @Test func waitsLongerEachTimeThatAStepUpFails() {
    let run = Self.simulate(seconds: 400) { $0 < 5 ? 1 : 0.7 }
    let rises = run.steps.filter { $0.step.to > $0.step.from }.map(\.time)
    #expect(rises.count >= 2 && rises.count <= 6, "\(rises)")
    let pauses = zip(rises, rises.dropFirst()).map { $1 - $0 }
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 > $0 }, "\(pauses)")
  }

  @Test func neverGoesAboveWhereItBegan() {
    let run = Self.simulate(seconds: 300, start: 1) { (10..<20).contains($0) ? 0.3 : 1 }
    #expect(run.steps.allSatisfy { $0.step.to <= 1 })
    #expect(run.steps.last?.step.to == 1)
  }

  @Test func theFastestHasNowhereToGo() {
    let run = Self.simulate(seconds: 30, start: 0) { _ in 0.1 }
    #expect(run.steps.isEmpty)
  }
}
