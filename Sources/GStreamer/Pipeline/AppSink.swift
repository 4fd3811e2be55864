/// The end of a pipeline where the program takes the frames (`appsink`).

import CGStreamer

package struct AppSink: Sendable {
  package let element: Element

  /// `nil` where the element is no appsink.
  package init?(_ element: Element) {
    guard unsafe capstan_is_app_sink(element.pointer) else { return nil }
    self.element = element
  }

  /// What the program does with the stream. Both are called on the streaming thread and hold it up for as long as they
  /// take.
  package struct Receiver: Sendable {
    package var sample: @Sendable (MediaSample) -> Void
    package var endOfStream: @Sendable () -> Void

    package init(
      sample: @escaping @Sendable (MediaSample) -> Void, endOfStream: @escaping @Sendable () -> Void = {}
    ) {
      self.sample = sample
      self.endOfStream = endOfStream
    }
  }

  /// Gives every frame to a receiver from now on (`gst_app_sink_set_callbacks`). Set it before the pipeline plays.
  package func deliver(to receiver: Receiver) {
    var callbacks = GstAppSinkCallbacks()
    unsafe callbacks.new_sample = { sink, box in
      guard let sink = unsafe sink, let box = unsafe box else { return GST_FLOW_ERROR }
      guard let pulled = unsafe gst_app_sink_pull_sample(sink) else { return GST_FLOW_EOS }
      defer { unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(pulled)) }
      if let sample = unsafe MediaSample(reading: pulled) { unsafe AppSink.receiver(box).sample(sample) }
      return GST_FLOW_OK
    }
    unsafe callbacks.eos = { _, box in
      if let box = unsafe box { unsafe AppSink.receiver(box).endOfStream() }
    }
    let box = unsafe Unmanaged.passRetained(ReceiverBox(receiver)).toOpaque()
    unsafe gst_app_sink_set_callbacks(recast(element.pointer), &callbacks, box) { box in
      if let box = unsafe box { unsafe Unmanaged<ReceiverBox>.fromOpaque(box).release() }
    }
  }

  private static func receiver(_ box: gpointer) -> Receiver {
    unsafe Unmanaged<ReceiverBox>.fromOpaque(box).takeUnretainedValue().receiver
  }
}

private final class ReceiverBox: Sendable {
  let receiver: AppSink.Receiver
  init(_ receiver: AppSink.Receiver) { self.receiver = receiver }
}

extension AppSink {
  /// Asks the encoder for a key frame (`gst_video_event_new_upstream_force_key_unit`).
  /// - Parameter time: of the pipeline, in nanoseconds: the first frame from then on is one; `nil` for the next.
  package func requestKeyFrame(at time: Int64? = nil) {
    let running = time.flatMap { GstClockTime(exactly: $0) } ?? capstan_no_time()
    guard let pad = element.pad("sink"),
      let event = unsafe gst_video_event_new_upstream_force_key_unit(running, 1, 0)
    else { return }
    unsafe gst_pad_push_event(pad.pointer, event)
  }
}
