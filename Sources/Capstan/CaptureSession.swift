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
  private nonisolated let planner: SessionPlanner
  private nonisolated let executor = SerialQueue(label: "capstan.session")
  private nonisolated let broadcast = EventBroadcast()
  private var recording: Recording?
  private var recovery: Task<[SalvageReport], Never>?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter prober: tries encoders that need proof before they are taken; see there.
  public init(
    device: CaptureDevice, preset: Preset, library: ProfileLibrary = .standard, prober: EncoderProber = EncoderProber()
  ) {
    self.device = device
    self.preset = preset
    let broadcast = broadcast
    planner = SessionPlanner(preset: preset, machine: MachinePlanner(library: library, prober: prober)) {
      broadcast.send(.warning($0))
    }
  }

  /// Everything that the session tells from now on. Each call gives a stream of its own, which ends with the session;
  /// a reader that falls behind loses old events, never the last.
  public nonisolated var events: AsyncStream<CaptureEvent> { broadcast.subscribe() }

  /// True from the start of a recording until its report is there.
  public var isRecording: Bool { recording.map { !$0.isFinished } ?? false }

  /// What a recording would do, without doing it. An encoder that needs proof, and has none yet, is tried for it, which
  /// takes some seconds once.
  /// - Throws: `encoderUnfit` where that says that it does not work here; what keeps the device from being asked, `requestImpossible`, `elementMissing`, `configuration`.
  public func plan(recordingTo output: MovieFileOutput? = nil) throws(CaptureError) -> RecordingPlan {
    let container = try container(for: output)
    let location =
      output?.planLocation(fileExtension: container.fileExtension) ?? "recording.\(container.fileExtension)"
    var plan = try planner.plan(
      source: device.source, formats: try device.formats(), location: location, containers: [container.name])
    plan.notes += try ControlWishes(preset: preset, camera: device.name).notes(among: try device.presentControls())
    return plan
  }

  /// Starts recording, and returns once the first frame has arrived. Before that the mode is tried on the camera: one
  /// that the driver refuses or changes makes room for the next best, with a note in the plan. The preset's controls are
  /// set before the stream starts and put back at the end, whatever the end.
  /// - Returns: what is being done.
  ///
  /// It goes on until a limit, `stop()` or the cancellation of a task that waits for it, also where the program lets go
  /// of the session. Cancelling the task that starts it stops it as well.
  /// - Throws: `invalidState` while one is running; `configuration` for a limit of nothing; `folderMissing`,
  ///   `notWritable`, `fileExists` and `diskFull` before the camera is opened; then whatever keeps the camera from
  ///   delivering. No file is left behind, and the events say `failed` or, from the pipeline on, `finished`.
  @discardableResult
  public func start(recordingTo output: MovieFileOutput) async throws(CaptureError) -> RecordingPlan {
    guard !isRecording else {
      throw CaptureError(.invalidState, "This session is recording already.", remedy: "Stop it first.")
    }
    recording = nil
    let recording: Recording
    do throws(CaptureError) {
      recording = try makeRecording(output)
    } catch {
      broadcast.send(.failed(error))
      throw error
    }
    self.recording = recording
    run(recording)
    let result = await withTaskCancellationHandler {
      await recording.startResult.value
    } onCancel: {
      recording.requestStop()
    }
    try result.get()
    return recording.plan
  }

  private func makeRecording(_ wanted: MovieFileOutput) throws(CaptureError) -> Recording {
    let output = wanted.limited(by: preset.limits, wantsReport: preset.report)
    if case .listing(let path) = device.kind { throw ListingFile(path: path).refusal }
    try output.validate()
    if output.replay?.isOnly == true, preset.proxy != nil {
      throw CaptureError(
        .configuration, "Where only replays are written there is no second file.",
        remedy: "Take a preset without a proxy, or let the recording be written too.")
    }
    let container = try container(for: output)
    let stem = OutputFile.stem(at: Date())
    let maker = OutputFile.maker(for: output, fileExtension: container.fileExtension, stem: stem)
    let file =
      try output.segments == nil
      ? OutputFile(for: output, fileExtension: container.fileExtension, date: Date()) : maker(0)
    var proxyFile: OutputFile?
    do {
      if let proxy = preset.proxy {
        proxyFile = try OutputFile(proxy.name, of: file, output, fileExtension: try fileExtension(of: proxy, container))
      }
      return try prepare(output, file, proxyFile, maker, container)
    } catch {
      file.remove()
      proxyFile?.remove()
      throw error
    }
  }

  /// Ends the recording: what is in the queues is still written, the file is completed, synchronised and renamed.
  /// Asked again, it gives the same report.
  /// - Throws: `invalidState` if nothing was started.
  @discardableResult
  public func stop() async throws(CaptureError) -> RecordingReport {
    recording?.requestStop()
    return try await waitUntilFinished()
  }

  /// Waits until the unfinished recordings of earlier runs that were found in the output's folder are completed, each
  /// told as `recovered`. A program that ends before leaves them as they were.
  /// - Returns: all that this session has completed.
  public func waitForRecovery() async -> [SalvageReport] { await recovery?.value ?? [] }

  /// Leaves those that are not completed yet as they were.
  public func abandonRecovery() { recovery?.cancel() }

  /// Keeps what comes from now on out of the recording, while the camera goes on; times in the file stand still
  /// meanwhile, and what the camera sent before is still recorded. Does nothing where the recording is paused already.
  /// - Throws: `invalidState` if nothing is being recorded.
  public func pause() throws(CaptureError) { try running().pause() }

  /// Goes on recording, from the next frame that the camera sends; of a coded stream that is kept, from its next key
  /// frame. Does nothing where the recording is not paused.
  /// - Throws: `invalidState` if nothing is being recorded.
  public func resume() throws(CaptureError) { try running().resume() }

  /// True between `pause()` and `resume()`.
  public var isPaused: Bool { isRecording && recording?.ledger.isPaused == true }

  func running() throws(CaptureError) -> Recording {
    guard let recording, isRecording else {
      throw CaptureError(.invalidState, "This session is not recording.", remedy: "Start it first.")
    }
    return recording
  }

  /// Ends the present file before the next key frame, which is asked for at once, and goes on in another one.
  /// - Throws: `invalidState` if nothing is being recorded, or a recording was started that has no `segments`.
  public func split() throws(CaptureError) {
    guard let recording, isRecording, recording.isSegmented else {
      throw CaptureError(
        .invalidState, "There is no recording that can be cut into files.",
        remedy: "Start one with segments: `--segment`, or SegmentRule().")
    }
    recording.files.requestSplit()
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
    let folder = recording.files.current.output.final.deletingLastPathComponent()
    let (earlier, broadcast) = (recovery, broadcast)
    recovery = Task.detached(priority: .background) {
      (await earlier?.value ?? []) + (await Recovery(folder: folder, broadcast: broadcast).run())
    }
  }

  /// Tries the mode on the camera, sets its controls and builds the pipeline; what fails leaves nothing changed. What the
  /// camera is not needed for is found out before it is touched: an encoder that does not work, among others.
  private func prepare(
    _ output: MovieFileOutput, _ file: OutputFile, _ proxyFile: OutputFile?,
    _ nextFile: @escaping OutputFile.Maker, _ container: ContainerProfile
  ) throws(CaptureError) -> Recording {
    let location = file.temporary.path(percentEncoded: false)
    var notes: [String] = []
    let listed = try BusyCamera.outlast { () throws(CaptureError) in
      try device.formats()
    } tell: {
      notes.append($0)
    }
    _ = try planner.plan(source: device.source, formats: listed, location: location, containers: [container.name])
    let setup = try CameraSetup(device: device, preset: try planner.wanted(), formats: listed)
    let replan: CameraSetup.Planner = { [planner] (setup, camera) throws(CaptureError) in
      var plan = try planner.plan(
        source: camera.source, formats: setup.formats, location: location, containers: [container.name])
      plan.notes += setup.notes
      return plan
    }
    do {
      var plan = try replan(setup, device)
      plan.notes.insert(contentsOf: notes, at: plan.notes.count - setup.notes.count)
      let order = RecordingOrder(
        plan: plan, device: device, setup: setup, replan: replan, output: output, file: file, proxyFile: proxyFile,
        nextFile: nextFile)
      return try Recording(order, broadcast: broadcast)
    } catch {
      setup.controls?.giveBack()
      throw error
    }
  }

  /// The one that the file's name asks for, else the preset's.
  private func container(for output: MovieFileOutput?) throws(CaptureError) -> ContainerProfile {
    let containers: [ContainerProfile]
    do { containers = try planner.machine.library.containers() } catch { throw CaptureError(error) }
    if case .file(let url)? = output?.destination,
      let named = containers.first(where: { $0.fileExtension == url.pathExtension.lowercased() })
    {
      return named
    }
    let preset = try planner.wanted()
    for name in preset.containers where !containers.contains(where: { $0.name == name }) {
      throw CaptureError(PlanningError.unknownContainer(name, known: containers.map(\.name)), preset: preset.name)
    }
    let known = preset.containers.compactMap { name in containers.first { $0.name == name } }
    if known.count == 1 { return known[0] }
    // Which of them holds the codec shows with the mode.
    return try planner.plan(
      source: device.source, formats: try device.formats(), location: "", containers: known.map(\.name)
    ).container
  }
}

