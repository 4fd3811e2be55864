/// One recording as the command sees it: a session, the signals that stop it, and the readers of its events.

import Capstan
import Foundation
import Synchronization

final class RecordRun: Sendable {
  private let request: RecordRequest
  private let console: Console
  private let notices: Notices
  private let stopping = Mutex<StopState>(.running)
  /// True once the last event line is out.
  private let hasEnded = Atomic<Bool>(false)

  private enum StopState: Sendable {
    case running
    /// A signal came.
    case stopping
    /// The file is done: what remains is to tell of it.
    case over
  }

  init(request: RecordRequest, console: Console) {
    self.request = request
    self.console = console
    notices = Notices(output: console.errors, progress: request.progress, isQuiet: request.isQuiet)
    console.output.limitPatience()
    console.errors.limitPatience()
  }

  func record(until signals: ProcessSignals) async throws -> ExitCode {
    let device = try BusyCamera.outlast { () throws(CaptureError) in
      try CaptureDevice.chosen(request.deviceName)
    } tell: {
      notices.note($0)
    }
    let session = CaptureSession(device: device, preset: request.preset, prober: .byThisProgram)
    let listeners = [stop(session, on: signals.received)] + (request.takesCommands ? [obey(session)] : [])
    defer { for listener in listeners { listener.cancel() } }
    for note in request.notes { notices.note(note) }
    let status = showStatus(session.events)
    let lines = request.writesEvents ? writeEvents(session.events) : nil
    let result = await outcome(of: session)
    if case .failure = result {
      // No further event will come; what has come is still told.
      status.cancel()
      lines?.cancel()
    }
    await console.errors.outlast(status)
    if let lines { await console.output.outlast(lines) }
    notices.endStatus()
    let code = try conclude(try result.get())
    await finishRecovery(of: session)
    return code
  }

  /// What an earlier run has left is completed before the program ends; a signal ends the wait, and leaves it as it was.
  private func finishRecovery(of session: CaptureSession) async {
    for report in await session.waitForRecovery() { notices.note(SalvageCommand.sentence(of: report)) }
  }

  private func outcome(of session: CaptureSession) async -> Result<RecordingReport, CaptureError> {
    defer { stopping.withLock { $0 = .over } }
    do throws(CaptureError) {
      if isStopping { throw RecordRun.stoppedEarly }
      try await session.start(recordingTo: request.output)
      // A signal that came before there was anything to stop.
      if isStopping { return .success(try await session.stop()) }
      return .success(try await session.waitUntilFinished())
    } catch {
      return .failure(isStopping && error.code == .noFrames ? RecordRun.stoppedEarly : error)
    }
  }

  // MARK: Signals

  private var isStopping: Bool {
    stopping.withLock { if case .stopping = $0 { true } else { false } }
  }

  /// A first signal ends the recording; nothing that comes after it cuts the file short. Once the file is done, a
  /// signal ends the wait for those who read what is told of it.
  private func stop(_ session: CaptureSession, on signals: AsyncStream<String>) -> Task<Void, Never> {
    Task.detached { [self] in
      for await name in signals {
        switch name {
        case ProcessSignals.pause: await obey(await session.isPaused ? .resume : .pause, session)
        case ProcessSignals.replay: await obey(.saveReplay, session)
        default: notices.tell(received(name, by: session))
        }
      }
    }
  }

  private func received(_ name: String, by session: CaptureSession) -> String {
    stopping.withLock { state in
      switch state {
      case .running:
        state = .stopping
        Task.detached { _ = try? await session.stop() }
        return "\(name): finishing the file."
      case .stopping: return "\(name): still finishing the file, as fast as it goes; it will be whole."
      case .over:
        Task.detached { await session.abandonRecovery() }
        console.output.giveUp()
        console.errors.giveUp()
        return "\(name): the file is done."
      }
    }
  }

  // MARK: Commands

