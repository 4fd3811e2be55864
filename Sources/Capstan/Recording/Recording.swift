/// One recording from its pipeline to its report: carries signals to the state machine and does what it answers.

import Foundation
import GStreamer
import Synchronization

final class Recording: Sendable {
  typealias Signal = RecordingMachine.Signal

  let plan: RecordingPlan
  let output: MovieFileOutput
  private let device: CaptureDevice
  let setup: CameraSetup
  let broadcast: EventBroadcast
  let product: PipelineBuilder.Product
  let files: FileSequence
  let disk: DiskWatch
  private let proxy: ProxyRecorder?
  /// `nil` where nothing is kept for replays.
  let replay: ReplaySaver?
  let ledger: FrameLedger
  let rates: RateMonitor
  /// `nil` where nothing is encoded.
  let speeds: SpeedControl?
  private let hasLimit: Bool
  let isSegmented: Bool
  private let synthetic: SyntheticCamera?
  private let signals: AsyncStream<Signal>
  private let mailbox: AsyncStream<Signal>.Continuation
  /// There with the first frame.
  let startResult = Promise<Result<Void, CaptureError>>()
  private let report = Promise<RecordingReport>()
  /// The size that the encoder really gets, where it is not the planned one.
  let deviantSize = Mutex<VideoDimensions?>(nil)
  private let clock = ContinuousClock()
  private let startTime: ContinuousClock.Instant

  /// Builds the pipeline, opens nothing.
  init(
    plan: RecordingPlan, device: CaptureDevice, setup: CameraSetup, output: MovieFileOutput, file: OutputFile,
    proxyFile: OutputFile?, nextFile: @escaping OutputFile.Maker, broadcast: EventBroadcast
  ) throws(CaptureError) {
    self.plan = plan
    self.output = output
    self.device = device
    self.setup = setup
    self.broadcast = broadcast
    let (signals, mailbox) = AsyncStream.makeStream(of: Signal.self)
    self.signals = signals
    self.mailbox = mailbox
    product = try PipelineBuilder(description: plan.capturePipeline).build()
    let negotiated = setup.driverRate ?? plan.mode.frameRate
    let period = negotiated?.reciprocal.map { Int64(($0.value * 1e9).rounded()) }
    isSegmented = output.segments != nil
    hasLimit = output.maximumFrames != nil || output.maximumDuration != nil
    let limit = FrameLimit(frames: output.maximumFrames, duration: output.maximumDuration?.nanoseconds)
    let timeline = RecordingTimeline()
    let startsOnKeyFrame = plan.encoder.isCopy && !plan.mode.format.payload.standsAlone
    ledger = FrameLedger(limit: limit, period: period, startsOnKeyFrame: startsOnKeyFrame, timeline: timeline) {
      mailbox.yield(.limitReached($0))
    }
    proxy = try ProxyRecorder(plan, file: proxyFile, period: period, timeline: timeline)
    let ledger = ledger
    let isReplayOnly = output.replay?.isOnly == true
    let buffer = output.replay.map { rule in
      ReplayBuffer(rule, period: period, timeline: timeline, warn: { broadcast.send(.warning($0)) }) { frame in
        // Where nothing else is written, what is kept has arrived.
        if isReplayOnly { ledger.passed(.muxed, frame) }
      }
    }
    replay = buffer.map {
      ReplaySaver(
        $0, plan: plan, output: output, main: file.final, period: period, timeline: timeline, broadcast: broadcast)
    }
    let makeFile = { @Sendable (output: OutputFile, number: Int) throws(CaptureError) -> RecordedFile in
      try RecordedFile(output, number: number, plan: plan, period: period, timeline: timeline) {
        ledger.passed(.muxed, $0)
      }
    }
    let hook = Hook(plan.preset.hooks.finished)
    let limits = SizeLimits(recording: output.maximumBytes, file: output.segments?.bytes)
    let files = try FileSequence(
      try makeFile(file, 0), rule: output.segments, replay: buffer, budget: plan.budget(limits), period: period,
      timeline: timeline,
      product: product,
      listener: .init(
        finished: { file, next in
          broadcast.send(.fileChanged(finished: file, next: next))
          Recording.run(hook, for: file, broadcast)
        },
        isFull: {
          ledger.end(after: $0)
          mailbox.yield(.limitReached(.size))
        }, surplus: { ledger.surplus() }, warn: { broadcast.send(.warning($0)) })
    ) { number throws(CaptureError) in try makeFile(try nextFile(number), number) }
    self.files = files
    let reserve = DiskReserve(output.reservedBytes)
    disk = DiskWatch(
      reserve: reserve,
      look: { [weak files] in
        files.flatMap { files in
          files.current.output.freeSpace.map { DiskWatch.Look(free: $0, owed: files.owedBytes) }
        }
      },
      onReserve: {
        mailbox.yield(
          reserve.isAsked ? .limitReached(.reserve) : .failed(DiskReserve.full, isBehindEncoder: false))
      })
    rates = RateMonitor(negotiated: negotiated?.value) { broadcast.send(.warning($0)) }
    synthetic = try SyntheticCamera(device: device, mode: plan.mode, source: product.elements[NodeName.source])
    let (clock, startTime) = (clock, clock.now)
    self.startTime = startTime
    let speeds =
      try plan.encoder.isCopy
      ? nil
      : SpeedControl(
        plan: plan, product: product, ledger: ledger, elapsed: { clock.now - startTime }, tell: { broadcast.send($0) })
    self.speeds = speeds
    // Weak, as the pads that the taps sit on belong to the pipeline that the speeds hold.
    let taps = FrameTaps(
      product: product, mode: plan.mode, ledger: ledger, rates: rates,
      passes: { [weak speeds] in speeds?.passes($0) ?? true },
      warn: { broadcast.send(.warning($0)) })
    try taps.attach { [weak self] in self?.encoderGets($0) }
    StreamColoring.attach(to: product, plan: plan) { broadcast.send(.warning($0)) }
    try proxy?.join(product)
  }

