/// Converting the range of the frames that pass a pad.

import CGStreamer
package import MediaFormats

extension Pad {
  /// Converts every raw frame of 8 bits from here on, in place; a frame that someone else holds too is copied first. The
  /// caps stay as they are: whoever asks for the conversion sets the new label behind it.
  ///
  /// Planar and semi-planar YUV and grey; frames of another layout are an error of the pad's element on the bus, for
  /// passing them on would give them a label that is not true.
  @discardableResult
  package func convertRange(_ conversion: RangeConversion) -> PadObservation {
    let converter = FrameRangeConverter(RangeConverter(conversion))
    let mask = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    return unsafe observe(mask) { info in
      if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
        guard let buffer = unsafe gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
        if let converted = unsafe converter.convert(buffer) { unsafe capstan_set_probe_data(info, converted) }
      } else if let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_CAPS {
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_event_parse_caps(event, &caps)
        if let caps = unsafe caps, unsafe !converter.setCaps(caps) { unsafe self.refuse(caps) }
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// `gst_element_message_full`.
  private func refuse(_ caps: UnsafeMutablePointer<GstCaps>) {
    guard let element = unsafe Owned(adopting: gst_pad_get_parent_element(pointer)) else { return }
    let layout = unsafe adopted(gst_caps_to_string(caps)) ?? ""
    unsafe gst_element_message_full(
      element.pointer, GST_MESSAGE_ERROR, gst_stream_error_quark(), Int32(GST_STREAM_ERROR_FORMAT.rawValue),
      g_strdup("The range of these frames cannot be converted."), g_strdup(layout), #file, #function, #line)
  }
}

/// Unchecked, because events and buffers of a pad come one after the other, under its stream lock.
@safe private final class FrameRangeConverter: @unchecked Sendable {
  private let converter: RangeConverter
  private var info: GstVideoInfo?

  init(_ converter: RangeConverter) { self.converter = converter }

  /// - Returns: false for frames that cannot be converted.
  func setCaps(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    var read = unsafe GstVideoInfo()
    let isVideo = unsafe gst_video_info_from_caps(&read, caps) != 0
    let isConvertible = unsafe isVideo && capstan_has_planes_of_bytes(&read)
    unsafe info = isConvertible ? read : nil
    return isConvertible
  }

  /// - Returns: the buffer to pass on; `nil` where it could not be mapped.
  func convert(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer>? {
    guard var info = unsafe info,
      let mine = unsafe gst_mini_object_make_writable(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
    else { return nil }
    let writable = unsafe UnsafeMutablePointer<GstBuffer>(OpaquePointer(mine))
    var frame = unsafe GstVideoFrame()
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_video_frame_map(&frame, &info, writable, access) != 0 else { return unsafe writable }
    let count = unsafe capstan_frame_planes(&frame)
    for place in 0..<count {
      let plane = unsafe capstan_frame_plane(&frame, place)
      guard let bytes = unsafe plane.bytes else { continue }
      let samples = unsafe SamplePlane(
        bytes: bytes, width: Int(plane.width), height: Int(plane.height), stride: Int(plane.stride))
      unsafe converter.convert(samples, plane.is_luma ? .luma : .chroma)
    }
    unsafe gst_video_frame_unmap(&frame)
    return unsafe writable
  }
}
