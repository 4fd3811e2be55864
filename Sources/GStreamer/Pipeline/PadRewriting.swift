/// Changing what passes a pad (`gst_pad_add_probe`): the bytes of buffers, and the codec's record in caps.

import CGStreamer

extension Pad {
  /// Puts other bytes in the place of a buffer's; times, flags and meta stay. Buffers that others hold too are not
  /// touched: the new bytes are in a buffer of their own.
  /// - Parameters:
  ///   - concerns: whether to look into a buffer at all, by whether it is a key frame; its bytes are copied then.
  ///   - body: answers with `nil` where nothing is to change.
  @discardableResult
  package func rewriteBuffers(
    where concerns: @escaping @Sendable (_ isKeyFrame: Bool) -> Bool,
    _ body: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) -> PadObservation {
    let mask = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
    let rewriter = BufferRewriter(concerns: concerns, body: body)
    return unsafe observe(mask) { info in
      if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
        unsafe rewriter.rewriteList(info)
      } else if let buffer = unsafe gst_pad_probe_info_get_buffer(info),
        let rewritten = unsafe rewriter.rewritten(buffer)
      {
        unsafe gst_mini_object_unref(recast(buffer))
        unsafe capstan_set_probe_data(info, rewritten)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Is called for new caps, and may put another record in the place of their `codec_data`.
  /// - Parameter body: gets the record, where there is one; answers with `nil` where nothing is to change.
  @discardableResult
  package func rewriteCodecData(
    _ body: @escaping @Sendable (_ record: [UInt8]?) -> [UInt8]?
  ) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue) { info in
      guard let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_CAPS else {
        return GST_PAD_PROBE_OK
      }
      var caps: UnsafeMutablePointer<GstCaps>?
      unsafe gst_event_parse_caps(event, &caps)
      guard let caps = unsafe caps, let record = unsafe body(CodecData.read(caps)) else {
        return GST_PAD_PROBE_OK
      }
      guard let changed = unsafe CodecData.event(like: event, caps, record) else { return GST_PAD_PROBE_OK }
      unsafe gst_mini_object_unref(recast(event))
      unsafe capstan_set_probe_data(info, changed)
      return GST_PAD_PROBE_OK
    }
  }
}

private struct BufferRewriter: Sendable {
  let concerns: @Sendable (Bool) -> Bool
  let body: @Sendable ([UInt8]) -> [UInt8]?

  /// A new buffer; `nil` where the old one goes on.
  func rewritten(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer>? {
    let isDelta = unsafe buffer.pointee.mini_object.flags & guint(GST_BUFFER_FLAG_DELTA_UNIT.rawValue) != 0
    guard concerns(!isDelta), let bytes = unsafe body(bytes(of: buffer)) else { return nil }
    let copy = unsafe gst_buffer_new_memdup(bytes, gsize(bytes.count))
    let parts = [GST_BUFFER_COPY_FLAGS, GST_BUFFER_COPY_TIMESTAMPS, GST_BUFFER_COPY_META]
    let all = GstBufferCopyFlags(rawValue: parts.reduce(0) { $0 | $1.rawValue })
    guard let copy = unsafe copy else { return nil }
    guard unsafe gst_buffer_copy_into(copy, buffer, all, 0, .max) != 0 else {
      unsafe gst_mini_object_unref(recast(copy))
      return nil
    }
    return unsafe copy
  }

  func rewriteList(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let list = unsafe gst_pad_probe_info_get_buffer_list(info) else { return }
    var writable: OpaquePointer?
    for index in 0..<(unsafe gst_buffer_list_length(list)) {
      guard let buffer = unsafe gst_buffer_list_get(writable ?? list, index),
        let rewritten = unsafe rewritten(buffer)
      else { continue }
      if unsafe writable == nil {
        unsafe writable = OpaquePointer(gst_mini_object_make_writable(UnsafeMutablePointer<GstMiniObject>(list)))
        unsafe capstan_set_probe_data(info, UnsafeMutableRawPointer(writable))
      }
      unsafe gst_buffer_list_remove(writable, index, 1)
      unsafe gst_buffer_list_insert(writable, gint(index), rewritten)
    }
  }
}

/// Copies a buffer's bytes (`gst_buffer_extract`).
private func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
  let size = unsafe gst_buffer_get_size(buffer)
  return unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { room, count in
    count = unsafe Int(gst_buffer_extract(buffer, 0, room.baseAddress, size))
  }
}

/// The field `codec_data` of caps.
private enum CodecData {
  private static let field = "codec_data"

  static func read(_ caps: UnsafeMutablePointer<GstCaps>) -> [UInt8]? {
    guard let structure = unsafe gst_caps_get_structure(caps, 0),
      let value = unsafe gst_structure_get_value(structure, field),
      unsafe value.pointee.g_type == gst_buffer_get_type(), let boxed = unsafe g_value_get_boxed(value)
    else { return nil }
    return unsafe bytes(of: boxed.assumingMemoryBound(to: GstBuffer.self))
  }

  /// A caps event of the same number with another record.
  static func event(
    like event: UnsafeMutablePointer<GstEvent>, _ caps: UnsafeMutablePointer<GstCaps>, _ record: [UInt8]
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard let copy = unsafe Owned(adopting: gst_caps_copy(caps)) else { return nil }
    var value = GValue()
    unsafe g_value_init(&value, gst_buffer_get_type())
    unsafe g_value_take_boxed(&value, gst_buffer_new_memdup(record, gsize(record.count)))
    unsafe gst_caps_set_value(copy.pointer, field, &value)
    unsafe g_value_unset(&value)
    let changed = unsafe gst_event_new_caps(copy.pointer)
    if let changed = unsafe changed { unsafe gst_event_set_seqnum(changed, gst_event_get_seqnum(event)) }
    return unsafe changed
  }
}