  func finished() async -> RecordingReport { await report.value }

  func pause() {
    if ledger.pause() { broadcast.send(.paused(time: .nanoseconds(ledger.counts(.running).span))) }
  }

  func resume() {
    if ledger.resume() { broadcast.send(.resumed(time: .nanoseconds(ledger.counts(.running).span))) }
  }

  var isFinished: Bool { report.isFulfilled }

  func requestStop() { post(.stopRequested) }

  // MARK: The run

  /// Runs on the session's own queue, where state changes may block.
  func run(on session: isolated CaptureSession) async {
    let listeners = [listenToBus(), awaitFile(), tick()]
    play()
    var machine = RecordingMachine(hasLimit: hasLimit)
    var window = RateWindow()
    var mode = plan.mode
    loop: for await signal in signals {
      for action in machine.handle(signal) {
        switch action {
        case .announceStart: mode = announceStart()
        case .endStreamAtCamera: endStream(at: NodeName.captureQueue)
        case .endStreamAtEncoder:
          ledger.end()
          endStream(at: NodeName.gate)
        case .close: break loop
        }
      }
      guard case .tick(_, _, _, let time) = signal, machine.phase != .starting else { continue }
      if machine.phase == .recording { speeds?.look(at: time) }
      sendStatus(at: time, &window)
    }
    for listener in listeners { listener.cancel() }
    var result = close(machine, mode: mode)
    result.replays = await replay?.settle() ?? []
    await fulfill(&result)
    if result.isFileComplete, let file = result.file, let told = await Hook(plan.preset.hooks.finished)?.run(for: file)
    {
      broadcast.send(.warning(told))
    }
    broadcast.send(.finished(result))
    report.fulfill(result)
  }

  /// For a file of several: nobody waits for the program.
  private static func run(_ hook: Hook?, for report: FileReport, _ broadcast: EventBroadcast) {
    guard let hook, report.isComplete, let file = report.file else { return }
    Task.detached {
      if let told = await hook.run(for: file) { broadcast.send(.warning(told)) }
    }
  }

