/// How many buffers a source sets aside, which downstream tells it (`GST_QUERY_ALLOCATION`).

import CGStreamer

extension Pad {
  /// Makes the source behind this pad ask for at least as many buffers beside its own few. v4l2src then has that many
  /// more queued in the driver, so that a busy machine may keep it waiting longer before the camera loses a frame.
  ///
  /// Adds to what downstream has answered; the size of each buffer stays the source's.
  /// - Parameter asked: called on a streaming thread each time, as a source does it with each start and each negotiation.
  @discardableResult
  package func requireBuffers(atLeast count: Int, asked: @escaping @Sendable () -> Void = {}) -> PadObservation {
    let afterTheAnswer = GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_PULL.rawValue
    return unsafe observe(afterTheAnswer) { info in
      guard let query = unsafe gst_pad_probe_info_get_query(info),
        unsafe query.pointee.type == GST_QUERY_ALLOCATION
      else { return GST_PAD_PROBE_OK }
      asked()
      if unsafe gst_query_get_n_allocation_pools(query) == 0 {
        unsafe gst_query_add_allocation_pool(query, nil, 0, guint(clamping: count), 0)
        return GST_PAD_PROBE_OK
      }
      var (size, least, most): (guint, guint, guint) = (0, 0, 0)
      unsafe gst_query_parse_nth_allocation_pool(query, 0, nil, &size, &least, &most)
      unsafe gst_query_set_nth_allocation_pool(query, 0, nil, size, max(least, guint(clamping: count)), 0)
      return GST_PAD_PROBE_OK
    }
  }

  /// Replaces buffers that pass by copies while `isNeeded` says so (`gst_buffer_copy_deep`), and gives the originals
  /// back to whoever owns them: a driver that waits for its buffers loses frames.
  @discardableResult
  package func copyBuffers(while isNeeded: @escaping @Sendable () -> Bool) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_BUFFER.rawValue) { info in
      guard isNeeded(), let buffer = unsafe gst_pad_probe_info_get_buffer(info),
        let copy = unsafe gst_buffer_copy_deep(buffer)
      else { return GST_PAD_PROBE_OK }
      unsafe capstan_set_probe_data(info, copy)
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
      return GST_PAD_PROBE_OK
    }
  }
}
