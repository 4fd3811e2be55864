/// Notices pictures of another size than was agreed.

import GStreamer
import Synchronization

/// A driver may deliver another size than it agreed to, and a JPEG carries its own.
final class DeviantSize: Sendable {
  private let plan: RecordingPlan
  private let size = Mutex<VideoDimensions?>(nil)
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: called on a streaming thread with what the user should know.
  init(plan: RecordingPlan, warn: @escaping @Sendable (String) -> Void) {
    self.plan = plan
    self.warn = warn
  }

  /// That the encoder really gets, where it is not the planned one.
  var dimensions: VideoDimensions? { size.withLock { $0 } }

  func encoderGets(_ caps: Caps) {
    guard let row = CapsFlattener().flatten(caps).first else { return }
    let size = row.dimensions.largest
    guard size != plan.dimensions else { return }
    // Another encoder is given the same caps again.
    let isKnown = self.size.withLock { known in
      defer { known = size }
      return known == size
    }
    // Filters may change it on purpose.
    if isKnown || !plan.preset.filters.isEmpty { return }
    warn("The camera delivers \(size) although it agreed to \(plan.dimensions).")
  }
}
