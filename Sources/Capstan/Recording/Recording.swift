/// One recording from its pipeline to its report: carries signals to the state machine and does what it answers.

import Foundation
import GStreamer
import Synchronization

final class Recording: Sendable {
  typealias Signal = RecordingMachine.Signal

  let plan: RecordingPlan
  private let device: CaptureDevice
  private let file: OutputFile
  private let broadcast: EventBroadcast
  private let product: PipelineBuilder.Product
  private let ledger: FrameLedger
  private let synthetic: SyntheticCamera?
  private let signals: AsyncStream<Signal>
  private let mailbox: AsyncStream<Signal>.Continuation
  private let startResult = Promise<Result<Void, CaptureError>>()
  private let report = Promise<RecordingReport>()
  /// The size that the encoder really gets, where it is not the planned one.
  private let deviantSize = Mutex<VideoDimensions?>(nil)
  private let clock = ContinuousClock()
  private let startTime: ContinuousClock.Instant

  /// Builds the pipeline, opens nothing.
  init(
    plan: RecordingPlan, device: CaptureDevice, output: MovieFileOutput, file: OutputFile, broadcast: EventBroadcast
  ) throws(CaptureError) {
    self.plan = plan
    self.device = device
    self.file = file
    self.broadcast = broadcast
    let (signals, mailbox) = AsyncStream.makeStream(of: Signal.self)
    self.signals = signals
    self.mailbox = mailbox
    product = try PipelineBuilder(description: plan.pipeline).build()
    let limit = FrameLimit(frames: output.maximumFrames, duration: output.maximumDuration?.nanoseconds)
    let period = plan.mode.frameRate?.reciprocal.map { Int64(($0.value * 1e9).rounded()) }
    ledger = FrameLedger(limit: limit, period: period) { mailbox.yield(.limitReached) }
    synthetic = try SyntheticCamera(device: device, mode: plan.mode, source: product.elements[NodeName.source])
    startTime = clock.now
    try observeFrames()
  }

  /// Returns with the first frame.
  func started() async throws(CaptureError) { try await startResult.value.get() }

  func finished() async -> RecordingReport { await report.value }

  var isFinished: Bool { report.isFulfilled }

  func requestStop() { post(.stopRequested) }

  // MARK: The run

  /// Runs on the session's own queue, where state changes may block.
  func run(on session: isolated CaptureSession) async {
    let listeners = [listenToBus(), tick()]
    play()
    var machine = RecordingMachine()
    var window = RateWindow()
    var mode = plan.mode
    loop: for await signal in signals {
      for action in machine.handle(signal) {
        switch action {
        case .announceStart: mode = announceStart()
        case .endStreamAtCamera: endStream(at: NodeName.captureQueue)
        case .endStreamAtEncoder: endStream(at: NodeName.encoder)
        case .close: break loop
        }
      }
      if case .tick(_, _, let time) = signal, machine.phase != .starting { sendStatus(at: time, &window) }
    }
    for listener in listeners { listener.cancel() }
    close(machine, mode: mode)
  }

  private func play() {
    do {
      _ = try product.pipeline.setState(.playing)
      synthetic?.start(on: product.pipeline)
    } catch {
      // The cause is on the bus, a moment later; this is for an element that fails without a word.
      let failure = CaptureError(.pipelineFailed, "\(error)")
      Task {
        try? await Task.sleep(for: .seconds(1))
        post(.failed(failure, isBehindEncoder: true))
      }
    }
  }

  private func close(_ machine: RecordingMachine, mode: CaptureMode) {
    synthetic?.stop()
    _ = try? product.pipeline.setState(.null)
    product.pipeline.bus.close()
    let counts = ledger.counts(isFinal: true)
    var failure = machine.failure
    var file = file
    let isThere = counts.written > 0
    if isThere {
      do {
        try file.finish()
      } catch {
        failure = failure ?? error
      }
    } else {
      file.remove()
      failure = failure ?? CaptureError(.noFrames, "Nothing was recorded: the recording ended before its first frame.")
    }
    if counts.captured == 0, failure?.code == .deviceFailed { failure = device.obstacle(to: mode) ?? failure }
    let result = makeReport(
      counts, mode: mode, file: isThere ? file.final : nil, isComplete: isThere && machine.sawEndOfStream,
      failure: failure)
    startResult.fulfill(failure.map { .failure($0) } ?? .success(()))
    broadcast.send(.finished(result))
    report.fulfill(result)
  }

  // MARK: Signals

  /// Every signal is preceded by a look, so that the machine never decides on old counts.
  private func post(_ signal: Signal) {
    mailbox.yield(look())
    mailbox.yield(signal)
  }

  private func look() -> Signal {
    let counts = ledger.counts(isFinal: false)
    return .tick(captured: counts.captured, written: counts.written, time: clock.now - startTime)
  }

  private func listenToBus() -> Task<Void, Never> {
    let pipeline = product.pipeline
    let behindEncoder = Set(
      plan.pipeline.stages.filter { ["encode", "mux", "file"].contains($0.name) }.flatMap(\.nodes).map(\.name))
    return Task { [self] in
      for await message in pipeline.bus.messages {
        switch message {
        case .endOfStream: post(.endOfStream)
        case .latency: _ = pipeline.recalculateLatency()
        case .error(let failure):
          let error = CaptureError(failure, device: device.name)
          post(.failed(error, isBehindEncoder: behindEncoder.contains(failure.element)))
        default: break
        }
      }
    }
  }

