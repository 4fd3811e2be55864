/// States of elements and pipelines, and what became of a change.

import CGStreamer

package enum PipelineState: String, Sendable, Hashable, CaseIterable {
  case null, ready, paused, playing

  init(_ state: GstState) {
    switch state {
    case GST_STATE_READY: self = .ready
    case GST_STATE_PAUSED: self = .paused
    case GST_STATE_PLAYING: self = .playing
    default: self = .null
    }
  }

  var raw: GstState {
    switch self {
    case .null: GST_STATE_NULL
    case .ready: GST_STATE_READY
    case .paused: GST_STATE_PAUSED
    case .playing: GST_STATE_PLAYING
    }
  }
}

package enum StateChangeResult: Sendable, Hashable {
  case success
  /// On its way: `asyncDone` or an error follows on the bus.
  case async
  /// Done, but a live source gives nothing until it plays.
  case noPreroll
}

/// An element refused a state; the cause is the first error on the bus.
package struct StateChangeError: Error, Sendable, Hashable, CustomStringConvertible {
  package let element: String
  package let state: PipelineState

  package var description: String {
    "\(element) could not go to \(state.rawValue); the first error on its bus says why."
  }
}

extension Element {
  /// Asks for a state (`gst_element_set_state`). Blocks for as long as the elements take to start or stop, a device
  /// included: never call it from the cooperative pool's threads or from a callback of the pipeline.
  @discardableResult
  package func setState(_ state: PipelineState) throws(StateChangeError) -> StateChangeResult {
    try unsafe result(gst_element_set_state(pointer, state.raw), state)
  }

  /// Waits for a change under way (`gst_element_get_state`); `.async` where it is not done in time. `nil` waits on.
  @discardableResult
  package func waitForState(timeout: Duration?) throws(StateChangeError) -> StateChangeResult {
    var (current, pending) = (GST_STATE_NULL, GST_STATE_NULL)
    let limit = timeout.map { GstClockTime($0.nanoseconds) } ?? capstan_no_time()
    let outcome = unsafe gst_element_get_state(pointer, &current, &pending, limit)
    return try result(outcome, PipelineState(pending == GST_STATE_VOID_PENDING ? current : pending))
  }

  /// Where the element is now, without waiting (`gst_element_get_state`).
  package var state: PipelineState {
    var current = GST_STATE_NULL
    unsafe gst_element_get_state(pointer, &current, nil, 0)
    return PipelineState(current)
  }

  /// Follows the bin the element was added to (`gst_element_sync_state_with_parent`).
  @discardableResult
  package func followParentState() -> Bool { unsafe gst_element_sync_state_with_parent(pointer) != 0 }

  /// Keeps the element out of its bin's changes (`gst_element_set_locked_state`).
  package func setStateLocked(_ isLocked: Bool) { unsafe gst_element_set_locked_state(pointer, isLocked ? 1 : 0) }

  private func result(
    _ outcome: GstStateChangeReturn, _ state: PipelineState
  ) throws(StateChangeError) -> StateChangeResult {
    switch outcome {
    case GST_STATE_CHANGE_SUCCESS: return .success
    case GST_STATE_CHANGE_ASYNC: return .async
    case GST_STATE_CHANGE_NO_PREROLL: return .noPreroll
    default: throw StateChangeError(element: label, state: state)
    }
  }
}

extension Duration {
  /// Clamped to what a clock time can hold.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return whole.overflow ? .max - 1 : whole.partialValue + UInt64(attoseconds / 1_000_000_000)
  }
}
