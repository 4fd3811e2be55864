/// Derives the colour steps of a recording from the mode and the wished range: none where the camera's samples can
/// stay as they are, at most one conversion otherwise.

public import MediaFormats

public struct ColorPlanner: Sendable {
  /// Layouts that the encoder takes, the preferred one first; all 4:2:0 of 8 bits, which plays everywhere.
  public let encoderFormats: [PixelFormat]

  public init(encoderFormats: [PixelFormat]) { self.encoderFormats = encoderFormats }

  /// - Parameter range: the wish; `nil` keeps the camera's.
  public func plan(for mode: CaptureMode, range: ColorRange?) -> ColorPlan {
    var assumptions: [String] = []
    let decoded = decodedSamples(of: mode)
    let source = ColorPlanner.completed(mode, assumptions: &assumptions)
    var target = source
    target.range = range ?? source.range
    if decoded.format.chroma == .rgb { target = rgbTarget(of: source, mode, range: range) }

    var steps: [ColorStep] = []
    var label = decoded.label
    let crop = ColorPlanner.crop(mode.dimensions)
    let needsConversion = !encoderFormats.contains(decoded.format)
    if needsConversion {
      if label != source { steps.append(.tag(source)) }
      let converted = decoded.format.chroma == .rgb ? target : source
      steps.append(.convert(encoderFormats.first ?? .i420, converted))
      label = converted
    }
    if let crop { steps.append(crop) }
    if decoded.format.chroma != .rgb, target.range != source.range {
      steps.append(target.range == .full ? .expandRange : .compressRange)
    }
    if label != target { steps.append(.tag(target)) }
    return ColorPlan(source: source, target: target, steps: steps, assumptions: assumptions)
  }

  /// What leaves the decoder: the layout, and the label that it carries there.
  private func decodedSamples(of mode: CaptureMode) -> (format: PixelFormat, label: Colorimetry) {
    switch mode.format.payload {
    case .raw(let format): (format, mode.format.colorimetry)
    // jpegdec says full range and BT.601 whatever the camera said, and leaves the other two unknown.
    case .jpeg: (.i420, Colorimetry(range: .full, matrix: .bt601))
    default: (.i420, .unknown)
    }
  }

  /// All four fields: the driver's where it says them and players understand them, the format's own standard
  /// elsewhere.
  ///
  /// JPEG is full range BT.601 (ITU-T T.871). The USB video class 1.5 gives BT.709 primaries and transfer and the
  /// matrix of BT.601 as its defaults, and so the kernel's driver words them as sRGB. The sRGB curve is written as
  /// BT.709's: both describe the same camera, and mpv shifts the tones of the first.
  static func completed(_ mode: CaptureMode, assumptions: inout [String]) -> Colorimetry {
    let declared = mode.format.payload == .jpeg ? Colorimetry() : mode.format.colorimetry
    var complete = declared
    complete.range = mode.format.range
    let isRGB = if case .raw(let format) = mode.format.payload { format.chroma == .rgb } else { false }
    complete.matrix = isRGB ? .rgb : declared.matrix ?? .bt601
    complete.transfer = declared.transfer == .srgb ? .bt709 : declared.transfer ?? .bt709
    complete.primaries = declared.primaries ?? .bt709
    if mode.format.payload == .jpeg {
      assumptions.append("JPEG is full range BT.601 by its standard, whatever the driver says")
    } else {
      let assumed = [
        declared.range == nil ? "\(mode.format.range.name) range" : nil,
        declared.matrix == nil && !isRGB ? "BT.601 matrix" : nil,
        declared.transfer == nil ? "BT.709 transfer" : nil,
        declared.primaries == nil ? "BT.709 primaries" : nil,
      ].compactMap { $0 }
      if !assumed.isEmpty {
        assumptions.append("the driver does not say it: \(assumed.joined(separator: ", ")) assumed")
      }
    }
    return complete
  }

  /// RGB has no matrix of its own to keep. It gets the one that goes with the picture: BT.709's from 720 lines on,
  /// unless the driver says that the colours are those of standard definition.
  private func rgbTarget(of source: Colorimetry, _ mode: CaptureMode, range: ColorRange?) -> Colorimetry {
    var target = source
    target.range = range ?? source.range
    let isStandardDefinition = mode.dimensions.height < 720 || source.primaries == .smpte170m
    target.matrix = isStandardDefinition ? .bt601 : .bt709
    return target
  }

  private static func crop(_ dimensions: VideoDimensions) -> ColorStep? {
    dimensions.isEven ? nil : .crop(right: dimensions.width % 2, bottom: dimensions.height % 2)
  }
}
