/// Holds a running recording to its rate: looks how far the encoder is behind, has it exchanged for a faster one, and
/// where there is none, leaves frames out before they are decoded.

import GStreamer
import MediaFormats
import Synchronization

final class SpeedControl: Sendable {
  private struct State {
    /// `nil` where the speed stays.
    var governor: SpeedGovernor?
    var speed: String?
    var steps: [GovernorStep] = []
    var isExchanging = false
    var lastExchange: Duration?
    var thinning = FrameThinning()
    var skipping = KeyFrameSkipping()
    /// Of the frames that the encoder takes.
    var pace = RateWindow()
    var hasToldCapacity = false
    var isOver = false

    func hasFaster(at time: Duration) -> Bool {
      guard let governor else { return false }
      let isNew = lastExchange.map { time - $0 < SpeedGovernor.settling } ?? false
      return governor.speed > 0 || isExchanging || isNew
    }
  }

  private let plan: RecordingPlan
  private let ledger: FrameLedger
  private let level: QueueLevel
  private let exchange: EncoderExchange
  private let tell: @Sendable (CaptureEvent) -> Void
  /// Since the recording was made.
  private let elapsed: @Sendable () -> Duration
  private let state: Mutex<State>

  /// - Throws: `pipelineFailed` for a plan without the parts that this watches.
  init(
    plan: RecordingPlan, product: PipelineBuilder.Product, ledger: FrameLedger,
    elapsed: @escaping @Sendable () -> Duration, tell: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    guard let encoder = product.elements[NodeName.encoder], let queue = product.elements[NodeName.captureQueue] else {
      throw CaptureError(.pipelineFailed, "The plan has no encoder, or no queue before it.")
    }
    self.plan = plan
    self.ledger = ledger
    self.elapsed = elapsed
    self.tell = tell
    let level = QueueLevel(queue: queue)
    self.level = level
    let period = Duration.seconds(plan.mode.frameRate?.reciprocal?.value ?? 0.1)
    let room = level.room(period: period, frame: plan.mode.rawSize)
    exchange = EncoderExchange(pipeline: product.pipeline, encoder: encoder, period: period)
    let ceiling = plan.speedLadder.count - 1
    let governor = ceiling < 0 ? nil : SpeedGovernor(speed: ceiling, period: period, room: room)
    state = Mutex(State(governor: governor, speed: plan.speed))
  }

  /// The encoder's own word for the speed that it has now.
  var speed: String? { state.withLock(\.speed) }

  var steps: [GovernorStep] { state.withLock(\.steps) }

  /// Four times a second, while frames come.
  func look(at time: Duration) {
    let (backlog, fill, accepted) = (ledger.backlog, level.fill, ledger.counts(.running).accepted)
    let (step, beginsThinning) = state.withLock { state -> (SpeedGovernor.Step?, Bool) in
      if state.isOver { return (nil, false) }
      state.pace.add(time: time, frames: accepted, bytes: 0)
      let step = state.isExchanging ? nil : state.governor?.look(waiting: backlog, fill: fill, time: time)
      if step != nil { state.isExchanging = true }
      return (step, state.thinning.look(fill: fill, hasFaster: state.hasFaster(at: time)))
    }
    if beginsThinning { tellCapacity() }
    if let step { take(step) }
  }

  /// Whether the next frame goes on. Called on a streaming thread.
  func passes(_ candidate: FrameTaps.Candidate) -> Bool {
    state.withLock { state in
      switch candidate {
      case .picture: state.thinning.passes { level.fill }
      case .coded(let isDelta): state.skipping.passes(isDelta: isDelta) { level.fill }
      }
    }
  }

  // MARK: Steps

  private func take(_ step: SpeedGovernor.Step) {
    let ladder = plan.speedLadder
    let told = GovernorStep(
      time: .nanoseconds(ledger.counts(.running).span), from: ladder[step.from].speed, to: ladder[step.to].speed,
      reason: step.to < step.from ? .behind : .room, waiting: step.waiting)
    exchange.exchange(for: ladder[step.to].node) { [self] in conclude($0, step, told) }
  }

  private func conclude(_ outcome: EncoderExchange.Outcome, _ step: SpeedGovernor.Step, _ told: GovernorStep) {
    let (time, backlog) = (elapsed(), ledger.backlog)
    state.withLock { state in
      state.isExchanging = false
      state.lastExchange = time
      switch outcome {
      case .done:
        state.governor?.settle(at: step.to, waiting: backlog, time: time)
        state.speed = told.to
        state.steps.append(told)
      case .notNow: state.governor?.settle(at: step.from, waiting: backlog, time: time)
      case .failed: state.governor = nil
      }
    }
    switch outcome {
    case .done: tell(.governorStep(told))
    case .notNow: break
    case .failed(let reason):
      tell(.warning("The encoder stays at \(told.from), as it could not be exchanged for one at \(told.to): \(reason)"))
    }
  }

  /// Once a recording.
  private func tellCapacity() {
    let (isFirst, pace, speed) = state.withLock { state in
      defer { state.hasToldCapacity = true }
      return (!state.hasToldCapacity, state.pace.rates.frames, state.speed)
    }
    guard isFirst, let asked = plan.mode.frameRate?.value else { return }
    let encoder = plan.encoder.element + (speed.map { " at \($0)" } ?? "")
    let capacity = MachineCapacity(asked: asked, done: pace, dimensions: plan.mode.dimensions, encoder: encoder)
    tell(.warning(capacity.sentence))
  }

  // MARK: The end

  /// What waits now is recorded, all of it, by the encoder that is there.
  func finish() {
    exchange.finish()
    state.withLock { state in
      state.isOver = true
      state.thinning.end()
    }
  }

  /// Before the pipeline is taken down; see `EncoderExchange.close`.
  func close() {
    finish()
    exchange.close()
  }

  func part(of element: String) -> EncoderExchange.Part { exchange.part(of: element) }
}

/// How full a queue is.
private struct QueueLevel: Sendable {
  let queue: Element

  /// Of what it may hold, in frames, time or bytes, whichever is most; 1 for a full one.
  var fill: Double { ["buffers", "time", "bytes"].map(share).max() ?? 0 }

  /// What it may hold.
  /// - Parameter frame: of so many bytes; `nil` where that differs.
  func room(period: Duration, frame: Int?) -> Duration {
    let frames = limit(of: "buffers").map { period * $0 }
    let time = limit(of: "time").map { Duration.nanoseconds($0) }
    let bytes = frame.flatMap { frame in limit(of: "bytes").map { period * ($0 / max(1, frame)) } }
    return [frames, time, bytes].compactMap { $0 }.min() ?? .zero
  }

  private func share(of kind: String) -> Double {
    guard case .int(let level)? = try? queue.get("current-level-\(kind)"), let limit = limit(of: kind) else { return 0 }
    return Double(level) / Double(limit)
  }

  /// `nil` for none.
  private func limit(of kind: String) -> Int? {
    guard case .int(let limit)? = try? queue.get("max-size-\(kind)"), limit > 0 else { return nil }
    return limit
  }
}

extension CaptureMode {
  /// Bytes of a frame; `nil` where it is coded.
  fileprivate var rawSize: Int? {
    guard case .raw(let pixels) = format.payload else { return nil }
    return dimensions.pixels * pixels.bitsPerPixel / 8
  }
}
