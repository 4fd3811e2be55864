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

  /// An encoder may need longer for a picture than any camera may be silent.
  @Test func workIsNoSilence() {
    var machine = RecordingMachine()
    _ = run(&machine, [tick(10, 5, at: 1)])
    for second in 2...60 { #expect(run(&machine, [tick(10, 5, at: second), .working]).isEmpty) }
    #expect(run(&machine, [.stopRequested]) == [.endStreamAtCamera])
    for second in 61...120 { #expect(run(&machine, [tick(10, 5, at: second), .working]).isEmpty) }
    #expect(run(&machine, [tick(10, 5, at: 129)]).isEmpty)
    #expect(run(&machine, [tick(10, 5, at: 130)]) == [.close])
    #expect(machine.failure == nil)
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
    #expect(run(&machine, [.failed(lost, at: .camera)]) == [.close])
    #expect(machine.failure == lost && !machine.sawEndOfStream)
  }

  @Test func unpluggedKeepsWhatIsInTheQueues() {
    var machine = RecordingMachine()
    let echo = CaptureError(.pipelineFailed, "Internal data stream error.")
    let actions = run(
      &machine,
      [
        tick(10, 5, at: 1), .failed(lost, at: .camera), .failed(echo, at: .camera),
        tick(10, 9, at: 2), .endOfStream,
      ])
    #expect(actions == [.announceStart, .endStreamAtCamera, .close])
    #expect(machine.failure == lost && machine.sawEndOfStream)
  }

  @Test func fullDiskClosesAtOnce() {
    var machine = RecordingMachine()
    let actions = run(&machine, [tick(10, 5, at: 1), .failed(full, at: .behindEncoder)])
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
    #expect(run(&machine, [.stopRequested, .limitReached(.frames), .failed(full, at: .behindEncoder)]).isEmpty)
    #expect(machine.failure == nil)
  }

  /// What a slow machine has not decoded yet is worth having too.
  @Test func aCameraThatFailsBeforeTheEncoderHasAFrame() {
    let lost = CaptureError(.deviceLost, "gone")
    var machine = RecordingMachine()
    _ = machine.handle(.tick(captured: 30, accepted: 0, written: 0, time: .seconds(1)))
    #expect(machine.handle(.failed(lost, at: .camera)) == [.endStreamAtCamera])
    var idle = RecordingMachine()
    _ = idle.handle(.tick(captured: 0, accepted: 0, written: 0, time: .seconds(1)))
    #expect(idle.handle(.failed(lost, at: .camera)) == [.close])
  }

  // MARK: Waiting for a camera

  private func waiting() -> RecordingMachine {
    var machine = RecordingMachine(onUnplug: .wait)
    let echo = CaptureError(.pipelineFailed, "Internal data stream error.")
    let actions = run(
      &machine,
      [tick(10, 5, at: 1), .failed(lost, at: .camera), .failed(echo, at: .camera), tick(12, 12, at: 2), .streamEnded])
    #expect(
      actions == [.announceStart, .announceInterruption(lost), .endStreamAtCamera, .disconnect, .awaitCamera])
    return machine
  }

  @Test func goesOnWithTheCameraThatIsBack() {
    var machine = waiting()
    #expect(run(&machine, [tick(12, 12, at: 60), .reconnected, tick(12, 12, at: 61)]).isEmpty, "it waits for ever")
    #expect(run(&machine, [tick(13, 12, at: 62)]) == [.announceReturn])
    #expect(run(&machine, [.stopRequested, .streamEnded, .endOfStream]) == [.endStreamAtCamera, .finishFile, .close])
    #expect(machine.failure == nil && machine.sawEndOfStream)
  }

  /// Silent, or broken again: it is let go and waited for.
  @Test func theCameraThatIsBackMayFailAgain() {
    var machine = waiting()
    #expect(run(&machine, [.reconnected, .failed(lost, at: .camera)]) == [.disconnect, .awaitCamera])
    #expect(run(&machine, [.failed(lost, at: .camera)]).isEmpty, "an echo")
    #expect(run(&machine, [tick(12, 12, at: 5), .reconnected, tick(12, 12, at: 14)]).isEmpty)
    #expect(run(&machine, [tick(12, 12, at: 15)]) == [.disconnect, .awaitCamera])
  }

  @Test(arguments: [RecordingMachine.Signal.stopRequested, .limitReached(.duration)])
  func endsWhileItWaits(_ signal: RecordingMachine.Signal) {
    var machine = waiting()
    #expect(run(&machine, [signal, .reconnected, .endOfStream]) == [.disconnect, .finishFile, .close])
    #expect(machine.failure == nil && machine.sawEndOfStream)
  }

  @Test func endsBeforeItWaits() {
    var machine = RecordingMachine(onUnplug: .wait)
    _ = run(&machine, [tick(10, 5, at: 1), .failed(lost, at: .camera)])
    #expect(run(&machine, [.stopRequested, .streamEnded, .endOfStream]) == [.finishFile, .close])
    #expect(machine.failure == nil)
  }

  // MARK: Another signal

  private let gone = CaptureError(.deviceFailed, "The camera has another picture now.")

  /// Whoever does not wait for a camera goes on with one that is there.
  private func changing(_ onUnplug: UnplugPolicy) -> RecordingMachine {
    var machine = RecordingMachine(timeouts: RecordingTimeouts(firstFrame: .seconds(5)), onUnplug: onUnplug)
    let actions = run(
      &machine, [tick(10, 5, at: 1), .modeGone(gone), .modeGone(gone), tick(12, 12, at: 2), .streamEnded])
    #expect(actions == [.announceStart, .announceInterruption(gone), .endStreamAtCamera, .disconnect, .awaitCamera])
    return machine
  }

  @Test(arguments: [UnplugPolicy.stop, .wait]) func goesOnWithAnotherSignal(_ policy: UnplugPolicy) {
    var machine = changing(policy)
    #expect(run(&machine, [.reconnected, tick(12, 12, at: 3), tick(13, 12, at: 4)]) == [.announceReturn])
    #expect(run(&machine, [.limitReached(.frames), .endOfStream]) == [.endStreamAtEncoder, .close])
    #expect(machine.failure == nil && machine.end == .frames)
  }

  /// The signal has nothing that was asked for: the file is completed, and the cause is told.
  @Test func endsWithASignalThatDoesNotDo() {
    var machine = changing(.stop)
    let refused = CaptureError(.requestImpossible, "The camera cannot give 1280x720.")
    #expect(run(&machine, [.refused(refused), .refused(refused), .endOfStream]) == [.disconnect, .finishFile, .close])
    #expect(machine.failure?.code == .deviceFailed && machine.end == .failed)
    #expect(machine.failure?.message == "\(gone.message) \(refused.message)")
  }

  @Test func waitsForASignalThatDoes() {
    var machine = changing(.wait)
    #expect(run(&machine, [.refused(gone), tick(12, 12, at: 90)]).isEmpty && machine.failure == nil)
  }

  /// A cable that is pulled is a change of the signal too, and not waited for.
  @Test func noOtherSignalComes() {
    var machine = changing(.stop)
    #expect(run(&machine, [tick(12, 12, at: 6)]).isEmpty)
    #expect(run(&machine, [tick(12, 12, at: 7), .endOfStream]) == [.disconnect, .finishFile, .close])
    #expect(machine.failure == gone)
  }

  @Test func anotherSignalBeforeTheFirstPicture() {
    var machine = RecordingMachine()
    #expect(run(&machine, [.modeGone(gone)]) == [.close])
    #expect(machine.failure == gone)
  }

  /// The file needs no camera to fail.
  @Test func fullDiskWhileItWaits() {
    var machine = waiting()
    #expect(run(&machine, [.failed(full, at: .behindEncoder)]) == [.close])
    #expect(machine.failure == full)
  }

  @Test func noRoomWhileItWaits() {
    var machine = waiting()
    #expect(run(&machine, [.failed(full, at: .disk), .endOfStream]) == [.disconnect, .finishFile, .close])
    #expect(machine.failure == full && machine.end == .failed && machine.sawEndOfStream)
  }

  @Test func stallCountsAsGone() {
    var machine = RecordingMachine(timeouts: RecordingTimeouts(stall: .seconds(2)), onUnplug: .wait)
    let actions = run(&machine, [tick(10, 10, at: 1), tick(10, 10, at: 3)])
    #expect(actions.count == 3 && actions.last == .endStreamAtCamera && machine.phase == .interrupted)
  }

  @Test func neverTimesOut() {
    var machine = RecordingMachine(timeouts: RecordingTimeouts(firstFrame: nil, stall: nil))
    #expect(run(&machine, [tick(0, 0, at: 1000)]).isEmpty)
    #expect(run(&machine, [tick(1, 1, at: 1001), tick(1, 1, at: 9000)]) == [.announceStart])
  }

  /// A camera with which nothing has begun is not waited for.
  @Test func failsToStartAsEver() {
    var machine = RecordingMachine(onUnplug: .wait)
    #expect(run(&machine, [.failed(lost, at: .camera)]) == [.close])
    #expect(machine.failure == lost)
  }

  /// A source that ends: the file is completed behind what it sent.
  @Test func endOfTheStreamCompletesTheFile() {
    var machine = RecordingMachine()
    #expect(run(&machine, [tick(30, 30, at: 1), .streamEnded, .endOfStream]) == [.announceStart, .finishFile, .close])
    #expect(machine.failure == nil && machine.sawEndOfStream)
  }
}