  private func play() {
    do {
      try files.start()
      disk.start()
      try proxy?.start()
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

  private func close(_ machine: RecordingMachine, mode: CaptureMode) -> RecordingReport {
    disk.stop()
    synthetic?.stop()
    speeds?.close()
    // First: a frame that cannot be written keeps the encoder from stopping.
    files.close()
    proxy?.close()
    _ = try? product.pipeline.setState(.null)
    product.pipeline.bus.close()
    if let told = setup.controls?.giveBack() { broadcast.send(.warning(told)) }
    var counts = ledger.counts(machine.sawEndOfStream ? .drained : .cutShort)
    var failure = machine.failure
    let settled = settleFile(machine, &counts, &failure)
    if counts.captured == 0, failure?.code == .deviceFailed { failure = device.obstacle(to: mode) ?? failure }
    let second = proxy?.settle()
    failure = (failure ?? second?.failure).map(device.explained)
    var result = makeReport(
      counts, mode: mode, files: files.reports + (settled.framesWritten > 0 ? [settled] : []), failure: failure)
    result.proxy = second?.report
    result.endedBy = machine.end ?? .failed
    // A camera that failed before its first frames were noticed: they are in a file all the same, and the report tells it.
    if settled.framesWritten > 0, !startResult.isFulfilled { _ = announceStart() }
    startResult.fulfill(failure.map { .failure($0) } ?? .success(()))
    return result
  }

  /// - Returns: the last file of the recording.
  private func settleFile(
    _ machine: RecordingMachine, _ counts: inout FrameLedger.Counts, _ failure: inout CaptureError?
  ) -> FileReport {
    let last = files.current
    let settlement = last.settle(isComplete: machine.sawEndOfStream, origin: files.origin)
    if output.replay?.isOnly == true {
      if counts.written == 0 { failure = failure ?? Recording.nothing }
      return settlement.report
    }
    counts.setWritten(files.reports.reduce(settlement.report.framesWritten) { $0 + $1.framesWritten })
    failure = failure ?? settlement.failure
    if let told = settlement.warning { broadcast.send(.warning(told)) }
    if settlement.report.file == nil, files.reports.isEmpty, settlement.failure == nil {
      failure =
        failure ?? (machine.end == .size ? Recording.tooLarge : Recording.nothing)
    }
    return settlement.report
  }

  private static let nothing = CaptureError(
    .noFrames, "Nothing was recorded: the recording ended before its first frame.")

  private static let tooLarge = CaptureError(
    .configuration, "The first picture alone would be larger than the file may be.",
    remedy: "Allow more with --max-size.")

  // MARK: Signals

  /// Every signal is preceded by a look, so that the machine never decides on old counts.
  private func post(_ signal: Signal) {
    mailbox.yield(look())
    mailbox.yield(signal)
  }

  private func look() -> Signal {
    let counts = ledger.counts(.running)
    return .tick(
      captured: counts.captured, accepted: counts.accepted + counts.pausedFrames, written: counts.written,
      time: clock.now - startTime)
  }

  private func listenToBus() -> Task<Void, Never> {
    let pipeline = product.pipeline
    let stages = ["encode", NodeName.named("encode", of: plan.proxy?.name ?? "")]
    let behindEncoder = Set(
      plan.pipeline.stages.filter { stages.contains($0.name) }.flatMap(\.nodes).map(\.name))
    return Task { [self] in
      for await message in pipeline.bus.messages {
        switch message {
        case .latency: _ = pipeline.recalculateLatency()
        case .error(let failure):
          let part = speeds?.part(of: failure.element) ?? .other
          if part == .bystander { continue }
          let error = CaptureError(failure, device: device.name)
          let isBehind = part == .recordingEncoder || behindEncoder.contains(failure.element)
          post(.failed(error, isBehindEncoder: isBehind))
        default: break
        }
      }
    }
  }

  private func awaitFile() -> Task<Void, Never> {
    Task { [self] in
      async let other: Void? = proxy?.awaitEnd(device: device.name) { [broadcast] in broadcast.send(.warning($0)) }
      switch await files.ending() {
      case nil: break
      case .complete:
        _ = await other
        post(.endOfStream)
      case .failed(let failure): post(.failed(CaptureError(failure, device: device.name), isBehindEncoder: true))
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

  /// Away from the session's queue: a pad takes an event only between two buffers.
  private func endStream(at node: String) {
    speeds?.finish()
    guard let pad = product.elements[node]?.pad("sink") else { return }
    DispatchQueue.global().async { _ = pad.sendEndOfStream() }
  }
}
