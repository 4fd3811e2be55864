/// Elements that run together on one clock, with one bus.

import CGStreamer
package import MediaFormats

@safe package final class Pipeline: Sendable {
  private let owned: Owned<GstElement>
  package let bus: Bus
  /// The pipeline as an element: for its state, and to look for elements by name.
  package let element: Element

  /// `gst_pipeline_new`.
  package init(name: String? = nil) throws(ElementError) {
    do throws(RuntimeError) { try GStreamerRuntime.initialize() } catch { throw .runtime(error) }
    guard let made = unsafe gst_pipeline_new(name), let bus = unsafe gst_element_get_bus(made) else {
      throw .missing(factory: "pipeline", package: "libgstreamer1.0-0")
    }
    unsafe owned = GstElement.sinking(made)
    unsafe self.bus = Bus(adopting: bus)
    unsafe element = Element(Owned(retaining: made))
  }

  /// Stops what still runs (`gst_element_set_state` to NULL), which can block as `setState` does: let the last
  /// reference go elsewhere than in a callback of the pipeline.
  deinit {
    var (current, pending) = (GST_STATE_NULL, GST_STATE_NULL)
    unsafe gst_element_get_state(owned.pointer, &current, &pending, 0)
    if current != GST_STATE_NULL || pending != GST_STATE_VOID_PENDING {
      unsafe gst_element_set_state(owned.pointer, GST_STATE_NULL)
    }
    bus.close()
  }

  package var name: String { element.name }

  /// Takes an element in (`gst_bin_add`); a second one of the same name is refused.
  package func add(_ element: Element) throws(PipelineError) {
    guard unsafe capstan_bin_add(owned.pointer, element.pointer) != 0 else {
      throw PipelineError(pipeline: name, element: element.name)
    }
  }

  package func add(_ elements: [Element]) throws(PipelineError) {
    for element in elements { try add(element) }
  }

  /// Lets an element go (`gst_bin_remove`); its links go with it. Set it to `.null` first or after.
  @discardableResult
  package func remove(_ element: Element) -> Bool {
    unsafe capstan_bin_remove(owned.pointer, element.pointer) != 0
  }

  /// Links two elements (`gst_element_link_pads_full`). `nil` takes the first pads that fit, and pads of a template
  /// are requested.
  package func link(
    _ from: Element, pad: String? = nil, to: Element, pad sinkPad: String? = nil
  ) throws(LinkError) {
    let flags = GST_PAD_LINK_CHECK_CAPS.rawValue | GST_PAD_LINK_CHECK_HIERARCHY.rawValue
    guard
      unsafe gst_element_link_pads_full(
        from.pointer, pad, to.pointer, sinkPad, GstPadLinkCheck(rawValue: flags)) != 0
    else { throw LinkError(from, pad, to, sinkPad) }
  }

  /// Links each to the next by the first pads that fit.
  package func link(chain elements: [Element]) throws(LinkError) {
    for (from, to) in zip(elements, elements.dropFirst()) { try link(from, to: to) }
  }

  /// Asks for a state and says how far it got; see `Element.setState(_:)` for what it blocks.
  @discardableResult
  package func setState(_ state: PipelineState) throws(StateChangeError) -> StateChangeResult {
    try element.setState(state)
  }

  @discardableResult
  package func waitForState(timeout: Duration?) throws(StateChangeError) -> StateChangeResult {
    try element.waitForState(timeout: timeout)
  }

  package var state: PipelineState { element.state }

  /// Asks every source to end, as `Element.sendEndOfStream()` does. A source that hangs in its driver does not pass it on: send
  /// it to the pad behind the source then. `.endOfStream` on the bus says that all is written.
  @discardableResult
  package func sendEndOfStream() -> Bool { element.sendEndOfStream() }

  /// The answer to `.latency` (`gst_bin_recalculate_latency`).
  @discardableResult
  package func recalculateLatency() -> Bool { unsafe gst_bin_recalculate_latency(recast(owned.pointer)) != 0 }

  /// Nanoseconds since the pipeline began to play, pauses left out; `nil` while it has no clock
  /// (`gst_element_get_current_running_time`).
  package var runningTime: Int64? { unsafe Int64(exactly: gst_element_get_current_running_time(owned.pointer)) }

  /// The element of that name, at any depth (`gst_bin_get_by_name`).
  package func element(named name: String) -> Element? { element.child(named: name) }
}

extension Element {
  /// The element of that name in this bin, at any depth (`gst_bin_get_by_name`).
  package func child(named name: String) -> Element? {
    guard let child = unsafe Owned(adopting: capstan_bin_child(pointer, name)) else { return nil }
    return unsafe Element(child)
  }
}

/// An element that a pipeline would not take.
package struct PipelineError: Error, Sendable, Hashable, CustomStringConvertible {
  package let pipeline: String
  package let element: String

  package var description: String {
    "\(element) cannot be added to \(pipeline): it is in a pipeline already, or another element has its name."
  }
}

/// Two pads that cannot be linked, with what each of them could carry.
package struct LinkError: Error, Sendable, Hashable, CustomStringConvertible {
  package let from: String
  package let fromCaps: Caps
  package let to: String
  package let toCaps: Caps

  package var description: String {
    "\(from) cannot be linked to \(to): the first gives \(fromCaps), the second takes \(toCaps)."
  }
}

extension LinkError {
  init(_ from: Element, _ pad: String?, _ to: Element, _ sinkPad: String?) {
    let source = pad.map { from.pad($0) } ?? from.firstPad(.source)
    let sink = sinkPad.map { to.pad($0) } ?? to.firstPad(.sink)
    self.init(
      from: "\(from.name).\(source?.name ?? pad ?? "(no source pad)")",
      fromCaps: source?.queryCaps() ?? from.templateCaps(.source, name: pad),
      to: "\(to.name).\(sink?.name ?? sinkPad ?? "(no sink pad)")",
      toCaps: sink?.queryCaps() ?? to.templateCaps(.sink, name: sinkPad))
  }
}
