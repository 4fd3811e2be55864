/// Exchanging an element of a running pipeline between two buffers, so that nothing is lost and nothing comes twice.

import CGStreamer
import Dispatch
import Synchronization

extension Pipeline {
  /// Lets another element take over from one with a single sink and a single source pad, as an encoder has. The first
  /// gives out everything that it holds before the second gets its first buffer; whoever watches the pads on either
  /// side sees one stream go on.
  ///
  /// Blocks until it is done: until the next buffer comes, and while the first element empties itself. Never call it
  /// from the cooperative pool's threads or from a callback of the pipeline.
  /// - Parameters:
  ///   - new: in no pipeline yet; under a name of its own.
  ///   - patience: how long to wait for the next buffer.
  /// - Throws: the pipeline is then as it was before.
  package func replace(
    _ old: Element, by new: Element, patience: Duration = .seconds(2)
  ) throws(ReplacementError) {
    guard let before = old.pad("sink")?.peer, let after = old.pad("src")?.peer, let entry = old.pad("sink"),
      let exit = old.pad("src"), let newEntry = new.pad("sink"), let newExit = new.pad("src")
    else { throw .notInAChain(old.name) }
    do { try add(new) } catch { throw .refused("\(error)") }
    guard new.followParentState() else {
      discard(new)
      throw .refused("\(new.label) could not follow the pipeline's state; the first error on its bus says why.")
    }
    let gate = PadBlock(before)
    defer { gate.open() }
    guard gate.waitUntilClosed(patience) else {
      discard(new)
      throw .noBuffer
    }
    let drain = exit.dropEndOfStream()
    _ = entry.sendEndOfStream()
    drain.remove()
    before.unlink(from: entry)
    exit.unlink(from: after)
    discard(old)
    do {
      try newExit.link(to: after)
      try before.link(to: newEntry, reconfigures: false)
    } catch {
      throw .refused("\(error)")
    }
  }

  private func discard(_ element: Element) {
    element.setStateLocked(true)
    _ = try? element.setState(.null)
    remove(element)
  }
}

/// Why an element was not exchanged.
package enum ReplacementError: Error, Sendable, Hashable {
  /// It has not one linked pad on either side.
  case notInAChain(String)
  /// Nothing flows.
  case noBuffer
  case refused(String)
}

extension ReplacementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notInAChain(let name): "\(name) does not stand between two elements, so nothing can take its place."
    case .noBuffer: "No buffer came, so there was no place between two of them."
    case .refused(let reason): reason
    }
  }
}

extension Pad {
  /// Keeps the end of the stream from going on; it says that the element behind this source pad is empty.
  fileprivate func dropEndOfStream() -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue) { info in
      guard let event = unsafe gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      return unsafe event.pointee.type == GST_EVENT_EOS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }
}

/// Holds a source pad's thread at the next buffer (`GST_PAD_PROBE_TYPE_BLOCK`); events go on.
private final class PadBlock: Sendable {
  private let observation: PadObservation
  private let closed: DispatchSemaphore

  init(_ pad: Pad) {
    let closed = DispatchSemaphore(value: 0)
    self.closed = closed
    let buffers = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
    unsafe observation = pad.observe(GST_PAD_PROBE_TYPE_BLOCK.rawValue | buffers) { _ in
      closed.signal()
      return GST_PAD_PROBE_OK
    }
  }

  func waitUntilClosed(_ patience: Duration) -> Bool {
    closed.wait(timeout: .now() + .nanoseconds(Int(clamping: patience.nanoseconds))) == .success
  }

  func open() { observation.remove() }
}
