/// What a recording tells: its start, its state four times a second, and its report.

import Foundation
import GStreamer
import Synchronization

extension Recording {
  /// The mode that was negotiated, as the caps at the camera say.
  func announceStart() -> CaptureMode {
    var mode = plan.mode
    if let caps = product.elements[NodeName.captureQueue]?.pad("sink")?.currentCaps,
      let row = CapsFlattener().flatten(caps, node: plan.mode.format.node).first
    {
      mode.dimensions = row.dimensions.largest
      mode.frameRate = row.frameRates.first?.max ?? mode.frameRate
      if row.colorimetry != .unknown { mode.format.colorimetry = row.colorimetry }
    }
    mode.frameRate = setup.driverRate ?? mode.frameRate
    broadcast.send(.started(file: files.current.output.final, mode: mode, plan: plan))
    startResult.fulfill(.success(()))
    return mode
  }

  /// A driver may deliver another size than it agreed to, and a JPEG carries its own.
  func encoderGets(_ caps: Caps) {
    guard let row = CapsFlattener().flatten(caps).first else { return }
    let size = row.dimensions.largest
    guard size != plan.dimensions else { return }
    // Another encoder is given the same caps again.
    let isKnown = deviantSize.withLock { known in
      defer { known = size }
      return known == size
    }
    // Filters may change it on purpose.
    if isKnown || !plan.preset.filters.isEmpty { return }
    broadcast.send(.warning("The camera delivers \(size) although it agreed to \(plan.dimensions)."))
  }

  func sendStatus(at time: Duration, _ window: inout RateWindow) {
    let counts = ledger.counts(.running)
    window.add(time: time, frames: counts.captured, bytes: counts.bytes)
    let rates = window.rates
    broadcast.send(
      .status(
        RecordingStatus(
          time: length(counts), framesWritten: counts.written, rate: rates.frames, framesLost: counts.lost.total,
          bitRate: rates.bits, bytes: counts.bytes, diskTime: diskTime(bitRate: rates.bits), speed: speeds?.speed,
          replay: replay?.buffer.status)))
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
    return .nanoseconds(counts.span + counts.span / Int64(counts.accepted - 1))
  }

  func makeReport(
    _ counts: FrameLedger.Counts, mode: CaptureMode, files: [FileReport], failure: CaptureError?
  ) -> RecordingReport {
    var mode = mode
    let size = deviantSize.withLock { $0 }
    if let size, plan.preset.scale == nil { mode.dimensions = size }
    let rate = rates.report(negotiated: mode.frameRate)
    var report = RecordingReport(
      file: files.last?.file, isFileComplete: !files.isEmpty && files.allSatisfy(\.isComplete),
      files: files, error: failure, mode: mode,
      dimensions: size ?? plan.dimensions, notes: plan.notes,
      encoder: plan.encoder.element, speed: plan.speed, speedSteps: speeds?.steps ?? [], colorimetry: plan.color.target,
      duration: length(counts),
      framesCaptured: counts.captured, framesEncoded: counts.encoded, framesWritten: counts.written,
      lost: counts.lost, ledger: counts.ledger,
      measuredRate: counts.span > 0 ? Double(counts.accepted - 1) * 1e9 / Double(counts.span) : nil,
      rate: rate, bytes: counts.bytes)
    report.isReplayOnly = output.replay?.isOnly == true
    return report
  }
}
