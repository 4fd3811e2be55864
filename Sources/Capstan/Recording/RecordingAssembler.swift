/// Builds what a recording is made of, and ties it together.

import Foundation
import GStreamer

/// What a recording shall be.
struct RecordingOrder: Sendable {
  var plan: RecordingPlan
  var device: CaptureDevice
  var setup: CameraSetup
  /// Plans anew where the camera gets another signal.
  var replan: CameraSetup.Planner
  var output: MovieFileOutput
  /// Its place is taken, and it holds nothing yet.
  var file: OutputFile
  var proxyFile: OutputFile?
  var nextFile: OutputFile.Maker
}

final class RecordingAssembler: Sendable {
  let order: RecordingOrder
  let agreement: PresentAgreement
  let broadcast: EventBroadcast
  /// Called on any thread.
  let signal: @Sendable (RecordingMachine.Signal) -> Void
  private let timeline = RecordingTimeline()
  private let period: Int64?

  init(
    _ order: RecordingOrder, broadcast: EventBroadcast, signal: @escaping @Sendable (RecordingMachine.Signal) -> Void
  ) {
    self.order = order
    self.broadcast = broadcast
    self.signal = signal
    agreement = PresentAgreement(CameraAgreement(plan: order.plan, driverRate: order.setup.driverRate))
    period = agreement.value.period
  }

  private var plan: RecordingPlan { order.plan }
  private var output: MovieFileOutput { order.output }
  private var warn: @Sendable (String) -> Void { { [broadcast] in broadcast.send(.warning($0)) } }

  // MARK: What is counted

  func ledger() -> FrameLedger {
    let limit = FrameLimit(frames: output.maximumFrames, duration: output.maximumDuration?.nanoseconds)
    let startsOnKeyFrame = plan.encoder.isCopy && !plan.mode.format.payload.standsAlone
    return FrameLedger(limit: limit, period: period, startsOnKeyFrame: startsOnKeyFrame, timeline: timeline) {
      [signal] in signal(.limitReached($0))
    }
  }

  func rates() -> RateMonitor { RateMonitor(negotiated: agreement.value.rate?.value, onNotice: warn) }

  // MARK: What is written

  func proxy() throws(CaptureError) -> ProxyRecorder? {
    try ProxyRecorder(plan, file: order.proxyFile, period: period, timeline: timeline, warn: warn)
  }

  /// - Returns: `nil` where nothing is kept for replays.
  func replay(_ ledger: FrameLedger) -> ReplaySaver? {
    guard let rule = output.replay else { return nil }
    let buffer = ReplayBuffer(rule, period: period, timeline: timeline, warn: warn) { frame in
      // Where nothing else is written, what is kept has arrived.
      if rule.isOnly { ledger.passed(.muxed, frame) }
    }
    return ReplaySaver(
      buffer, agreement: agreement, output: output, main: order.file.final, timeline: timeline, broadcast: broadcast)
  }

  func files(
    _ ledger: FrameLedger, _ recovery: RecoveryWatch, replay: ReplayBuffer?
  ) throws(CaptureError) -> FileSequence {
    let first = try file(order.file, 0, ledger, recovery)
    let ceiling = FileCeiling(fileSystem: order.file.folder.fileSystem, processLimit: OwnProcess.fileSizeLimit)
    let listener = listener(ledger, recovery, ceiling)
    return FileSequence(
      first, rule: output.segments, replay: replay, longest: plan.container.longestFile,
      budget: plan.budget(limits(ceiling)), period: period, timeline: timeline, listener: listener
    ) { [self] number throws(CaptureError) in
      let next = try order.nextFile(number)
      return try file(next, number, ledger, recovery)
    }
  }

  private func limits(_ ceiling: FileCeiling?) -> SizeLimits {
    let file = [output.segments?.bytes, ceiling?.bytes].compactMap { $0 }.min()
    return SizeLimits(recording: output.maximumBytes, file: file)
  }

  private func file(
    _ output: OutputFile, _ number: Int, _ ledger: FrameLedger, _ recovery: RecoveryWatch
  ) throws(CaptureError) -> RecordedFile {
    try RecordedFile(output, number: number, agreement: agreement.value, timeline: timeline) {
      ledger.passed(.muxed, $0)
      recovery.passed(captured: $0.pts)
    }
  }

  private func listener(
    _ ledger: FrameLedger, _ recovery: RecoveryWatch, _ ceiling: FileCeiling?
  ) -> FileSequence.Listener {
    let (hook, isOneFile) = (Hook(plan.preset.hooks.finished), output.segments == nil)
    let (broadcast, warn) = (broadcast, warn)
    return .init(
      finished: { file, next in
        broadcast.send(.fileChanged(finished: file, next: next))
        hook?.runAside(for: file, warn: warn)
      },
      isGrown: { next in
        let reason = ceiling.map { "\($0.reason) allows no larger file" } ?? "a file's clock allows no longer one"
        if isOneFile { warn("The recording goes on in \(next.lastPathComponent), as \(reason).") }
      },
      isStuck: { [signal] in
        ledger.end(after: $1)
        signal(.failed($0, at: .disk))
      },
      isFull: { [signal] in
        ledger.end(after: $0)
        signal(.limitReached(.size))
      }, surplus: { ledger.surplus() }, synchronized: { recovery.synchronized(gap: $0) }, warn: warn)
  }

  func disk(_ files: FileSequence) -> DiskWatch {
    let reserve = DiskReserve(output.reservedBytes)
    return DiskWatch(
      reserve: reserve, look: { [weak files] in files?.look() },
      onReserve: { [signal] in
        signal(reserve.isAsked ? .limitReached(.reserve) : .failed(DiskReserve.full, at: .disk))
      },
      onRemoval: { [weak files, signal] in
        if let error = files?.current.output.removal { signal(.failed(error, at: .disk)) }
      }, warn: warn)
  }

  // MARK: The camera

  func connection(
    _ ledger: FrameLedger, _ rates: RateMonitor, _ deviantSize: DeviantSize, elapsed: @escaping @Sendable () -> Duration
  ) throws(CaptureError) -> CameraConnection {
    try CameraConnection(
      agreement, device: order.device, setup: order.setup, replan: order.replan,
      .init(
        ledger: ledger, rates: rates, elapsed: elapsed, tell: { [broadcast] in broadcast.send($0) },
        agreed: {
          rates.agree(on: $0.rate?.value)
          deviantSize.follow($0.plan)
        },
        encoderGets: { deviantSize.encoderGets($0) }))
  }
}
