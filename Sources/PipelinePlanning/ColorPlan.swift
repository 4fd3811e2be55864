/// How the samples of a camera become the samples of a recording, with a tag that stays true at every step.

public import MediaFormats

public struct ColorPlan: Sendable, Hashable {
  /// What the decoded samples are, all four fields known.
  public var source: Colorimetry
  /// What the recording is tagged with, and is.
  public var target: Colorimetry
  public var steps: [ColorStep]
  /// The layout that the encoder gets.
  public var format: PixelFormat
  /// What had to be decided because the driver does not say it.
  public var assumptions: [String]

  public init(
    source: Colorimetry, target: Colorimetry, steps: [ColorStep], format: PixelFormat, assumptions: [String]
  ) {
    self.source = source
    self.target = target
    self.steps = steps
    self.format = format
    self.assumptions = assumptions
  }

  /// What a picture of this mode is when it comes to the encoder.
  func encodedSize(of mode: CaptureMode) -> VideoDimensions {
    steps.reduce(mode.dimensions) { size, step in
      guard case .crop(let right, let bottom) = step else { return size }
      return VideoDimensions(width: size.width - right, height: size.height - bottom)
    }
  }

  /// True where samples are computed anew, not merely labelled.
  public var convertsSamples: Bool {
    steps.contains { if case .tag = $0 { false } else { true } }
  }
}

public enum ColorStep: Sendable, Hashable {
  /// Says what the samples are; changes none.
  case tag(Colorimetry)
  /// Another layout or another matrix, and the range with the latter.
  case convert(PixelFormat, Colorimetry)
  /// The other range, exactly.
  case convertRange(RangeConversion)
  /// Takes the last column or row away: 4:2:0 needs even sides.
  case crop(right: Int, bottom: Int)
}

extension ColorStep: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tag(let colorimetry): "tag \(colorimetry)"
    case .convert(let format, let colorimetry): "convert to \(format) \(colorimetry)"
    case .convertRange(.expand): "expand limited to full range"
    case .convertRange(.compress): "compress full to limited range"
    case .crop(let right, let bottom): "crop \(right) column(s) right and \(bottom) row(s) below, to even sides"
    }
  }
}

/// Why an encoder cannot have the colour that is wished.
public enum ColorPlanningError: Error, Sendable, Hashable {
  /// It takes no pixel format of this chroma and depth.
  case noLayout(chroma: PixelFormat.Chroma, depth: Int)
  /// The range of samples of more than 8 bits is not converted.
  case rangeOfDeepSamples
}
