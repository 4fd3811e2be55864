/// What a recording tells: its start, its state four times a second, and its report.

import Foundation
import GStreamer
import Synchronization

extension Recording {
  /// The mode that was negotiated, as the caps at the camera say.
  private var negotiatedMode: CaptureMode {
    let agreement = agreement.value
    var mode = agreement.plan.mode
    if let caps = connection.stage?.product.elements[NodeName.captureQueue]?.pad("sink")?.currentCaps,
      let row = CapsFlattener().flatten(caps, node: mode.format.node).first
    {
      mode.dimensions = row.dimensions.largest
      mode.frameRate = row.frameRates.first?.max ?? mode.frameRate
      if row.colorimetry != .unknown { mode.format.colorimetry = row.colorimetry }
    }
    mode.frameRate = agreement.driverRate ?? mode.frameRate
    return mode
  }

  func announceStart() {
    let mode = negotiatedMode
    modes.withLock { $0.append(RecordedMode(mode: mode, time: .zero)) }
    broadcast.send(.started(file: files.current.output.final, mode: mode, plan: plan))
    startResult.fulfill(.success(()))
  }

  /// What the camera sent before is still recorded.
  func announceInterruption(_ reason: CaptureError) {
    awaySince.withLock { $0 = elapsed() }
    broadcast.send(.interrupted(reason: reason, time: length(ledger.counts(.running))))
  }

  func announceReturn() {
    connection.settle()
    awaySince.withLock { $0 = nil }
    guard let interruption = ledger.takeInterruption(until: nil) else { return }
    interruptions.withLock { $0.append(interruption) }
    broadcast.send(.interruptionEnded(interruption))
    announceMode(at: interruption.time + interruption.duration)
  }

  /// Where the camera came back with another one.
  private func announceMode(at time: Duration) {
    let mode = negotiatedMode
    let isNew = modes.withLock { modes in
      let before = modes.last?.mode
      guard
        before?.dimensions != mode.dimensions || before?.frameRate != mode.frameRate
          || before?.format.fourCC != mode.format.fourCC
      else { return false }
      modes.append(RecordedMode(mode: mode, time: time))
      return true
    }
    if isNew { broadcast.send(.modeChanged(RecordedMode(mode: mode, time: time), plan: agreement.plan)) }
  }

  func sendStatus(at time: Duration, _ window: inout RateWindow) {
    let counts = ledger.counts(.running)
    window.add(time: time, frames: counts.captured, bytes: counts.bytes)
    let rates = window.rates
    broadcast.send(
      .status(
        RecordingStatus(
          time: length(counts), framesWritten: counts.written, rate: rates.frames, framesLost: counts.lost.total,
          bitRate: rates.bits, bytes: counts.bytes, diskTime: diskTime(bitRate: rates.bits),
          speed: connection.stage?.speeds?.speed, replay: replay?.buffer.status,
          waiting: awaySince.withLock { $0 }.map { max(.zero, time - $0) })))
  }

  private func diskTime(bitRate: Double) -> Duration? {
    guard bitRate > 0, let free = disk.freeBytes else { return nil }
    return .seconds(Double(free) * 8 / bitRate)
  }

  /// From the first frame to the end of the last, which lasts as long as the others on average.
  private func length(_ counts: FrameLedger.Counts) -> Duration {
    guard counts.accepted > 1 else {
      return counts.accepted == 1 ? .seconds(plan.mode.frameRate?.reciprocal?.value ?? 0) : .zero
    }
    return .nanoseconds(counts.span + (counts.span - counts.absence) / Int64(counts.accepted - 1))
  }

  func makeReport(
    _ counts: FrameLedger.Counts, files: [FileReport], failure: CaptureError?
  ) -> RecordingReport {
    let modes = modes.withLock { $0 }
    // Of another mode there may be no picture yet.
    let present = modes.count > 1 ? agreement.plan : plan
    var mode = modes.last?.mode ?? plan.mode
    let size = deviantSize.dimensions
    if let size, present.preset.scale == nil { mode.dimensions = size }
    let rate = rates.report(negotiated: mode.frameRate)
    var report = RecordingReport(
      file: files.last?.file, isFileComplete: !files.isEmpty && files.allSatisfy(\.isComplete),
      files: files, error: failure, mode: mode,
      dimensions: size ?? present.dimensions, notes: plan.notes + present.notes.filter { !plan.notes.contains($0) },
      encoder: plan.encoder.element, speed: plan.speed, speedSteps: connection.steps, colorimetry: present.color.target,
      duration: length(counts),
      framesCaptured: counts.captured, framesEncoded: counts.encoded, framesWritten: counts.written,
      lost: counts.lost, ledger: counts.ledger,
      measuredRate: counts.rate,
      rate: rate, bytes: counts.bytes)
    report.isReplayOnly = output.replay?.isOnly == true
    if modes.count > 1 { report.modes = modes }
    report.interruptions =
      interruptions.withLock { $0 } + (ledger.takeInterruption(until: connection.timeAway).map { [$0] } ?? [])
    return report
  }
}

extension FrameLedger.Counts {
  /// Frames a second, while the camera was there.
  fileprivate var rate: Double? {
    let time = span - absence
    return accepted > 1 && time > 0 ? Double(accepted - 1) * 1e9 / Double(time) : nil
  }
}
