/// Frames that the program makes itself, pushed into a pipeline (`appsrc`).

import CGStreamer
package import MediaFormats

package struct AppSource: Sendable {
  package let element: Element

  /// `nil` where the element is no appsrc.
  package init?(_ element: Element) {
    guard unsafe capstan_is_app_source(element.pointer) else { return nil }
    self.element = element
  }

  /// Makes an appsrc that works in time; a live one gives its frames when they come.
  package init(name: String? = nil, isLive: Bool) throws(ElementError) {
    element = try Element(factory: "appsrc", name: name)
    // By its property: what gst_base_src_set_format says is overwritten when it starts.
    do { try element.set("format", to: .string("time")) } catch { throw .property(error) }
    unsafe gst_base_src_set_live(recast(element.pointer), isLive ? 1 : 0)
  }

  /// `gst_app_src_set_caps`.
  package func setCaps(_ caps: Caps) {
    let made = unsafe caps.makeCaps()
    unsafe gst_app_src_set_caps(source, made.pointer)
  }

  /// Makes a buffer, lets `fill` write it where it lies and pushes it (`gst_app_src_push_buffer`). Its first contents
  /// are undefined. Times are in nanoseconds; blocks only where the element was told to by its property `block`.
  package func push(
    size: Int, pts: Int64?, duration: Int64? = nil, offset: UInt64, fill: (inout MutableRawSpan) -> Void
  ) -> PushResult {
    guard size >= 0, let buffer = unsafe Owned(adopting: gst_buffer_new_allocate(nil, gsize(size), nil)) else {
      return .refused
    }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer.pointer, &map, GST_MAP_WRITE) != 0 else { return .refused }
    var bytes = unsafe MutableRawSpan(_unsafeStart: map.data, byteCount: size)
    fill(&bytes)
    unsafe gst_buffer_unmap(buffer.pointer, &map)
    unsafe buffer.pointer.pointee.pts = AppSource.time(pts)
    unsafe buffer.pointer.pointee.duration = AppSource.time(duration)
    unsafe buffer.pointer.pointee.offset = guint64(offset)
    unsafe buffer.pointer.pointee.offset_end = guint64(offset &+ 1)
    return unsafe PushResult(gst_app_src_push_buffer(source, buffer.release()))
  }

  /// The same for bytes that the program has already.
  package func push(copying bytes: [UInt8], pts: Int64?, duration: Int64? = nil, offset: UInt64) -> PushResult {
    push(size: bytes.count, pts: pts, duration: duration, offset: offset) { target in
      unsafe target.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
    }
  }

  /// An encoded frame, with its bytes and what a muxer has to know of it; times in nanoseconds.
  package func push(
    encoded bytes: [UInt8], pts: Int64, dts: Int64, duration: Int64?, isKeyFrame: Bool
  ) -> PushResult {
    guard let buffer = unsafe gst_buffer_new_memdup(bytes, gsize(bytes.count)) else { return .refused }
    unsafe buffer.pointee.pts = AppSource.time(pts)
    unsafe buffer.pointee.dts = AppSource.time(dts)
    unsafe buffer.pointee.duration = AppSource.time(duration)
    if !isKeyFrame { unsafe buffer.pointee.mini_object.flags |= guint(GST_BUFFER_FLAG_DELTA_UNIT.rawValue) }
    return unsafe PushResult(gst_app_src_push_buffer(source, buffer))
  }

  /// Passes a frame of another pipeline on under times of this one, in nanoseconds; its bytes are not copied, and a
  /// duration that it has stays. Blocks
  /// where the element was told to by its property `block` and is full.
  package func push(_ sample: MediaSample, pts: Int64?, dts: Int64?, duration: Int64? = nil) -> PushResult {
    guard let buffer = unsafe sample.buffer(pts: pts, dts: dts, duration: duration) else { return .refused }
    return unsafe PushResult(gst_app_src_push_buffer(source, buffer))
  }

  /// Announces what the frames of another pipeline are (`gst_app_src_set_caps`).
  package func setCaps(of sample: MediaSample) {
    unsafe gst_app_src_set_caps(source, sample.capsPointer)
  }

  /// Pushed and not yet taken (`gst_app_src_get_current_level_buffers`).
  package var queuedBuffers: Int { unsafe Int(gst_app_src_get_current_level_buffers(source)) }

  /// Ends the stream behind what is queued (`gst_app_src_end_of_stream`).
  @discardableResult
  package func endOfStream() -> PushResult { unsafe PushResult(gst_app_src_end_of_stream(source)) }

  private var source: UnsafeMutablePointer<GstAppSrc> { unsafe recast(element.pointer) }

  private static func time(_ time: Int64?) -> GstClockTime {
    time.flatMap { GstClockTime(exactly: $0) } ?? capstan_no_time()
  }
}

package enum PushResult: Sendable, Hashable {
  case ok
  /// The pipeline is stopped or stopping.
  case flushing
  case endOfStream
  /// Downstream failed: the bus says why.
  case refused

  init(_ flow: GstFlowReturn) {
    switch flow {
    case GST_FLOW_OK: self = .ok
    case GST_FLOW_FLUSHING: self = .flushing
    case GST_FLOW_EOS: self = .endOfStream
    default: self = .refused
    }
  }
}
