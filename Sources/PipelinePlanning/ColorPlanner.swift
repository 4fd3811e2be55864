/// Derives the colour steps of a recording from the mode and the wish: none where the camera's samples can stay as they
/// are, at most one conversion otherwise.

public import MediaFormats

public struct ColorPlanner: Sendable {
  /// Layouts that the encoder takes, the preferred one first.
  public let encoderFormats: [PixelFormat]

  public init(encoderFormats: [PixelFormat]) { self.encoderFormats = encoderFormats }

  public func plan(for mode: CaptureMode, _ wish: ColorWish = ColorWish()) throws(ColorPlanningError) -> ColorPlan {
    let formats = encoderFormats.filter { $0.chroma == wish.chroma && $0.depth == wish.depth }
    guard let preferred = formats.first else { throw .noLayout(chroma: wish.chroma, depth: wish.depth) }
    let decoded = ColorPlanner.decodedSamples(of: mode, wish)
    let source = SourceColor(mode, override: wish.source)
    let target = ColorPlanner.target(of: source.color, mode, decoded.format, wish)

    var steps = StepList(label: decoded.label)
    let format = formats.contains(decoded.format) ? decoded.format : preferred
    let changesMatrix = decoded.format.chroma == .rgb || target.matrix != source.color.matrix
    if changesMatrix || format != decoded.format {
      steps.tag(source.color)
      // With the matrix, or out of RGB, videoconvert computes the range anew; with the layout alone it does not.
      steps.convert(format, changesMatrix ? target : source.color)
    }
    if let crop = ColorPlanner.crop(mode.dimensions, wish.chroma) { steps.append(crop) }
    if !changesMatrix, target.range != source.color.range {
      guard wish.depth == 8 else { throw .rangeOfDeepSamples }
      steps.append(.convertRange(target.range == .full ? .expand : .compress))
    }
    steps.tag(target)
    return ColorPlan(
      source: source.color, target: target, steps: steps.steps, format: format, assumptions: source.assumptions)
  }

  /// Steps so far, and the label that the samples carry behind them.
  private struct StepList {
    var steps: [ColorStep] = []
    var label: Colorimetry

    init(label: Colorimetry) { self.label = label }

    mutating func append(_ step: ColorStep) { steps.append(step) }

    mutating func tag(_ colorimetry: Colorimetry) {
      if label != colorimetry { steps.append(.tag(colorimetry)) }
      label = colorimetry
    }

    mutating func convert(_ format: PixelFormat, _ colorimetry: Colorimetry) {
      steps.append(.convert(format, colorimetry))
      label = colorimetry
    }
  }

  /// What leaves the decoder: the layout, and the label that it carries there.
  private static func decodedSamples(
    of mode: CaptureMode, _ wish: ColorWish
  ) -> (format: PixelFormat, label: Colorimetry) {
    switch mode.format.payload {
    case .raw(let format): (format, mode.format.colorimetry)
    // jpegdec says full range and BT.601 whatever the camera said, and leaves the other two unknown. It gives 4:2:0
    // always: where more was asked for, a decoder stands in its place that gives what is in the picture.
    case .jpeg where wish.chroma == .yuv420: (.i420, Colorimetry(range: .full, matrix: .bt601))
    case .jpeg: (PixelFormat(named: "Y42B"), .unknown)
    default: (.i420, .unknown)
    }
  }

  /// RGB has no matrix of its own to keep. It gets the one that goes with the picture: BT.709's from 720 lines on,
  /// unless the driver says that the colours are those of standard definition.
  private static func target(
    of source: Colorimetry, _ mode: CaptureMode, _ decoded: PixelFormat, _ wish: ColorWish
  ) -> Colorimetry {
    var target = source
    target.range = wish.range ?? source.range
    if decoded.chroma == .rgb {
      let isStandardDefinition = mode.dimensions.height < 720 || source.primaries == .smpte170m
      target.matrix = isStandardDefinition ? .bt601 : .bt709
    }
    target.matrix = wish.matrix ?? target.matrix
    return target
  }

  /// Subsampled chroma needs even sides.
  private static func crop(_ dimensions: VideoDimensions, _ chroma: PixelFormat.Chroma) -> ColorStep? {
    let right = chroma == .yuv444 ? 0 : dimensions.width % 2
    let bottom = chroma == .yuv420 ? dimensions.height % 2 : 0
    return right + bottom == 0 ? nil : .crop(right: right, bottom: bottom)
  }
}
