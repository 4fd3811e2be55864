/// Holds a running recording to its rate: looks how far the encoder is behind, has it exchanged for a faster one, and
/// where there is none, leaves frames out before they are decoded.

import GStreamer
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
    level = QueueLevel(queue: queue)
    let period = Duration.seconds(plan.mode.frameRate?.reciprocal?.value ?? 0.1)
    exchange = EncoderExchange(pipeline: product.pipeline, encoder: encoder, period: period)
    let governor = plan.speedLadder.isEmpty ? nil : SpeedGovernor(speed: plan.speedLadder.count - 1)
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
      let isHalfFull = fill >= FrameThinning.start
      let step = state.isExchanging ? nil : state.governor?.look(waiting: backlog, isHalfFull: isHalfFull, time: time)
      if step != nil { state.isExchanging = true }
      guard plan.mode.format.payload.standsAlone else { return (step, false) }
      return (step, state.thinning.look(fill: fill, hasFaster: state.hasFaster(at: time)))
    }
    if beginsThinning { tellCapacity() }
    if let step { take(step) }
  }

  /// Whether the next frame is to be decoded. Called on a streaming thread.
  func passes() -> Bool { state.withLock { $0.thinning.passes() } }

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

  /// Of what it may hold, in time or in bytes, whichever is more; 1 for a full one.
  var fill: Double { max(share(of: "time"), share(of: "bytes")) }

  private func share(of kind: String) -> Double {
    guard case .int(let level)? = try? queue.get("current-level-\(kind)"),
      case .int(let limit)? = try? queue.get("max-size-\(kind)"), limit > 0
    else { return 0 }
    return Double(level) / Double(limit)
  }
}
