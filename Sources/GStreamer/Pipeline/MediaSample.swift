/// A frame between two pipelines, kept by reference: its bytes are not copied.

import CGStreamer
package import MediaFormats

@safe package final class MediaSample: Sendable {
  private let buffer: Owned<GstBuffer>
  private let ownedCaps: Owned<GstCaps>
  /// Nanoseconds since the pipeline that made it began to play, pauses left out; negative where a decoder starts
  /// before the first picture is shown (`gst_segment_to_running_time_full`).
  package let pts: Int64?
  package let dts: Int64?
  package let duration: Int64?
  /// In bytes.
  package let size: Int
  /// Can be decoded by itself.
  package let isKeyFrame: Bool

  /// - Parameter sample: a `GstSample`, which is only read.
  init?(reading sample: OpaquePointer) {
    guard let buffer = unsafe gst_sample_get_buffer(sample), let caps = unsafe gst_sample_get_caps(sample) else {
      return nil
    }
    let segment = unsafe gst_sample_get_segment(sample)
    let raw = unsafe buffer.pointee
    pts = unsafe MediaSample.runningTime(raw.pts, segment)
    dts = unsafe MediaSample.runningTime(raw.dts, segment)
    duration = unsafe Int64(exactly: raw.duration)
    size = unsafe Int(gst_buffer_get_size(buffer))
    isKeyFrame = unsafe raw.mini_object.flags & guint(GST_BUFFER_FLAG_DELTA_UNIT.rawValue) == 0
    unsafe self.buffer = Owned(retaining: buffer)
    unsafe ownedCaps = Owned(retaining: caps)
  }

  private init(_ other: MediaSample, buffer: consuming Owned<GstBuffer>) {
    unsafe self.buffer = buffer
    unsafe ownedCaps = Owned(retaining: other.ownedCaps.pointer)
    (pts, dts, duration, size, isKeyFrame) = (other.pts, other.dts, other.duration, other.size, other.isKeyFrame)
  }

  /// The same frame in memory of its own (`gst_buffer_copy_deep`): what was lent for this one can go back to its pool.
  package func copied() -> MediaSample? {
    guard let copy = unsafe Owned(adopting: gst_buffer_copy_deep(buffer.pointer)) else { return nil }
    return unsafe MediaSample(self, buffer: copy)
  }

  /// What the bytes are.
  package var caps: Caps { unsafe Caps(copying: ownedCaps.pointer) }

  /// True where both are frames of one stream, parameter sets included (`gst_caps_is_equal`).
  package func hasCaps(of other: MediaSample) -> Bool {
    unsafe ownedCaps.pointer == other.ownedCaps.pointer
      || gst_caps_is_equal(ownedCaps.pointer, other.ownedCaps.pointer) != 0
  }

  /// True where a file can go on with this frame behind the other: all that a decoder has to know is the same. Rates in
  /// caps are what a source promises, and no file is bound to them.
  package func continues(_ other: MediaSample) -> Bool {
    hasCaps(of: other) || parameters == other.parameters
  }

  private var parameters: String? {
    guard let copy = unsafe Owned(adopting: gst_caps_copy(ownedCaps.pointer)) else { return nil }
    unsafe gst_structure_remove_field(gst_caps_get_structure(copy.pointer, 0), "framerate")
    return unsafe adopted(gst_caps_to_string(copy.pointer))
  }

  /// Luma of a raw picture, by its upper 8 bits, on a grid of at most so many points; `nil` where it is no such picture.
  package func luma(points: Int) -> [UInt8]? {
    unsafe LumaGrid(points: points).codes(of: buffer.pointer, caps: ownedCaps.pointer)
  }

  var capsPointer: UnsafeMutablePointer<GstCaps> { unsafe ownedCaps.pointer }

  /// The same bytes under other times (`gst_buffer_copy_region`, which shares the memory).
  func buffer(pts: Int64?, dts: Int64?, duration: Int64?) -> UnsafeMutablePointer<GstBuffer>? {
    let parts = [GST_BUFFER_COPY_FLAGS, GST_BUFFER_COPY_TIMESTAMPS, GST_BUFFER_COPY_META, GST_BUFFER_COPY_MEMORY]
    let all = GstBufferCopyFlags(rawValue: parts.reduce(0) { $0 | $1.rawValue })
    guard let copy = unsafe gst_buffer_copy_region(buffer.pointer, all, 0, .max) else { return nil }
    unsafe copy.pointee.pts = pts.flatMap { GstClockTime(exactly: $0) } ?? capstan_no_time()
    unsafe copy.pointee.dts = dts.flatMap { GstClockTime(exactly: $0) } ?? capstan_no_time()
    if self.duration == nil, let duration { unsafe copy.pointee.duration = GstClockTime(clamping: duration) }
    return unsafe copy
  }

  private static func runningTime(_ time: GstClockTime, _ segment: UnsafePointer<GstSegment>?) -> Int64? {
    guard let time = Int64(exactly: time) else { return nil }
    guard let segment = unsafe segment, unsafe segment.pointee.format == GST_FORMAT_TIME else { return time }
    var running: guint64 = 0
    let sign = unsafe gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, guint64(time), &running)
    return sign == 0 ? nil : Int64(clamping: running) * Int64(sign)
  }
}
