/// Writes one format as a line of a listing.

struct ListingPrinter {
  let format: DeviceFormat

  private var traits: FormatTraits { format.traits }
  private var code: String { format.subtype.description }

  var line: String {
    let head = "'\(format.mediaType)'/'\(code)' "
    let end = "> - \(format.index)"
    if let dimensions = dimensionsShape { return head + dimensions + end }
    return head + ([size, "{\(rates) fps}"] + remarks).joined(separator: ", ") + end
  }

  // MARK: The shape with coded and shown size

  /// `nil` where it cannot say everything.
  private var dimensionsShape: String? {
    guard let shown = traits.presentationDimensions, format.dimensions.isSingle, format.frameRates.count == 1,
      let rate = format.frameRates.first, rate.isWhole, !rate.isSingle
    else { return nil }
    var plain = DeviceFormat(
      index: format.index, payload: DeviceFormat.payload(ofListed: code), dimensions: format.dimensions,
      frameRates: format.frameRates, colorimetry: DeviceFormat.colorimetry(ofListed: code))
    plain.traits.presentationDimensions = shown
    guard plain == format else { return nil }
    let rates = "{ \(rate.min.numerator) - \(rate.max.numerator) fps }"
    return "enc dims = \(format.dimensions), pres dims = \(shown) \(rates)"
  }

  // MARK: The shape with everything

  private var size: String {
    let (width, height) = (format.dimensions.width, format.dimensions.height)
    let low = ListingPrinter.size(width.min, height.min)
    if format.dimensions.isSingle { return low }
    return "\(low) to \(ListingPrinter.size(width.max, height.max)) by \(width.step)x\(height.step)"
  }

  private static func size(_ width: Int, _ height: Int) -> String { "\(padded(width, 4))x\(padded(height, 4))" }

  private var rates: String {
    if let range = format.frameRates.first, format.frameRates.count == 1, range.isWhole, !range.isSingle {
      return "\(ListingPrinter.padded(range.min.numerator, 2))-\(ListingPrinter.padded(range.max.numerator, 3))"
    }
    if format.frameRates.isEmpty { return ListingWord.unknownRate }
    return format.frameRates.map { range in
      range.isSingle ? exact(range.min) : "\(exact(range.min))-\(exact(range.max))"
    }.joined(separator: ", ")
  }

  /// `60`, `7.5`, `59.94 (7013/117)`.
  private func exact(_ rate: Fraction) -> String {
    let decimal = rate.decimal
    return Fraction(parsing: decimal) == rate ? decimal : "\(decimal) (\(rate))"
  }

  private var remarks: [String] {
    let known: [String?] =
      [traits.fieldOfView.map { "fov:\(ListingPrinter.decimal($0, 3))" }, binning, stabilization, zoom]
      + [traits.crop.map { "crop:\($0)" }, traits.presentationDimensions.map { "pres:\($0)" }]
    return known.compactMap { $0 } + extensions
  }

  private var binning: String? {
    switch traits.isBinned {
    case true?: ListingWord.binned
    case false?: traits.fieldOfView == nil ? ListingWord.notBinned : nil
    case nil: traits.fieldOfView == nil ? nil : ListingWord.binningUnknown
    }
  }

  private var stabilization: String? {
    switch traits.supportsStabilization {
    case true?: ListingWord.stabilized
    case false?: traits.fieldOfView == nil ? ListingWord.notStabilized : nil
    case nil: traits.fieldOfView == nil ? nil : ListingWord.stabilizationUnknown
    }
  }

  private var zoom: String? {
    let upscaling = traits.upscalingZoom.map { "upscales @\(ListingPrinter.decimal($0, 2))" }
    guard let maximum = traits.maximumZoom else { return upscaling }
    let largest = "max zoom:\(ListingPrinter.decimal(maximum, 2))"
    return upscaling.map { "\(largest) (\($0))" } ?? largest
  }

  /// What AVFoundation's own lines do not have.
  private var extensions: [String] {
    [
      DeviceFormat.payload(ofListed: code) == format.payload ? nil : "as:\(format.payload.listingWord)",
      code == "420v" || code == "420f" ? nil : "range:\(format.range.name)",
      format.colorimetry == DeviceFormat.colorimetry(ofListed: code) ? nil : "colour:\(format.colorimetry)",
      format.isInterlaced ? ListingWord.interlaced : nil,
      format.isEmulated ? ListingWord.emulated : nil,
      format.node.map { "node:\($0)" },
    ].compactMap { $0 }
  }

  // MARK: Numbers

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// At least so many decimals; more where the value has more, so that it reads back as it is.
  private static func decimal(_ value: Double, _ decimals: Int) -> String {
    let text = "\(value)"
    let parts = text.split(separator: ".")
    guard parts.count == 2, parts[1].allSatisfy(\.isNumber) else { return text }
    return text + String(repeating: "0", count: max(0, decimals - parts[1].count))
  }
}

extension FrameRateRange {
  fileprivate var isWhole: Bool { min.denominator == 1 && max.denominator == 1 && min.numerator >= 0 }
}
