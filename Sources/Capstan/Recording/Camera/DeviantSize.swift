/// Notices pictures of another size than was agreed.

import GStreamer
import Synchronization

/// A driver may deliver another size than it agreed to, and a JPEG carries its own.
final class DeviantSize: Sendable {
  private struct State {
    var plan: RecordingPlan
    var size: VideoDimensions?
  }

  private let state: Mutex<State>
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: called on a streaming thread with what the user should know.
  init(plan: RecordingPlan, warn: @escaping @Sendable (String) -> Void) {
    state = Mutex(State(plan: plan))
    self.warn = warn
  }

  /// The camera goes on in another mode, and its size is measured by that.
  func follow(_ plan: RecordingPlan) { state.withLock { $0.plan = plan } }

  /// That the encoder really gets, where it is not the planned one.
  var dimensions: VideoDimensions? { state.withLock(\.size) }

  func encoderGets(_ caps: Caps) {
    guard let row = CapsFlattener().flatten(caps).first else { return }
    let size = row.dimensions.largest
    // Another encoder is given the same caps again.
    let (plan, isKnown) = state.withLock { state in
      defer { if size != state.plan.dimensions || state.size != nil { state.size = size } }
      return (state.plan, state.size == size)
    }
    guard size != plan.dimensions else { return }
    // Filters may change it on purpose.
    if isKnown || !plan.preset.filters.isEmpty { return }
    warn("The camera delivers \(size) although it agreed to \(plan.dimensions).")
  }
}
