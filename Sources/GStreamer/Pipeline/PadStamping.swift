/// What sources leave out or get wrong, mended as it passes: times of buffers, fields of caps.

import CGStreamer

extension Pad {
  /// Gives buffers that have no time the one at which they pass (`gst_element_get_current_running_time`).
  /// - Parameter pipeline: is not kept.
  @discardableResult
  package func stampBuffers(by pipeline: Pipeline) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_BUFFER.rawValue) { [weak pipeline] info in
      guard let buffer = unsafe gst_pad_probe_info_get_buffer(info), unsafe Int64(exactly: buffer.pointee.pts) == nil,
        unsafe Int64(exactly: buffer.pointee.dts) == nil, let time = pipeline?.runningTime
      else { return GST_PAD_PROBE_OK }
      guard let writable = unsafe gst_mini_object_make_writable(recast(buffer)) else { return GST_PAD_PROBE_OK }
      unsafe capstan_set_probe_data(info, writable)
      unsafe UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstBuffer.self).pointee.pts = GstClockTime(time)
      return GST_PAD_PROBE_OK
    }
  }

  /// Takes a field out of all caps that pass.
  @discardableResult
  package func dropCapsField(_ name: String) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue) { info in
      guard let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_CAPS else {
        return GST_PAD_PROBE_OK
      }
      var caps: UnsafeMutablePointer<GstCaps>?
      unsafe gst_event_parse_caps(event, &caps)
      guard let caps = unsafe caps, let copy = unsafe Owned(adopting: gst_caps_copy(caps)) else {
        return GST_PAD_PROBE_OK
      }
      unsafe gst_structure_remove_field(gst_caps_get_structure(copy.pointer, 0), name)
      guard let changed = unsafe gst_event_new_caps(copy.pointer) else { return GST_PAD_PROBE_OK }
      unsafe gst_event_set_seqnum(changed, gst_event_get_seqnum(event))
      unsafe gst_mini_object_unref(recast(event))
      unsafe capstan_set_probe_data(info, changed)
      return GST_PAD_PROBE_OK
    }
  }
}
