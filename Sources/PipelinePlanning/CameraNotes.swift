/// What only a person knows of a camera, in a JSON5 file: field of view, binned modes, and what a driver leaves out.

public import Foundation
public import MediaFormats

/// ```json5
/// {
///   "046d:085c": {
///     name: "Logitech C922",                       // for readers
///     modes: [
///       { aspect: "16:9", fieldOfView: 70.42 },    // horizontal, degrees
///       { size: "1280x720", framerate: 60, binned: true },
///     ],
///   },
/// }
/// ```
///
/// An entry is found by vendor and product of the USB device, or by the name that the driver gives. What it says outside
/// `modes` is for every mode; in `modes` the last that fits wins.
public struct CameraNotes: Sendable, Hashable {
  /// The file without its extension. It stands beside the presets and is none.
  static let fileName = "cameras"

  public struct Entry: Sendable, Hashable {
    public var name: String?
    public var traits: FormatTraits
    public var modes: [ModeNote]
  }

  /// Said of the modes that meet all of its conditions.
  public struct ModeNote: Sendable, Hashable {
    public var dimensions: VideoDimensions?
    /// Width to height, as 16/9.
    public var aspect: Fraction?
    /// Said of a row that has this rate.
    public var frameRate: Fraction?
    public var fourCC: FourCC?
    public var traits: FormatTraits
  }

  private var entries: [String: Entry]

  public init(file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: nil)
    entries = [:]
    for key in root.keys {
      guard let object = try root.object(key, keys: Entry.keys) else { continue }
      entries[key.lowercased()] = try Entry(object)
    }
  }

  /// Those about a camera: by its name first, which is the weaker one, then by its USB device.
  public func entries(card: String, usbID: String?) -> [Entry] {
    [card, usbID].compactMap { $0.flatMap { entries[$0.lowercased()] } }
  }
}

extension CameraNotes.Entry {
  static let traitKeys = ["fieldOfView", "binned", "stabilization", "maximumZoom", "upscalingZoom", "crop"]
  static let keys = ["name", "modes"] + traitKeys
  static let modeKeys = ["size", "aspect", "framerate", "format"] + traitKeys

  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    name = try object.text("name")
    traits = try FormatTraits(object)
    modes = []
    for mode in try object.objects("modes", keys: CameraNotes.Entry.modeKeys) {
      modes.append(try CameraNotes.ModeNote(mode))
    }
  }

  /// A row with what is said of it; what is not said stays as it was.
  public func completed(_ row: DeviceFormat) -> DeviceFormat {
    var row = row
    row.traits.take(traits)
    for mode in modes where mode.fits(row) { row.traits.take(mode.traits) }
    return row
  }
}

extension CameraNotes.ModeNote {
  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    dimensions = try object.parsed("size", wanted: "a size such as \"1280x720\"") { VideoDimensions(parsing: $0) }
    aspect = try object.parsed("aspect", wanted: "width to height such as \"16:9\"") { text in
      let parts = text.split(separator: ":").compactMap { Int($0) }
      return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? Fraction(parts[0], parts[1]) : nil
    }
    frameRate = try object.parsed("framerate", wanted: "a rate such as 60 or 59.94, above zero") {
      Fraction(parsing: $0).flatMap { $0.numerator > 0 ? $0 : nil }
    }
    fourCC = try object.text("format").map { FourCC($0) }
    traits = try FormatTraits(object)
  }

  func fits(_ row: DeviceFormat) -> Bool {
    let size = row.dimensions.largest
    if let dimensions, dimensions != size { return false }
    if let aspect, size.width * aspect.denominator != size.height * aspect.numerator { return false }
    if let fourCC, ![row.fourCC, row.payload.fourCC].contains(fourCC) { return false }
    guard let frameRate else { return true }
    return row.frameRates.contains { $0.min.isSameRate(as: frameRate) || $0.max.isSameRate(as: frameRate) }
  }
}

extension FormatTraits {
  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    self.init()
    fieldOfView = try FormatTraits.number(
      "fieldOfView", of: object, wanted: "degrees above 0 and below 360"
    ) { $0 > 0 && $0 < 360 }
    isBinned = try object.bool("binned")
    supportsStabilization = try object.bool("stabilization")
    maximumZoom = try FormatTraits.number("maximumZoom", of: object, wanted: "a factor of at least 1") { $0 >= 1 }
    upscalingZoom = try FormatTraits.number("upscalingZoom", of: object, wanted: "a factor of at least 1") { $0 >= 1 }
    crop = try object.parsed("crop", wanted: "size and place such as \"1280x720+320+180\"") {
      CropRectangle(parsing: $0)
    }
  }

  private static func number(
    _ key: String, of object: ConfigurationObject, wanted: String, _ isRight: (Double) -> Bool
  ) throws(ConfigurationError) -> Double? {
    guard let number = try object.number(key) else { return nil }
    guard isRight(number) else { throw object.error(key, "\(number) is not \(wanted)") }
    return number
  }

  /// Whatever the other says.
  fileprivate mutating func take(_ other: FormatTraits) {
    fieldOfView = other.fieldOfView ?? fieldOfView
    isBinned = other.isBinned ?? isBinned
    supportsStabilization = other.supportsStabilization ?? supportsStabilization
    maximumZoom = other.maximumZoom ?? maximumZoom
    upscalingZoom = other.upscalingZoom ?? upscalingZoom
    crop = other.crop ?? crop
  }
}
