/// Watches the pads of a recording's pipeline and enters in the ledger what passes them.

import GStreamer

struct FrameTaps {
  let product: PipelineBuilder.Product
  let mode: CaptureMode
  let ledger: FrameLedger

  /// - Parameter onCaps: called on a streaming thread with the caps that the encoder gets.
  func attach(onCaps: @escaping @Sendable (Caps) -> Void) throws(CaptureError) {
    product.elements[NodeName.source]?.pad("src")?.requireBuffers(atLeast: driverBuffers)
    let ledger = ledger
    try pad(NodeName.captureQueue, "sink").observeBuffers { frame in
      ledger.captured(frame)
      return .pass
    }
    try count(.dequeued, at: NodeName.captureQueue)
    let encoder = try pad(NodeName.encoder, "sink")
    encoder.observeBuffers { ledger.admit($0) }
    encoder.observeEvents { event in
      if case .caps(let caps) = event { onCaps(caps) }
    }
    try count(.encoded, at: NodeName.encoder)
    try count(.muxed, at: NodeName.fileQueue)
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
