/// Records one camera: start, events, stop.

import Foundation
import GStreamer
import Synchronization

/// ```swift
/// let session = CaptureSession(device: try await CaptureDevice.preferred(), preset: try Preset.named("720p60"))
/// try await session.start(recordingTo: MovieFileOutput(to: URL(filePath: "clip.mp4")))
/// try await Task.sleep(for: .seconds(10))
/// let report = try await session.stop()
/// ```
///
/// The session does its blocking work on a serial queue of its own. It can record again after it has stopped.
public actor CaptureSession {
  public nonisolated let device: CaptureDevice
  public nonisolated let preset: Preset
  private nonisolated let library: ProfileLibrary
  private nonisolated let executor = SerialQueue(label: "capstan.session")
  private nonisolated let broadcast = EventBroadcast()
  private var recording: Recording?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  public init(device: CaptureDevice, preset: Preset, library: ProfileLibrary = .standard) {
    self.device = device
    self.preset = preset
    self.library = library
  }

  /// Everything that the session tells from now on. Each call gives a stream of its own, which ends with the session;
  /// a reader that falls behind loses old events, never the last.
  public nonisolated var events: AsyncStream<CaptureEvent> { broadcast.subscribe() }

  /// True from the start of a recording until its report is there.
  public var isRecording: Bool { recording.map { !$0.isFinished } ?? false }

  /// What a recording would do, without doing it.
  /// - Throws: what keeps the device from being asked, `requestImpossible`, `elementMissing`, `configuration`.
  public func plan(recordingTo output: MovieFileOutput? = nil) throws(CaptureError) -> RecordingPlan {
    let fileExtension = try containerProfile().fileExtension
    return try plan(location: output?.planLocation(fileExtension: fileExtension) ?? "recording.\(fileExtension)")
  }

  /// Starts recording, and returns once the first frame has arrived.
  /// - Returns: what is being done.
  /// - Throws: `invalidState` while one is running; `folderMissing`, `notWritable` and `fileExists` before the camera
  ///   is opened; then whatever keeps the camera from delivering. No file is left behind.
  @discardableResult
  public func start(recordingTo output: MovieFileOutput) async throws(CaptureError) -> RecordingPlan {
    guard !isRecording else {
      throw CaptureError(.invalidState, "This session is recording already.", remedy: "Stop it first.")
    }
    recording = nil
    let file = try OutputFile(for: output, fileExtension: try containerProfile().fileExtension, date: Date())
    let recording: Recording
    do {
      let plan = try plan(location: file.temporary.path(percentEncoded: false))
      recording = try Recording(plan: plan, device: device, output: output, file: file, broadcast: broadcast)
    } catch {
      file.remove()
      throw error
    }
    self.recording = recording
    run(recording)
    try await recording.started()
    return recording.plan
  }

  /// Ends the recording: what is in the queues is still written, the file is completed, synchronised and renamed.
  /// Asked again, it gives the same report.
  /// - Throws: `invalidState` if nothing was started.
  @discardableResult
  public func stop() async throws(CaptureError) -> RecordingReport {
    recording?.requestStop()
    return try await waitUntilFinished()
  }

  /// Waits for the end of the recording, whatever ends it; any number of tasks can. Cancelling one that waits stops
  /// the recording.
  /// - Throws: `invalidState` if nothing was started.
  public func waitUntilFinished() async throws(CaptureError) -> RecordingReport {
    guard let recording else {
      throw CaptureError(.invalidState, "This session is not recording.", remedy: "Start it first.")
    }
    return await withTaskCancellationHandler {
      await recording.finished()
    } onCancel: {
      recording.requestStop()
    }
  }

  private func run(_ recording: Recording) {
    Task { await recording.run(on: self) }
  }

  private func plan(location: String) throws(CaptureError) -> RecordingPlan {
    do {
      let planner = RecordingPlanner(
        encoders: try library.encoders(), containers: try library.containers(),
        installedElements: ElementCatalog.installed, processorCount: ProcessInfo.processInfo.activeProcessorCount)
      return try planner.plan(preset, source: device.source, formats: try device.formats(), location: location)
    } catch let error as ConfigurationError {
      throw CaptureError(error)
    } catch let error as PlanningError {
      throw CaptureError(error)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.configuration, "\(error)")
    }
  }

  private func containerProfile() throws(CaptureError) -> ContainerProfile {
    do {
      let containers = try library.containers()
      guard let container = containers.first(where: { $0.name == preset.container }) else {
        throw CaptureError(PlanningError.unknownContainer(preset.container, known: containers.map(\.name)))
      }
      return container
    } catch let error as ConfigurationError {
      throw CaptureError(error)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.configuration, "\(error)")
    }
  }
}

extension MovieFileOutput {
  /// The path that a plan shows: nothing is created for it.
  func planLocation(fileExtension: String) -> String {
    switch destination {
    case .file(let url): url.path(percentEncoded: false)
    case .folder(let url): url.appending(path: "recording.\(fileExtension)").path(percentEncoded: false)
    }
  }
}
