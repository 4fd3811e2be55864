/// Makes the recorded stream say the colour of its samples, whichever encoder wrote it.

import GStreamer
import MediaInspection
import Synchronization

/// Encoders differ: some write all of the colour into their headers, some a part, some nothing, some the wrong range.
/// Each key frame's header is read on its way from the encoder, and completed where it does not say what the plan knows.
/// What comes behind, parser and muxer, makes the container's record of that; a record that the encoder itself puts
/// into the caps is completed there.
final class StreamColoring: Sendable {
  private let codec: String
  private let completion: ColorCompletion
  private let framing = Mutex(NALUnits.Framing.startCodes)
  private let hasWarned = Mutex(false)
  /// Called on a streaming thread with what the user should know.
  private let warn: @Sendable (String) -> Void

  /// Watches the pad behind the encoder, which stays when the encoder is replaced by another one.
  static func attach(
    to product: PipelineBuilder.Product, plan: RecordingPlan, warn: @escaping @Sendable (String) -> Void
  ) {
    let color = CodedColor(plan.color.target)
    if plan.encoder.isCopy {
      let told = CodedColor(plan.preset.color.source)
      return attach(toCopy: product, codec: plan.encoder.codec, told, assumed: color, warn)
    }
    let branches = [("", plan.encoder.codec)] + (plan.proxy.map { [($0.name, $0.encoder.codec)] } ?? [])
    for (role, codec) in branches {
      guard let pad = product.elements[NodeName.named(NodeName.encoder, of: role)]?.pad("src")?.peer else { continue }
      attach(to: pad, codec: codec, color: color, warn: warn)
    }
  }

  /// What the camera's own stream says stands, unless the user said otherwise; where it is silent, what is known of the
  /// camera is said. Then the stream alone is asked, not the driver.
  private static func attach(
    toCopy product: PipelineBuilder.Product, codec: String, _ told: CodedColor, assumed color: CodedColor,
    _ warn: @escaping @Sendable (String) -> Void
  ) {
    guard let pad = product.elements[NodeName.captureQueue]?.pad("src"),
      let completion = ColorCompletion(codec: codec, color: told, assumption: color)
    else { return }
    let coloring = StreamColoring(codec, completion, warn)
    pad.dropCapsField("colorimetry")
    pad.rewriteCodecData { coloring.take($0) }
    // Cameras do not mark their key frames reliably.
    pad.rewriteBuffers(where: { _ in true }, { coloring.completed($0) })
  }

  /// Does nothing for a codec that has no place for colour in its stream.
  static func attach(to pad: Pad, codec: String, color: CodedColor, warn: @escaping @Sendable (String) -> Void) {
    guard let completion = ColorCompletion(codec: codec, color: color) else { return }
    let coloring = StreamColoring(codec, completion, warn)
    pad.rewriteCodecData { coloring.take($0) }
    pad.rewriteBuffers(where: completion.mayConcern) { coloring.completed($0) }
  }

  private init(_ codec: String, _ completion: ColorCompletion, _ warn: @escaping @Sendable (String) -> Void) {
    self.codec = codec
    self.completion = completion
    self.warn = warn
  }

  /// New caps: from here on the frames are laid out as their record says.
  private func take(_ record: [UInt8]?) -> [UInt8]? {
    let framing = NALUnits.Framing(codec: codec, record: record)
    self.framing.withLock { $0 = framing }
    guard let record else { return nil }
    return orWarn { () throws(BitstreamError) in try completion.completed(configuration: record) }
  }

  private func completed(_ frame: [UInt8]) -> [UInt8]? {
    let framing = framing.withLock { $0 }
    return orWarn { () throws(BitstreamError) in try completion.completed(frame: frame, framing) }
  }

  /// A stream that cannot be completed is recorded as it is.
  private func orWarn(_ complete: () throws(BitstreamError) -> [UInt8]?) -> [UInt8]? {
    do {
      return try complete()
    } catch {
      let isFirst = hasWarned.withLock { hasWarned in
        defer { hasWarned = true }
        return !hasWarned
      }
      if isFirst { warn("The stream itself cannot be made to say its colour (\(error)): only the container says it.") }
      return nil
    }
  }
}
