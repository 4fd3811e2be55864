/// Ending a stream at its sources.

import CGStreamer

extension Element {
  /// Ends the stream where this element is a source, or at all the sources of a bin (`gst_element_send_event`).
  ///
  /// Each source is told by itself: a bin that is told holds its state lock meanwhile, and where it is still on its way
  /// to playing, the sink that waits for that and the source that waits for the sink then wait for ever. Blocks while
  /// a sink is paused with a full stream behind it.
  @discardableResult
  package func sendEndOfStream() -> Bool {
    let sources = sources
    if sources.isEmpty { return unsafe gst_element_send_event(pointer, gst_event_new_eos()) != 0 }
    return sources.map { $0.sendEndOfStream() }.allSatisfy { $0 }
  }

  /// The sources in a bin, bins that hold one included (`gst_bin_iterate_sources`); empty for any other element.
  private var sources: [Element] {
    guard let iterator = unsafe capstan_bin_sources(pointer) else { return [] }
    defer { unsafe gst_iterator_free(iterator) }
    var found: [Element] = []
    let collect: GstIteratorForeachFunction = { value, found in
      guard let object = unsafe g_value_get_object(value), let found = unsafe found else { return }
      let element = unsafe Element(Owned(retaining: object.assumingMemoryBound(to: GstElement.self)))
      unsafe found.assumingMemoryBound(to: [Element].self).pointee.append(element)
    }
    unsafe withUnsafeMutablePointer(to: &found) { list in
      while unsafe gst_iterator_foreach(iterator, collect, list) == GST_ITERATOR_RESYNC {
        unsafe list.pointee = []  // The bin changed under the iterator.
        unsafe gst_iterator_resync(iterator)
      }
    }
    return found
  }
}
