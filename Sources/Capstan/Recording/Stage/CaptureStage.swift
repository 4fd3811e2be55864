/// One connection of a recording's camera: the pipeline from the camera to the encoded streams, and what watches it. A
/// recording whose camera comes back goes on in another one.

import Foundation
import GStreamer
import Synchronization

final class CaptureStage: Sendable {
  /// What outlives a connection, and hears of it on any thread.
  struct Surroundings: Sendable {
    var ledger: FrameLedger
    var rates: RateMonitor
    /// Since the recording was made.
    var elapsed: @Sendable () -> Duration
    var tell: @Sendable (CaptureEvent) -> Void
    /// The camera goes on in another mode; called before its first picture.
    var agreed: @Sendable (CameraAgreement) -> Void
    /// The encoder gets pictures of these caps from now on.
    var encoderGets: @Sendable (Caps) -> Void
  }

  enum Message: Sendable, Hashable {
    case failed(ElementFailure, RecordingMachine.Place)
    /// Whatever the camera has sent is encoded and handed over.
    case ended
    /// The source has been started anew by itself, as v4l2src does when the driver tells of another signal.
    case negotiatedAgain
  }

  /// Of this connection: its source may be another node than that of the first.
  let plan: RecordingPlan
  let setup: CameraSetup
  let product: PipelineBuilder.Product
  /// `nil` where nothing is encoded.
  let speeds: SpeedControl?
  private let synthetic: SyntheticCamera?
  /// Streams that have not ended yet, by the names of their sinks.
  private let openStreams: Mutex<Set<String>>

  /// Builds the pipeline, opens nothing.
  init(
    plan: RecordingPlan, device: CaptureDevice, setup: CameraSetup, _ surroundings: Surroundings
  ) throws(CaptureError) {
    self.plan = plan
    self.setup = setup
    let product = try PipelineBuilder(description: plan.capturePipeline).build()
    self.product = product
    openStreams = Mutex(Set(plan.streams))
    synthetic = try SyntheticCamera(device: device, mode: plan.mode, source: product.elements[NodeName.source])
    let speeds =
      try plan.encoder.isCopy
      ? nil
      : SpeedControl(
        plan: plan, product: product, ledger: surroundings.ledger, elapsed: surroundings.elapsed,
        tell: surroundings.tell)
    self.speeds = speeds
    let warn: @Sendable (String) -> Void = { surroundings.tell(.warning($0)) }
    // Weak, as the pads that the taps sit on belong to the pipeline that the speeds hold.
    let taps = FrameTaps(
      product: product, mode: plan.mode, isCopy: plan.encoder.isCopy, ledger: surroundings.ledger,
      rates: surroundings.rates,
      passes: { [weak speeds] in speeds?.passes($0) ?? true }, warn: warn)
    try taps.attach { surroundings.encoderGets($0) }
    StreamColoring.attach(to: product, plan: plan, warn: warn)
  }

  /// Where the encoded stream of a file is taken.
  /// - Parameters:
  ///   - role: the name of the proxy; empty for the main file.
  ///   - receive: called on a streaming thread, and holds it up.
  func deliver(_ role: String = "", to receive: @escaping @Sendable (MediaSample) -> Void) throws(CaptureError) {
    let name = NodeName.named(NodeName.stream, of: role)
    guard let sink = product.elements[name].flatMap(AppSink.init) else {
      throw CaptureError(.pipelineFailed, "The plan has no end where the encoded stream can be taken.")
    }
    let bus = product.pipeline.bus
    let pacing = KeyFramePacing(sink, plan: plan, rate: setup.driverRate ?? plan.mode.frameRate)
    let take = { @Sendable (sample: MediaSample) in
      pacing?.look(at: sample)
      receive(sample)
    }
    // By way of the bus, so that it stays behind the failure that it may be the end of.
    sink.deliver(to: .init(sample: take, endOfStream: { bus.post(.streamEnded(sink: name)) }))
  }

  var sink: AppSink? { product.elements[NodeName.stream].flatMap(AppSink.init) }

  /// Blocks for as long as the camera takes to start.
  /// - Parameter time: of an earlier connection, to be gone on in; `nil` for the first.
  func play(in time: PipelineTime? = nil) throws(StateChangeError) {
    if let time { product.pipeline.goOn(in: time) }
    _ = try product.pipeline.setState(.playing)
    synthetic?.start(on: product.pipeline)
  }

  /// What happens to it, until it is taken down or the task is cancelled.
  func messages(_ handle: @Sendable (Message) -> Void) async {
    let behindEncoder = plan.behindEncoder
    for await message in product.pipeline.bus.messages {
      switch message {
      case .negotiatedAgain: handle(.negotiatedAgain)
      case .latency: _ = product.pipeline.recalculateLatency()
      case .error(let failure): if let place = place(of: failure, behindEncoder) { handle(.failed(failure, place)) }
      case .streamEnded(let sink):
        let isLast = openStreams.withLock { $0.remove(sink) != nil && $0.isEmpty }
        if isLast { handle(.ended) }
      default: break
      }
    }
  }

  /// `nil` for an encoder that has not taken over, or that has been let go.
  private func place(of failure: ElementFailure, _ behindEncoder: Set<String>) -> RecordingMachine.Place? {
    switch speeds?.part(of: failure.element) ?? .other {
    case .bystander: return nil
    case .recordingEncoder: return .behindEncoder
    case .other: break
    }
    if behindEncoder.contains(failure.element) { return .behindEncoder }
    let source = product.elements[NodeName.source]
    let isCamera = failure.element == NodeName.source || source?.child(named: failure.element) != nil
    return isCamera ? .camera : .beforeEncoder
  }

  /// Away from the session's queue: a pad takes an event only between two buffers.
  func endStream(at node: String) {
    speeds?.finish()
    guard let pad = product.elements[node]?.pad("sink") else { return }
    DispatchQueue.global().async { _ = pad.sendEndOfStream() }
  }

  /// Before anything else is taken down.
  func stopSource() {
    synthetic?.stop()
    speeds?.close()
  }

  /// Takes the pipeline down. Whoever takes its frames must not keep them waiting any more.
  /// - Returns: what of the camera's controls could not be put back, as a sentence.
  @discardableResult
  func close() -> String? {
    stopSource()
    _ = try? product.pipeline.setState(.null)
    product.pipeline.bus.close()
    return setup.controls?.giveBack()
  }
}

extension RecordingPlan {
  /// Names of the sinks where the encoded streams end.
  fileprivate var streams: [String] {
    ([""] + (proxy.map { [$0.name] } ?? [])).map { NodeName.named(NodeName.stream, of: $0) }
  }

  /// Names of the elements of which nothing more can be had once they have failed.
  fileprivate var behindEncoder: Set<String> {
    let stages = ["encode", NodeName.named("encode", of: proxy?.name ?? "")]
    return Set(pipeline.stages.filter { stages.contains($0.name) }.flatMap(\.nodes).map(\.name))
  }
}
