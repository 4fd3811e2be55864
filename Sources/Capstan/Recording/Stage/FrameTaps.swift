/// Watches the pads of a recording's pipeline and enters in the ledger what passes them.

import GStreamer
import Synchronization

struct FrameTaps {
  let product: PipelineBuilder.Product
  let mode: CaptureMode
  /// True where frames go to the file as they come.
  let isCopy: Bool
  let ledger: FrameLedger
  let rates: RateMonitor

  /// What can be left out to let the machine keep up.
  enum Candidate: Sendable, Hashable {
    /// One that is missed in no other.
    case picture
    /// One that others may build on.
    case coded(isDelta: Bool)
  }

  /// Called on a streaming thread: whether it goes on.
  let passes: @Sendable (Candidate) -> Bool
  /// Called on a streaming thread with what the user should know.
  let warn: @Sendable (String) -> Void

  /// - Parameter onCaps: called on a streaming thread with the caps that the encoder gets.
  func attach(onCaps: @escaping @Sendable (Caps) -> Void) throws(CaptureError) {
    let (negotiations, bus) = (Counter(), product.pipeline.bus)
    product.elements[NodeName.source]?.pad("src")?.requireBuffers(atLeast: driverBuffers) {
      if negotiations.next() > 1 { bus.post(.negotiatedAgain) }
    }
    try pad(NodeName.captureQueue, "sink").stampBuffers(by: product.pipeline)
    let (ledger, rates) = (ledger, rates)
    try pad(NodeName.captureQueue, "sink").observeBuffers(inspecting: .repetition) { frame in
      rates.add(frame, missing: ledger.captured(frame))
      return ledger.isBeyondEnd ? .drop : .pass
    }
    // Frames that wait are copied once half of the driver's buffers are among them, or it would lose what comes next.
    // What goes to the file is always copied: a muxer keeps its last frame, and a driver whose buffers are not all back
    // does not start again.
    let (half, isCopy) = (driverBuffers / 2, isCopy)
    try pad(NodeName.captureQueue, "sink").copyBuffers { isCopy || ledger.waiting > half }
    try keepDamagedPicturesOut()
    thinBehindDecoder()
    // What is watched stays when the encoder is exchanged. An end of the stream that is sent to the gate comes behind
    // the frames that it let through.
    let gate = try pad(NodeName.gate, "sink")
    gate.observeBuffers { ledger.admit($0) }
    gate.observeEvents { event in
      if case .caps(let caps) = event { onCaps(caps) }
    }
    count(.encoded, at: try pad(NodeName.stream, "sink"))
  }

  /// A damaged picture counts as corrupt: it left the queue and does not reach the encoder. One that is left out to let
  /// the machine keep up counts as lost in the queue.
  private func keepDamagedPicturesOut() throws(CaptureError) {
    let (ledger, warn, passes, payload) = (ledger, warn, passes, mode.format.payload)
    let gate = Mutex(PictureGate())
    let inspection: BufferInspection = payload == .jpeg ? .jpegEnd : []
    try pad(NodeName.captureQueue, "src").observeBuffers(inspecting: inspection) { frame in
      if payload.standsAlone, !ledger.isPaused(at: frame), !passes(.picture) { return .drop }
      ledger.passed(.dequeued, frame)
      switch gate.withLock({ $0.judge(isFlagged: frame.isCorrupted, hasEnd: frame.hasJPEGEnd) }) {
      case .pass: return .pass
      case .drop:
        ledger.refused(frame)
        return .drop
      case .giveUp:
        warn("Every picture of the camera looks damaged; they are recorded as they are.")
        return .pass
      }
    }
  }

  /// Where pictures build on one another, single ones can be left out only once they are decoded. Before that it takes
  /// all up to the next key frame, as its own flags or those of the parser mark them.
  private func thinBehindDecoder() {
    guard !mode.format.payload.standsAlone, let decoder = product.elements[NodeName.decoder] else { return }
    let (ledger, passes) = (ledger, passes)
    func watch(_ pad: String, _ candidate: @escaping @Sendable (BufferInfo) -> Candidate) {
      decoder.pad(pad)?.observeBuffers { frame in
        if ledger.isPaused(at: frame) || passes(candidate(frame)) { return .pass }
        ledger.leftOut(frame)
        return .drop
      }
    }
    watch("sink") { .coded(isDelta: $0.isDelta) }
    watch("src") { _ in .picture }
  }

  private func count(_ point: FrameLedger.Point, at pad: Pad) {
    let ledger = ledger
    pad.observeBuffers { frame in
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

private final class Counter: Sendable {
  private let count = Atomic(0)

  /// From 1.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
