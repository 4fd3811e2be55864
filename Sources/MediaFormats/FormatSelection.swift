/// The outcome of a choice among a camera's modes.

public enum FormatSelection: Sendable, Hashable {
  /// All that was asked.
  case exact(CaptureMode)
  /// The nearest mode, with everything in which it differs from the request.
  case adjusted(CaptureMode, [Deviation])
  /// Nothing fits: why, and the nearest modes, best first.
  case impossible(reason: String, nearest: [CaptureMode])

  public var mode: CaptureMode? {
    switch self {
    case .exact(let mode), .adjusted(let mode, _): mode
    case .impossible: nil
    }
  }

  public var deviations: [Deviation] {
    if case .adjusted(_, let deviations) = self { deviations } else { [] }
  }

  /// `exact`, `adjusted` or `impossible`.
  public var outcome: String {
    switch self {
    case .exact: "exact"
    case .adjusted: "adjusted"
    case .impossible: "impossible"
    }
  }
}

/// One point in which a mode is not what was asked.
public enum Deviation: Sendable, Hashable {
  case dimensions(asked: VideoDimensions, got: VideoDimensions)
  case frameRate(asked: Fraction, got: Fraction)
  /// The driver tells no rate: the asked one is tried.
  case frameRateUnknown(asked: Fraction)
  /// The camera has the other range only, so samples are converted.
  case range(asked: ColorRange, got: ColorRange)
  /// No colour mode fits.
  case monochrome
}

extension Deviation: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dimensions(let asked, let got): "size \(got) instead of \(asked)"
    case .frameRate(let asked, let got): "\(got.decimal) fps instead of \(asked.decimal)"
    case .frameRateUnknown(let asked): "the driver tells no rate, \(asked.decimal) fps is tried"
    case .range(let asked, let got): "the camera sends \(got.name) range, samples are converted to \(asked.name)"
    case .monochrome: "the picture is grey"
    }
  }
}
