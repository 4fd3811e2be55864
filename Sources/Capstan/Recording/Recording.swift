/// One recording from its pipeline to its report: carries signals to the state machine and does what it answers.

import Foundation
import GStreamer
import Synchronization

final class Recording: Sendable {
  typealias Signal = RecordingMachine.Signal

  /// With which it began.
  let plan: RecordingPlan
  let agreement: PresentAgreement
  let output: MovieFileOutput
  let device: CaptureDevice
  let broadcast: EventBroadcast
  let files: FileSequence
  let disk: DiskWatch
  private let recovery: RecoveryWatch
  let proxy: ProxyRecorder?
  /// `nil` where nothing is kept for replays.
  let replay: ReplaySaver?
  let ledger: FrameLedger
  let rates: RateMonitor
  let connection: CameraConnection
  private let signals: AsyncStream<Signal>
  private let mailbox: AsyncStream<Signal>.Continuation
  /// There with the first frame.
  let startResult = Promise<Result<Void, CaptureError>>()
  private let report = Promise<RecordingReport>()
  /// The size that the encoder really gets, where it is not the planned one.
  let deviantSize: DeviantSize
  let elapsed: @Sendable () -> Duration
  /// When the camera went that is waited for.
  let awaySince = Mutex<Duration?>(nil)
  let interruptions = Mutex<[Interruption]>([])
  /// Each mode of the camera that was recorded.
  let modes = Mutex<[RecordedMode]>([])

  /// Builds the pipeline, opens nothing.
  init(_ order: RecordingOrder, broadcast: EventBroadcast) throws(CaptureError) {
    (plan, output, device) = (order.plan, order.output, order.device)
    self.broadcast = broadcast
    let (signals, mailbox) = AsyncStream.makeStream(of: Signal.self)
    (self.signals, self.mailbox) = (signals, mailbox)
    let assembler = RecordingAssembler(order, broadcast: broadcast) { mailbox.yield($0) }
    agreement = assembler.agreement
    ledger = assembler.ledger()
    rates = assembler.rates()
    recovery = RecoveryWatch(plan.recovery)
    proxy = try assembler.proxy()
    replay = assembler.replay(ledger)
    files = try assembler.files(ledger, recovery, replay: replay?.buffer)
    disk = assembler.disk(files)
    deviantSize = DeviantSize(plan: plan) { broadcast.send(.warning($0)) }
    let clock = ContinuousClock()
    let startTime = clock.now
    elapsed = { clock.now - startTime }
    connection = try assembler.connection(ledger, rates, deviantSize, elapsed: elapsed)
    recovery.follow { [weak connection] in connection?.stage?.product.pipeline.runningTime }
    try join(connection.stage)
  }

  /// Hands what a stage encodes to the files.
  private func join(_ stage: CaptureStage?) throws(CaptureError) {
    guard let stage else { return }
    try files.join(stage)
    try proxy?.join(stage)
  }

  func finished() async -> RecordingReport { await report.value }

  func pause() {
    if ledger.pause() { broadcast.send(.paused(time: .nanoseconds(ledger.counts(.running).span))) }
  }

  func resume() {
    if ledger.resume() { broadcast.send(.resumed(time: .nanoseconds(ledger.counts(.running).span))) }
  }

  var isSegmented: Bool { output.segments != nil }

  var isFinished: Bool { report.isFulfilled }

  func requestStop() { post(.stopRequested) }

  // MARK: The run

  /// Runs on the session's own queue, where state changes may block.
  func run(on session: isolated CaptureSession) async {
    let listeners = [awaitFile(), tick()]
    play()
    let period = plan.mode.frameRate?.reciprocal.map { Duration.seconds($0.value) } ?? .zero
    var machine = RecordingMachine(
      hasLimit: output.maximumFrames != nil || output.maximumDuration != nil,
      timeouts: plan.preset.timeouts.allowing(period: period), onUnplug: plan.preset.onUnplug)
    var window = RateWindow()
    loop: for await signal in signals {
      for action in machine.handle(signal) {
        switch action {
        case .close: break loop
        default: act(action)
        }
      }
      guard case .tick(_, _, _, _, let time) = signal, machine.phase != .starting else { continue }
      if machine.phase == .recording { connection.stage?.speeds?.look(at: time) }
      sendStatus(at: time, &window)
    }
    for listener in listeners { listener.cancel() }
    var result = close(machine)
    result.replays = await replay?.settle() ?? []
    await fulfill(&result)
    if let last = result.files.last.flatMap(Hook.Finished.init),
      let told = await Hook(plan.preset.hooks.finished)?.run(for: last)
    {
      broadcast.send(.warning(told))
    }
    broadcast.send(.finished(result))
    report.fulfill(result)
  }

