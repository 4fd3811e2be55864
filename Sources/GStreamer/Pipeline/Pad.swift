/// Where an element takes or gives data.

import CGStreamer
package import MediaFormats

@safe package final class Pad: Sendable {
  private let owned: Owned<GstPad>

  init(_ owned: consuming Owned<GstPad>) { unsafe self.owned = owned }

  var pointer: UnsafeMutablePointer<GstPad> { unsafe owned.pointer }

  /// `gst_object_get_name`.
  package var name: String { unsafe adopted(gst_object_get_name(recast(pointer))) ?? "" }

  /// Names of the element and the pad, as `mux.video_0`.
  package var path: String {
    guard let parent = unsafe Owned(adopting: gst_pad_get_parent_element(pointer)) else { return name }
    return unsafe (adopted(gst_object_get_name(recast(parent.pointer))) ?? "") + "." + name
  }

  /// What has been agreed on; `nil` before that (`gst_pad_get_current_caps`).
  package var currentCaps: Caps? {
    guard let caps = unsafe Owned(adopting: gst_pad_get_current_caps(pointer)) else { return nil }
    return unsafe Caps(copying: caps.pointer)
  }

  /// All that is possible now (`gst_pad_query_caps`). May ask a device, so it can block.
  package func queryCaps() -> Caps {
    guard let caps = unsafe Owned(adopting: gst_pad_query_caps(pointer, nil)) else { return Caps() }
    return unsafe Caps(copying: caps.pointer)
  }

  /// The pad at the other end of the link (`gst_pad_get_peer`).
  package var peer: Pad? {
    guard let peer = unsafe Owned(adopting: gst_pad_get_peer(pointer)) else { return nil }
    return unsafe Pad(peer)
  }

  /// Ends the stream at this sink pad, from any thread, even while a source upstream gives nothing
  /// (`gst_pad_send_event`). Waits for a buffer that is passing the pad at the moment.
  package func sendEndOfStream() -> Bool { unsafe gst_pad_send_event(pointer, gst_event_new_eos()) != 0 }

  /// Links this source pad to a sink pad (`gst_pad_link_full`).
  /// - Parameter reconfigures: whether everything upstream agrees anew on caps and buffers with its next buffer. A source
  ///   that does so before a queue waits until the queue is empty.
  package func link(to sink: Pad, reconfigures: Bool = true) throws(LinkError) {
    let silent = reconfigures ? 0 : GST_PAD_LINK_CHECK_NO_RECONFIGURE.rawValue
    let checks = GST_PAD_LINK_CHECK_CAPS.rawValue | GST_PAD_LINK_CHECK_HIERARCHY.rawValue | silent
    let outcome = unsafe gst_pad_link_full(pointer, sink.pointer, GstPadLinkCheck(rawValue: checks))
    guard outcome == GST_PAD_LINK_OK else {
      throw LinkError(from: path, fromCaps: queryCaps(), to: sink.path, toCaps: sink.queryCaps())
    }
  }

  /// Undoes `link(to:)` (`gst_pad_unlink`).
  @discardableResult
  package func unlink(from sink: Pad) -> Bool { unsafe gst_pad_unlink(pointer, sink.pointer) != 0 }
}

extension Element {
  /// A pad that is there already (`gst_element_get_static_pad`).
  package func pad(_ name: String) -> Pad? {
    guard let pad = unsafe Owned(adopting: gst_element_get_static_pad(pointer, name)) else { return nil }
    return unsafe Pad(pad)
  }

  /// A new pad from a template such as `video_%u` (`gst_element_request_pad_simple`).
  package func requestPad(_ template: String) -> Pad? {
    guard let pad = unsafe Owned(adopting: gst_element_request_pad_simple(pointer, template)) else { return nil }
    return unsafe Pad(pad)
  }

  /// Gives a requested pad back (`gst_element_release_request_pad`).
  package func releasePad(_ pad: Pad) { unsafe gst_element_release_request_pad(pointer, pad.pointer) }

  /// The first pad of a direction, `nil` where there is none yet.
  package func firstPad(_ direction: PadDirection) -> Pad? {
    for name in padNames(direction) {
      if let pad = pad(name) { return pad }
    }
    return nil
  }

  /// Names of the pads there are now (`gst_element_foreach_src_pad`, `gst_element_foreach_sink_pad`).
  package func padNames(_ direction: PadDirection) -> [String] {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { list in
      let collect: GstElementForeachPadFunc = { _, pad, list in
        guard let pad = unsafe pad, let list = unsafe list else { return 0 }
        unsafe list.assumingMemoryBound(to: [String].self).pointee.append(
          adopted(gst_object_get_name(recast(pad))) ?? "")
        return 1
      }
      switch direction {
      case .source: _ = unsafe gst_element_foreach_src_pad(pointer, collect, list)
      case .sink: _ = unsafe gst_element_foreach_sink_pad(pointer, collect, list)
      }
    }
    return names
  }

  /// Whether it has such pads, or gives them on request (`gst_element_get_pad_template`).
  package func hasTemplate(_ direction: PadDirection, named name: String) -> Bool {
    guard let template = unsafe gst_element_get_pad_template(pointer, name) else { return false }
    return unsafe template.pointee.direction == direction.raw
  }

  /// What an element may have of its own accord or on request, by direction (`gst_element_get_pad_template_list`).
  func templateCaps(_ direction: PadDirection, name: String?) -> Caps {
    var templates = unsafe gst_element_get_pad_template_list(pointer)
    while let node = unsafe templates {
      unsafe templates = node.pointee.next
      guard let data = unsafe node.pointee.data else { continue }
      let template = unsafe data.assumingMemoryBound(to: GstPadTemplate.self)
      guard unsafe template.pointee.direction == direction.raw else { continue }
      let pattern = unsafe copied(template.pointee.name_template) ?? ""
      guard name.map({ Element.template(pattern, fits: $0) }) ?? true else { continue }
      guard let caps = unsafe Owned(adopting: gst_pad_template_get_caps(template)) else { continue }
      return unsafe Caps(copying: caps.pointer)
    }
    return Caps()
  }

  /// `video_%u` fits itself and `video_0`.
  private static func template(_ pattern: String, fits name: String) -> Bool {
    let stem = pattern.prefix { $0 != "%" }
    return pattern == name || (stem.count < pattern.count && name.hasPrefix(stem))
  }
}

package enum PadDirection: Sendable, Hashable {
  case source, sink

  var raw: GstPadDirection { self == .source ? GST_PAD_SRC : GST_PAD_SINK }
}