  /// The end of the input ends the recording: who gave the commands is gone.
  private func obey(_ session: CaptureSession) -> Task<Void, Never> {
    Task.detached { [self] in
      for await line in ControlInput().lines where !line.isEmpty {
        guard let word = ControlWord(rawValue: line) else {
          let known = ControlWord.allCases.map(\.rawValue)
          let hint = Spelling.nearest(to: line, among: known).map { "; did you mean \($0)?" } ?? ""
          notices.complain("there is no command \(line)\(hint) (there are \(known.joined(separator: ", ")))")
          continue
        }
        await obey(word, session)
      }
      if !Task.isCancelled { await obey(.quit, session) }
    }
  }

  /// What cannot be done now is told, and the recording goes on.
  private func obey(_ word: ControlWord, _ session: CaptureSession) async {
    do {
      switch word {
      case .quit: notices.tell(received("quit", by: session))
      case .pause: try await session.pause()
      case .resume: try await session.resume()
      case .split: try await session.split()
      case .saveReplay: try await session.startSavingReplay()
      case .status: notices.showAgain()
      }
    } catch {
      notices.complain("\(error)")
    }
  }

  private static let stoppedEarly = CaptureError(
    .invalidState, "Stopped before the first frame: nothing was recorded, and there is no file.")

  // MARK: Events

  private func showStatus(_ events: AsyncStream<CaptureEvent>) -> Task<Void, Never> {
    Task.detached { [notices] in
      var (name, encoder) = ("", "")
      for await event in events {
        switch event {
        case .started(let file, _, let plan):
          name = file.lastPathComponent
          encoder = plan.encoder.element
          for note in plan.notes { notices.note(note) }
        case .status(let status):
          notices.show(StatusLine(status, encoder: EncoderName.short(encoder, speed: status.speed), name: name))
        case .governorStep(let step): notices.note(RecordingSummary.sentence(of: step, encoder: encoder))
        // Told at the end, as it may come after it.
        case .recovered: break
        case .paused(let time): notices.note("paused at \(Figures.clock(time)); USR2 or resume goes on.")
        case .resumed(let time): notices.note("goes on at \(Figures.clock(time)).")
        case .interrupted(let reason, let time):
          notices.note("\(reason.message) The recording waits for it at \(Figures.clock(time)); Ctrl-C ends it.")
        case .interruptionEnded(let interruption):
          notices.note(RecordingSummary.sentence(of: interruption))
        case .modeChanged(let change, let plan):
          notices.note("the camera gives \(change.mode) from \(Figures.clock(change.time)) on.")
          for note in plan.notes { notices.note(note) }
        case .fileChanged(let finished, let next):
          name = next.lastPathComponent
          notices.note(RecordingSummary.sentence(of: finished))
        case .replaySaved(let replay): notices.note(RecordingSummary.sentence(of: replay))
        case .warning(let message): notices.note(message)
        case .failed, .finished: return
        }
      }
    }
  }

  /// Waits for its reader with every line; meanwhile the stream keeps the newest events.
  private func writeEvents(_ events: AsyncStream<CaptureEvent>) -> Task<Void, Never> {
    Task.detached { [self] in
      for await event in events {
        guard let line = try? EventLine(event) else { continue }
        await console.output.write(line.text)
        if line.isLast {
          hasEnded.store(true, ordering: .releasing)
          return
        }
      }
    }
  }

  /// A program that reads events is told of every end, also where nothing began.
  func endEvents(with error: CaptureError) {
    guard request.writesEvents, !hasEnded.load(ordering: .acquiring), let line = try? EventLine(error) else { return }
    console.output.post(line.text)
  }

  // MARK: The end

  private func conclude(_ report: RecordingReport) throws -> ExitCode {
    if request.writesReport { console.answer(try JSONText.answer(report)) }
    if let error = report.error { notices.complain("\(error)") }
    if let told = RecordingSummary.sentence(of: report.endedBy) { notices.note(told) }
    notices.tell(RecordingSummary(report).text)
    for breach in report.contract?.breaches ?? [] {
      if report.isContractBreached { notices.complain("\(breach)") } else { notices.note("\(breach)") }
    }
    return ExitCode(report)
  }
}