  private func act(_ action: RecordingMachine.Action) {
    switch action {
    case .announceStart: announceStart()
    case .endStreamAtCamera: connection.stage?.endStream(at: NodeName.captureQueue)
    case .endStreamAtEncoder:
      ledger.end()
      connection.stage?.endStream(at: NodeName.gate)
    case .announceInterruption(let reason): announceInterruption(reason)
    case .disconnect: connection.disconnect()
    case .awaitCamera: awaitCamera()
    case .announceReturn: announceReturn()
    case .finishFile:
      files.finish()
      proxy?.finish()
    case .close: break
    }
  }

  private func play() {
    do {
      try files.start()
      disk.start()
      try proxy?.start()
      try connection.play { [self] in heard($0) }
    } catch {
      // The cause is on the bus, a moment later; this is for an element that fails without a word.
      let failure = CaptureError(.pipelineFailed, "\(error)")
      Task {
        try? await Task.sleep(for: .seconds(1))
        post(.failed(failure, at: .behindEncoder))
      }
    }
  }

  private func awaitCamera() {
    connection.awaitCamera { [self] stage throws(CaptureError) in
      try join(stage)
    } hear: { [self] in
      heard($0)
    } connected: { [self] in
      post(.reconnected)
    } refused: { [self] in
      post(.refused($0))
    }
  }

  private func close(_ machine: RecordingMachine) -> RecordingReport {
    disk.stop()
    connection.stopSource()
    // First: a frame that cannot be written keeps the encoder from stopping.
    files.close()
    proxy?.close()
    if let told = connection.close() { broadcast.send(.warning(told)) }
    if awaySince.withLock({ $0 != nil }) { ledger.interrupted() }
    var counts = ledger.counts(machine.sawEndOfStream ? .drained : .cutShort)
    var failure = machine.failure
    let settled = settleFile(machine, &counts, &failure)
    if counts.captured == 0, failure?.code == .deviceFailed { failure = device.obstacle(to: plan.mode) ?? failure }
    let second = proxy?.settle()
    failure = (failure ?? second?.failure).map(device.explained)
    var result = makeReport(
      counts, files: files.reports + (settled.framesWritten > 0 ? [settled] : []), failure: failure)
    result.proxy = second?.report
    result.endedBy = machine.end ?? .failed
    result.recoveryPoint = recovery.report
    // A camera that failed before its first frames were noticed: they are in a file all the same, and the report tells it.
    if settled.framesWritten > 0, !startResult.isFulfilled { announceStart() }
    startResult.fulfill(failure.map { .failure($0) } ?? .success(()))
    return result
  }

  /// - Returns: the last file of the recording.
  private func settleFile(
    _ machine: RecordingMachine, _ counts: inout FrameLedger.Counts, _ failure: inout CaptureError?
  ) -> FileReport {
    let last = files.current
    recovery.synchronized(gap: last.longestGap)
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
      isDiskBehind: files.isWaiting, time: elapsed())
  }

  private func heard(_ message: CaptureStage.Message) {
    switch message {
    case .failed(let failure, let place):
      let error = device.seen(CaptureError(failure, device: device.name))
      // What v4l2src then says is one of many things, and also that the camera is busy: with its own pictures.
      let gone = place == .camera && error.code != .deviceLost ? connection.lookForMode() : nil
      post(gone.map(Signal.modeGone) ?? .failed(error, at: place))
    case .ended: post(.streamEnded)
    // A larger picture than it asked for is none that v4l2src complains of: it takes a corner of it.
    case .negotiatedAgain: if let gone = connection.lookForMode() { post(.modeGone(gone)) }
    }
  }

  private func awaitFile() -> Task<Void, Never> {
    Task { [self] in
      async let other: Void? = proxy?.awaitEnd(device: device.name)
      switch await files.ending() {
      case nil: break
      case .complete:
        _ = await other
        post(.endOfStream)
      case .failed(let failure): post(.failed(CaptureError(failure, device: device.name), at: .behindEncoder))
      case .refused(let failure, let file):
        let error = CaptureError(failure, file.path(percentEncoded: false), doing: "written to the disk")
        // What is written may still come there.
        post(.failed(error, at: .disk))
      }
    }
  }

  /// Four looks a second, as often as a status line is drawn.
  private func tick() -> Task<Void, Never> {
    Task { [self] in
      var effort = Effort.now
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(250))
        if let time = connection.timeAway { ledger.timePasses(time) }
        if Effort.now.isWork(since: &effort) { mailbox.yield(.working) }
        mailbox.yield(look())
      }
    }
  }
}
