/// Watches the pads of a recording's pipeline and enters in the ledger what passes them.

import GStreamer
import Synchronization

struct FrameTaps {
  let product: PipelineBuilder.Product
  let mode: CaptureMode
  let ledger: FrameLedger
  let rates: RateMonitor

  /// Called on a streaming thread with what the user should know.
  let warn: @Sendable (String) -> Void

  /// - Parameter onCaps: called on a streaming thread with the caps that the encoder gets.
  func attach(onCaps: @escaping @Sendable (Caps) -> Void) throws(CaptureError) {
    product.elements[NodeName.source]?.pad("src")?.requireBuffers(atLeast: driverBuffers)
    let (ledger, rates) = (ledger, rates)
    try pad(NodeName.captureQueue, "sink").observeBuffers(inspecting: .repetition) { frame in
      rates.add(frame, missing: ledger.captured(frame))
      return .pass
    }
    // Frames that wait are copied once half of the driver's buffers are among them, or it would lose what comes next.
    let half = driverBuffers / 2
    try pad(NodeName.captureQueue, "sink").copyBuffers { ledger.waiting > half }
    try keepDamagedPicturesOut()
    let encoder = try pad(NodeName.encoder, "sink")
    encoder.observeBuffers { ledger.admit($0) }
    encoder.observeEvents { event in
      if case .caps(let caps) = event { onCaps(caps) }
    }
    try count(.encoded, at: NodeName.encoder)
    try count(.muxed, at: NodeName.fileQueue)
  }

  /// What is dropped here counts as corrupt: it left the queue and does not reach the encoder.
  private func keepDamagedPicturesOut() throws(CaptureError) {
    let (ledger, warn) = (ledger, warn)
    let gate = Mutex(PictureGate())
    let inspection: BufferInspection = mode.format.payload == .jpeg ? .jpegEnd : []
    try pad(NodeName.captureQueue, "src").observeBuffers(inspecting: inspection) { frame in
      ledger.passed(.dequeued, frame)
      switch gate.withLock({ $0.judge(isFlagged: frame.isCorrupted, hasEnd: frame.hasJPEGEnd) }) {
      case .pass: return .pass
      case .drop: return .drop
      case .giveUp:
        warn("Every picture of the camera looks damaged; they are recorded as they are.")
        return .pass
      }
    }
  }

  private func count(_ point: FrameLedger.Point, at node: String) throws(CaptureError) {
    let ledger = ledger
    try pad(node, "src").observeBuffers { frame in
      ledger.passed(point, frame)
      return .pass
    }
  }

  /// A quarter of a second at 60 fps, as far as that stays within 128 MiB: v4l2src's own 3 or 4 are used up in 50 ms.
  private var driverBuffers: Int { min(16, max(4, (128 << 20) / max(1, mode.dimensions.pixels * 2))) }

  private func pad(_ node: String, _ name: String) throws(CaptureError) -> Pad {
    guard let pad = product.elements[node]?.pad(name) else {
      throw CaptureError(.pipelineFailed, "The plan has no \(node) with a pad \(name), where frames are counted.")
    }
    return pad
  }
}
