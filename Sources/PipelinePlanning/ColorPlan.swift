/// How the samples of a camera become the samples of a recording, with a tag that stays true at every step.

public import MediaFormats

public struct ColorPlan: Sendable, Hashable {
  /// What the decoded samples are, all four fields known.
  public var source: Colorimetry
  /// What the recording is tagged with, and is.
  public var target: Colorimetry
  public var steps: [ColorStep]
  /// What had to be decided because the driver does not say it.
  public var assumptions: [String]

  public init(source: Colorimetry, target: Colorimetry, steps: [ColorStep], assumptions: [String]) {
    self.source = source
    self.target = target
    self.steps = steps
    self.assumptions = assumptions
  }

  /// True where samples are computed anew, not merely labelled.
  public var convertsSamples: Bool {
    steps.contains { if case .tag = $0 { false } else { true } }
  }
}

public enum ColorStep: Sendable, Hashable {
  /// Says what the samples are; changes none.
  case tag(Colorimetry)
  /// Another layout, and for RGB another matrix; the range of YUV stays.
  case convert(PixelFormat, Colorimetry)
  /// From 16...235 to 0...255, exactly.
  case expandRange
  /// From 0...255 to 16...235, exactly.
  case compressRange
  /// Takes the last column or row away: 4:2:0 needs even sides.
  case crop(right: Int, bottom: Int)
}

extension ColorStep: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tag(let colorimetry): "tag \(colorimetry)"
    case .convert(let format, let colorimetry): "convert to \(format) \(colorimetry)"
    case .expandRange: "expand limited to full range"
    case .compressRange: "compress full to limited range"
    case .crop(let right, let bottom): "crop \(right) column(s) right and \(bottom) row(s) below, to even sides"
    }
  }
}