  /// Four looks a second, as often as a status line is drawn.
  private func tick() -> Task<Void, Never> {
    Task { [self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(250))
        mailbox.yield(look())
      }
    }
  }

  private func observeFrames() throws(CaptureError) {
    let ledger = ledger
    if let camera = product.elements[NodeName.source]?.pad("src") {
      camera.requireBuffers(atLeast: Recording.driverBuffers(for: plan.mode))
    }
    _ = try pad(NodeName.captureQueue, "sink").observeBuffers { frame in
      ledger.captured(frame)
      return .pass
    }
    _ = try pad(NodeName.captureQueue, "src").observeBuffers { frame in
      ledger.passed(.dequeued, frame)
      return .pass
    }
    let encoder = try pad(NodeName.encoder, "sink")
    encoder.observeBuffers { ledger.admit($0) }
    encoder.observeEvents { [weak self] event in
      if case .caps(let caps) = event { self?.encoderGets(caps) }
    }
    _ = try pad(NodeName.encoder, "src").observeBuffers { frame in
      ledger.passed(.encoded, frame)
      return .pass
    }
    _ = try pad(NodeName.fileQueue, "src").observeBuffers { frame in
      ledger.passed(.muxed, frame)
      return .pass
    }
  }

  /// A driver may deliver another size than it agreed to, and a JPEG carries its own.
  private func encoderGets(_ caps: Caps) {
    guard let row = CapsFlattener().flatten(caps).first else { return }
    let size = row.dimensions.largest
    let planned = plan.mode.dimensions
    guard size != VideoDimensions(width: planned.width / 2 * 2, height: planned.height / 2 * 2) else { return }
    deviantSize.withLock { $0 = size }
    broadcast.send(.warning("The camera delivers \(size) although it agreed to \(planned)."))
  }

  /// A quarter of a second at 60 fps, as far as that stays within 128 MiB: v4l2src's own 3 or 4 are used up in 50 ms.
  private static func driverBuffers(for mode: CaptureMode) -> Int {
    min(16, max(4, (128 << 20) / max(1, mode.dimensions.pixels * 2)))
  }

  private func pad(_ node: String, _ name: String) throws(CaptureError) -> Pad {
    guard let pad = product.elements[node]?.pad(name) else {
      throw CaptureError(.pipelineFailed, "The plan has no \(node) with a pad \(name), where frames are counted.")
    }
    return pad
  }

  /// Away from the session's queue: a pad takes an event only between two buffers.
  private func endStream(at node: String) {
    guard let pad = product.elements[node]?.pad("sink") else { return }
    DispatchQueue.global().async { _ = pad.sendEndOfStream() }
  }
}

// MARK: - What is told

extension Recording {
  /// The mode that was negotiated, as the caps at the camera say.
  private func announceStart() -> CaptureMode {
    var mode = plan.mode
    if let caps = product.elements[NodeName.captureQueue]?.pad("sink")?.currentCaps,
      let row = CapsFlattener().flatten(caps, node: plan.mode.format.node).first
    {
      mode.dimensions = row.dimensions.largest
      mode.frameRate = row.frameRates.first?.max ?? mode.frameRate
      if row.colorimetry != .unknown { mode.format.colorimetry = row.colorimetry }
    }
    broadcast.send(.started(file: file.final, mode: mode, plan: plan))
    startResult.fulfill(.success(()))
    return mode
  }

  private func sendStatus(at time: Duration, _ window: inout RateWindow) {
    let counts = ledger.counts(isFinal: false)
    window.add(time: time, frames: counts.captured, bytes: counts.bytes)
    let rates = window.rates
    broadcast.send(
      .status(
        RecordingStatus(
          time: length(counts), framesWritten: counts.written, rate: rates.frames, framesLost: counts.lost.total,
          bitRate: rates.bits, bytes: counts.bytes, diskTime: diskTime(bitRate: rates.bits))))
  }

  private func diskTime(bitRate: Double) -> Duration? {
    guard bitRate > 0, let free = file.freeSpace else { return nil }
    return .seconds(Double(free) * 8 / bitRate)
  }

  /// From the first frame to the end of the last, which lasts as long as the others on average.
  private func length(_ counts: FrameLedger.Counts) -> Duration {
    guard counts.accepted > 1 else {
      return counts.accepted == 1 ? .seconds(plan.mode.frameRate?.reciprocal?.value ?? 0) : .zero
    }
    return .nanoseconds(counts.span + counts.span / Int64(counts.accepted - 1))
  }

  private func makeReport(
    _ counts: FrameLedger.Counts, mode: CaptureMode, file: URL?, isComplete: Bool, failure: CaptureError?
  ) -> RecordingReport {
    var mode = mode
    if let size = deviantSize.withLock({ $0 }) { mode.dimensions = size }
    return RecordingReport(
      file: file, isFileComplete: isComplete, error: failure, mode: mode, notes: plan.notes,
      encoder: plan.encoder.element, speed: plan.speed, colorimetry: plan.color.target, duration: length(counts),
      framesCaptured: counts.captured, framesEncoded: counts.encoded, framesWritten: counts.written,
      lost: counts.lost,
      measuredRate: counts.span > 0 ? Double(counts.accepted - 1) * 1e9 / Double(counts.span) : nil,
      bytes: counts.bytes)
  }
}
