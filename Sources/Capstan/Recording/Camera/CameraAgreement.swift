/// What a recording and its camera have agreed on.

import Synchronization

struct CameraAgreement: Sendable {
  var plan: RecordingPlan
  /// As the driver says, where that is not a rate it lists.
  var driverRate: Fraction?

  var rate: Fraction? { driverRate ?? plan.mode.frameRate }
  /// Nanoseconds; `nil` for an unknown rate.
  var period: Int64? { rate?.reciprocal.map { Int64(($0.value * 1e9).rounded()) } }
}

/// The agreement that holds now: a camera that gets another signal makes a new one necessary.
final class PresentAgreement: Sendable {
  private let state: Mutex<CameraAgreement>

  init(_ agreement: CameraAgreement) { state = Mutex(agreement) }

  var value: CameraAgreement { state.withLock { $0 } }
  var plan: RecordingPlan { value.plan }

  func replace(by agreement: CameraAgreement) { state.withLock { $0 = agreement } }
}
