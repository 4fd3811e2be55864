/// The life of a recording by table: what is told to the machine, and what it answers.

import Testing

@testable import Capstan

@Suite struct RecordingMachineTests {
  private typealias Signal = RecordingMachine.Signal
  private typealias Action = RecordingMachine.Action

  private let lost = CaptureError(.deviceLost, "The camera was unplugged.")
  private let full = CaptureError(.diskFull, "The disk is full.")

  private func tick(_ accepted: Int, _ written: Int, at seconds: Int) -> Signal {
    .tick(accepted: accepted, written: written, time: .seconds(seconds))
  }

  private func run(_ machine: inout RecordingMachine, _ signals: [Signal]) -> [Action] {
    signals.flatMap { machine.handle($0) }
  }

  @Test func asAsked() {
    var machine = RecordingMachine()
    let actions = run(
      &machine, [tick(0, 0, at: 0), tick(10, 5, at: 1), .limitReached(.frames), tick(12, 10, at: 2), .endOfStream])
    #expect(actions == [.announceStart, .endStreamAtEncoder, .close])
    #expect(machine.failure == nil && machine.sawEndOfStream && machine.phase == .done)
  }

  @Test func stoppedByTheUser() {
    var machine = RecordingMachine()
    let actions = run(&machine, [tick(10, 5, at: 1), .stopRequested, .stopRequested, .endOfStream, .endOfStream])
    #expect(actions == [.announceStart, .endStreamAtCamera, .close])
  }

  @Test func fullBeforeTheFirstLook() {
    var machine = RecordingMachine()
    #expect(run(&machine, [.limitReached(.frames), .endOfStream]) == [.announceStart, .endStreamAtEncoder, .close])
  }

  @Test func stoppedBeforeTheFirstFrame() {
    var machine = RecordingMachine()
    #expect(run(&machine, [tick(0, 0, at: 1), .stopRequested]) == [.close])
  }

  /// A source that failed to start never passes an end of stream on: waiting for one would hang.
  @Test func failedToStart() {
    var machine = RecordingMachine()
    #expect(run(&machine, [.failed(lost, isBehindEncoder: false)]) == [.close])
    #expect(machine.failure == lost && !machine.sawEndOfStream)
  }

  @Test func unpluggedKeepsWhatIsInTheQueues() {
    var machine = RecordingMachine()
    let echo = CaptureError(.pipelineFailed, "Internal data stream error.")
    let actions = run(
      &machine,
      [
        tick(10, 5, at: 1), .failed(lost, isBehindEncoder: false), .failed(echo, isBehindEncoder: false),
        tick(10, 9, at: 2), .endOfStream,
      ])
    #expect(actions == [.announceStart, .endStreamAtCamera, .close])
    #expect(machine.failure == lost && machine.sawEndOfStream)
  }

  @Test func fullDiskClosesAtOnce() {
    var machine = RecordingMachine()
    let actions = run(&machine, [tick(10, 5, at: 1), .failed(full, isBehindEncoder: true)])
    #expect(actions == [.announceStart, .close])
    #expect(!machine.sawEndOfStream)
  }

  @Test func stallEndsTheRecording() {
    var machine = RecordingMachine()
    let actions = run(&machine, [tick(10, 5, at: 1), tick(10, 10, at: 3), tick(10, 10, at: 12), tick(10, 10, at: 13)])
    #expect(actions == [.announceStart, .endStreamAtCamera])
    #expect(machine.failure?.code == .noFrames)
  }

  @Test func noFirstFrame() {
    var machine = RecordingMachine()
    #expect(run(&machine, [tick(0, 0, at: 9), tick(0, 0, at: 10)]) == [.close])
    #expect(machine.failure?.code == .noFrames)
  }

  /// Finishing may take long, as long as something is still written.
  @Test func waitsOnProgressNotOnTheClock() {
    var machine = RecordingMachine()
    _ = run(&machine, [tick(100, 5, at: 1), .stopRequested])
    #expect(run(&machine, (2...40).map { tick(100, $0 * 2, at: $0) }).isEmpty)
    #expect(run(&machine, [tick(100, 80, at: 49)]).isEmpty)
    #expect(run(&machine, [tick(100, 80, at: 51)]) == [.close])
    #expect(!machine.sawEndOfStream)
  }

  /// A source that ends by itself is as good as stopped, unless more was asked for.
  @Test(arguments: [false, true]) func endsByItself(_ hasLimit: Bool) {
    var machine = RecordingMachine(hasLimit: hasLimit)
    #expect(run(&machine, [tick(30, 30, at: 1), .endOfStream]) == [.announceStart, .close])
    #expect((machine.failure != nil) == hasLimit && machine.sawEndOfStream)
  }

  @Test func nothingAfterTheEnd() {
    var machine = RecordingMachine()
    _ = run(&machine, [tick(1, 0, at: 1), .endOfStream])
    #expect(run(&machine, [.stopRequested, .limitReached(.frames), .failed(full, isBehindEncoder: true)]).isEmpty)
    #expect(machine.failure == nil)
  }

  /// What a slow machine has not decoded yet is worth having too.
  @Test func aCameraThatFailsBeforeTheEncoderHasAFrame() {
    let lost = CaptureError(.deviceLost, "gone")
    var machine = RecordingMachine()
    _ = machine.handle(.tick(captured: 30, accepted: 0, written: 0, time: .seconds(1)))
    #expect(machine.handle(.failed(lost, isBehindEncoder: false)) == [.endStreamAtCamera])
    var idle = RecordingMachine()
    _ = idle.handle(.tick(captured: 0, accepted: 0, written: 0, time: .seconds(1)))
    #expect(idle.handle(.failed(lost, isBehindEncoder: false)) == [.close])
  }
}
