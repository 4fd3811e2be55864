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
    /// A signal came; the task has the report, or `nil` where there was nothing to stop yet.
    case stopping(Task<RecordingReport?, Never>)
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
    let device = try CaptureDevice.chosen(request.deviceName)
    let session = CaptureSession(device: device, preset: request.preset)
    let listener = stop(session, on: signals.received)
    defer { listener.cancel() }
    let plan = try await session.plan(recordingTo: request.output)
    for note in request.notes + plan.notes { notices.note(note) }
    let status = showStatus(session.events, plan)
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
    return try conclude(try result.get())
  }

  private func outcome(of session: CaptureSession) async -> Result<RecordingReport, CaptureError> {
    defer { stopping.withLock { $0 = .over } }
    do throws(CaptureError) {
      if stopTask != nil { throw RecordRun.stoppedEarly }
      try await session.start(recordingTo: request.output)
      return .success(try await report(of: session))
    } catch {
      let isOurs = stopTask != nil && [.noFrames, .invalidState].contains(error.code)
      return .failure(isOurs ? RecordRun.stoppedEarly : error)
    }
  }

  /// A session has one report to give: a stop that was asked while it started has taken it.
  private func report(of session: CaptureSession) async throws(CaptureError) -> RecordingReport {
    if stopTask == nil {
      do throws(CaptureError) {
        return try await session.waitUntilFinished()
      } catch {
        if stopTask == nil { throw error }
      }
    }
    if let report = await stopTask?.value { return report }
    return try await session.stop()
  }

  // MARK: Signals

  private var stopTask: Task<RecordingReport?, Never>? {
    stopping.withLock { if case .stopping(let task) = $0 { task } else { nil } }
  }

  /// A first signal ends the recording; nothing that comes after it cuts the file short. Once the file is done, a
  /// signal ends the wait for those who read what is told of it.
  private func stop(_ session: CaptureSession, on signals: AsyncStream<String>) -> Task<Void, Never> {
    Task.detached { [self] in
      for await name in signals { notices.tell(received(name, by: session)) }
    }
  }

  private func received(_ name: String, by session: CaptureSession) -> String {
    stopping.withLock { state in
      switch state {
      case .running:
        // Before the recording exists there is nothing to stop: the state is looked at then.
        state = .stopping(Task.detached { try? await session.stop() })
        return "\(name): finishing the file."
      case .stopping: return "\(name): still finishing the file, as fast as it goes; it will be whole."
      case .over:
        console.output.giveUp()
        console.errors.giveUp()
        return "\(name): the file is done."
      }
    }
  }

  private static let stoppedEarly = CaptureError(
    .invalidState, "Stopped before the first frame: nothing was recorded, and there is no file.")

  // MARK: Events

  private func showStatus(_ events: AsyncStream<CaptureEvent>, _ plan: RecordingPlan) -> Task<Void, Never> {
    let encoder = EncoderName.short(plan.encoder.element, speed: plan.speed)
    return Task.detached { [notices] in
      var name = ""
      for await event in events {
        switch event {
        case .started(let file, _, _): name = file.lastPathComponent
        case .status(let status): notices.show(StatusLine(status, encoder: encoder, name: name))
        case .warning(let message): notices.note(message)
        case .finished: return
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
    notices.tell(RecordingSummary(report).text)
    return ExitCode(report)
  }
}
