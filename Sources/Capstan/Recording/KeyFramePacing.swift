/// Keeps key frames as near to one another as asked by time, whatever rate the camera really has.

import GStreamer

/// Encoders count frames: from a camera that sends a third of what it agreed to, their key frames would be three times as
/// far apart, and so would they where a slow machine leaves frames out. Behind each key frame the next is asked for at its
/// time; where all frames come, that is the frame which the encoder would have taken anyway.
enum KeyFramePacing {
  /// For a stream that is encoded, and for that of a proxy. An encoder that takes over is asked again by its first frame.
  static func attach(to product: PipelineBuilder.Product, plan: RecordingPlan, rate: Fraction?) {
    guard !plan.encoder.isCopy, let period = rate?.reciprocal.map({ Int64($0.value * 1e9) }) else { return }
    let distance = plan.preset.keyFrameInterval.nanoseconds - period / 2
    // Each frame is a key frame.
    if distance < period { return }
    for role in [""] + (plan.proxy.map { [$0.name] } ?? []) {
      let element = product.elements[NodeName.named(NodeName.stream, of: role)]
      // Weak, as the pad is the element's own.
      element?.pad("sink")?.observeBuffers { [weak element] frame in
        if !frame.isDelta, let time = frame.pts {
          element.flatMap(AppSink.init)?.requestKeyFrame(at: time + distance)
        }
        return .pass
      }
    }
  }
}