extension CaptureSession {
  /// Of the proxy's container, where it has one of its own.
  private func fileExtension(of proxy: ProxyWish, _ main: ContainerProfile) throws(CaptureError) -> String {
    guard let name = proxy.container else { return main.fileExtension }
    let containers: [ContainerProfile]
    do { containers = try planner.machine.library.containers() } catch { throw CaptureError(error) }
    guard let container = containers.first(where: { $0.name == name }) else {
      throw CaptureError(
        PlanningError.unknownContainer(name, known: containers.map(\.name)), preset: preset.name)
    }
    return container.fileExtension
  }
}

extension MovieFileOutput {
  /// - Throws: `configuration` for a recording of nothing.
  func validate() throws(CaptureError) {
    if let maximumFrames, maximumFrames < 1 {
      throw CaptureError(.configuration, "A recording of \(maximumFrames) frames is none; one is the least.")
    }
    if let maximumDuration, maximumDuration <= .zero {
      throw CaptureError(.configuration, "A recording of \(maximumDuration) is none; the time has to be above zero.")
    }
    try replay?.validate()
    if replay?.isOnly == true, segments != nil || maximumBytes != nil {
      throw CaptureError(
        .configuration, "Where only replays are written there is no file to limit or to cut into several.",
        remedy: "Leave out segments and size, or let the recording be written too.")
    }
    if let maximumBytes, maximumBytes < 1 {
      throw CaptureError(.configuration, "A file of \(maximumBytes) bytes is none; one is the least.")
    }
    if let reservedBytes, reservedBytes < 0 {
      throw CaptureError(.configuration, "A reserve of \(reservedBytes) bytes cannot be kept; zero is the least.")
    }
    if let fileMode, fileMode & 0o600 != 0o600 || fileMode > 0o777 {
      throw CaptureError(
        .configuration, "The file mode \(String(fileMode, radix: 8)) cannot be: its owner has to read and write it.",
        remedy: "Take one from 600 to 777, as 600 or 640.")
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
