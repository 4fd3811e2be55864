/// The second file of a recording: it shares the camera and the clock, and can fail by itself.

public import Foundation
import GStreamer
import Synchronization

final class ProxyRecorder: Sendable {
  private struct State {
    var framesWritten = 0
    var bytes: Int64 = 0
    var failure: CaptureError?
    var sawEndOfStream = false
    /// That its file was given last.
    var latest: MediaSample?
    var isOver = false
  }

  private let plan: ProxyPlan
  private let file: OutputFile
  private let writer: FileWriter
  private let synchronizer: DiskSynchronizer
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Builds the pipeline, opens nothing.
  /// - Parameter warn: called with what the user should know, on any thread.
  init(
    _ plan: ProxyPlan, _ pipeline: PipelineDescription, file: OutputFile, period: Int64?, timeline: RecordingTimeline,
    synchronization: Duration, warn: @escaping @Sendable (String) -> Void
  ) throws(CaptureError) {
    self.plan = plan
    self.file = file
    self.warn = warn
    writer = try FileWriter(pipeline, plan.container, period: period, timeline: timeline)
    synchronizer = DiskSynchronizer(file.handle, every: synchronization) { [writer] in writer.fail($0) }
    writer.observeFrames { [weak self] frame in
      self?.state.withLock { state in
        state.framesWritten += 1
        state.bytes += Int64(frame.size)
      }
    }
  }

  /// `nil` where the plan has none.
  convenience init?(
    _ plan: RecordingPlan, file: OutputFile?, period: Int64?, timeline: RecordingTimeline,
    warn: @escaping @Sendable (String) -> Void
  ) throws(CaptureError) {
    guard let proxy = plan.proxy, let file else { return nil }
    try self.init(
      proxy, plan.filePipeline(of: proxy.name, to: file.location), file: file, period: period, timeline: timeline,
      synchronization: plan.recovery.synchronization, warn: warn)
  }

  /// Takes the encoded frames of its branch from now on: of the first stage, and of each that follows one.
  func join(_ stage: CaptureStage) throws(CaptureError) {
    try stage.deliver(plan.name) { [weak self] in self?.write($0) }
  }

  /// The camera may have got another signal: a proxy has one file, and ends with what that can hold.
  private func write(_ sample: MediaSample) {
    let (isOver, ends) = state.withLock { state -> (Bool, Bool) in
      let ends = !state.isOver && state.latest.map { !sample.continues($0) } ?? false
      state.isOver = state.isOver || ends
      if !state.isOver { state.latest = sample }
      return (state.isOver, ends)
    }
    if ends {
      warn("The proxy ends here, as its file cannot hold the other picture; the recording goes on.")
      writer.finish()
    }
    if !isOver { writer.write(sample) }
  }

  /// Completes its file behind what was written.
  func finish() {
    let isOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if !isOver { writer.finish() }
  }

  func start() throws(StateChangeError) {
    try writer.start()
    synchronizer.start()
  }

  /// Returns once its file is complete, or has failed: the main file then goes on alone.
  func awaitEnd(device: String) async {
    switch await writer.ending() {
    case nil: break
    case .complete: state.withLock { $0.sawEndOfStream = true }
    case .failed(let failure): end(by: CaptureError(failure, device: device))
    case .refused(let failure):
      end(by: CaptureError(failure, file.current.path(percentEncoded: false), doing: "written to the disk"))
    }
  }

  private func end(by error: CaptureError) {
    state.withLock { $0.failure = error }
    warn("The proxy ends here, the recording goes on: \(error.message)")
    writer.close()
  }

  /// Before the pipeline that feeds it is taken down.
  func close() { writer.close() }

  /// Gives the file its name, or takes it away where nothing can be played.
  func settle() -> (report: ProxyReport, failure: CaptureError?) {
    synchronizer.stop()
    var state = state.withLock { $0 }
    let unfinished = state.sawEndOfStream ? nil : UnfinishedFile(file.temporary)
    if let frames = unfinished?.frames { state.framesWritten = min(frames, state.framesWritten) }
    var report = ProxyReport(
      name: plan.name, isFileComplete: state.sawEndOfStream && state.framesWritten > 0, dimensions: plan.dimensions,
      encoder: plan.encoder.element, speed: plan.speed, framesWritten: state.framesWritten, bytes: state.bytes)
    guard state.framesWritten > 0, unfinished?.isPlayable != false else {
      file.remove()
      report.isFileComplete = false
      return (report, state.failure)
    }
    var file = file
    do { try file.finish() } catch { state.failure = state.failure ?? error }
    report.file = file.isThere ? file.current : nil
    return (report, state.failure)
  }
}

/// What became of the second file.
public struct ProxyReport: Sendable, Hashable {
  public var name: String
  /// Where it is; `nil` where there is none.
  public var file: URL?
  /// True where it holds everything up to its end and its index is complete.
  public var isFileComplete: Bool
  public var dimensions: VideoDimensions
  /// The encoder's element.
  public var encoder: String
  /// The encoder's own word.
  public var speed: String?
  public var framesWritten: Int
  public var bytes: Int64
}

extension ProxyReport: Encodable {
  private enum CodingKeys: CodingKey { case name, file, fileComplete, size, encoder, speed, framesWritten, bytes }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(file?.path(percentEncoded: false), forKey: .file)
    try container.encode(isFileComplete, forKey: .fileComplete)
    try container.encode(dimensions, forKey: .size)
    try container.encode(self.encoder, forKey: .encoder)
    try container.encodeIfPresent(speed, forKey: .speed)
    try container.encode(framesWritten, forKey: .framesWritten)
    try container.encode(bytes, forKey: .bytes)
  }
}
