/// Keeps key frames as near to one another as asked by time, whatever rate the camera really has.

import GStreamer

/// Encoders count frames: from a camera that sends a third of what it agreed to, their key frames would be three times as
/// far apart, and so would they where a slow machine leaves frames out. Behind each key frame the next is asked for at its
/// time; where all frames come, that is the frame which the encoder would have taken anyway.
struct KeyFramePacing: Sendable {
  /// From a key frame to where the next is asked for, in nanoseconds: a little before its time, so that it is not missed.
  private let distance: Int64
  /// Weak, as the sink itself holds what it calls.
  private weak let element: Element?

  /// `nil` where nothing is encoded, where the rate is unknown, and where every frame is a key frame.
  init?(_ sink: AppSink, plan: RecordingPlan, rate: Fraction?) {
    guard !plan.encoder.isCopy, let period = rate?.reciprocal.map({ Int64($0.value * 1e9) }) else { return nil }
    distance = plan.preset.keyFrameInterval.nanoseconds - period / 2
    element = sink.element
    if distance < period { return nil }
  }

  /// An encoder that has taken over from another is asked again behind its own first frame.
  func look(at sample: MediaSample) {
    guard sample.isKeyFrame, let time = sample.pts, let sink = element.flatMap(AppSink.init) else { return }
    sink.requestKeyFrame(at: time + distance)
  }
}
