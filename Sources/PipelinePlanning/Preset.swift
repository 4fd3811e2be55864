/// What to record and how, by name: a JSON5 file that states only what it means to change.

public import Foundation
public import MediaFormats

public struct Preset: Sendable, Hashable {
  public var name: String
  public var summary: String
  public var request: FormatRequest
  /// Elements in order of preference; the first that is installed is taken.
  public var encoders: [String]
  public var bitRate: BitRate
  /// Longest distance between key frames.
  public var keyFrameInterval: Duration
  /// The encoder's own word, as `superfast`; `nil` leaves the choice to the planner.
  public var speed: String?
  /// Raw properties of the encoder, set last.
  public var encoderOptions: [String: String]
  public var container: String

  public init(
    name: String, summary: String = "", request: FormatRequest = FormatRequest(), encoders: [String] = ["x264enc"],
    bitRate: BitRate = BitRate(bitsPerSecond: 8_000_000), keyFrameInterval: Duration = .seconds(2),
    speed: String? = nil, encoderOptions: [String: String] = [:], container: String = "mp4"
  ) {
    self.name = name
    self.summary = summary
    self.request = request
    self.encoders = encoders
    self.bitRate = bitRate
    self.keyFrameInterval = keyFrameInterval
    self.speed = speed
    self.encoderOptions = encoderOptions
    self.container = container
  }
}

extension Preset {
  static let keys = [
    "summary", "request", "encoder", "bitrate", "keyFrameInterval", "speed", "encoderOptions", "container",
  ]
  static let requestKeys = ["size", "framerate", "range", "inputFormat", "strict"]

  /// - Throws: the first thing that is wrong, with its place.
  public init(name: String, file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: Preset.keys)
    self.init(name: name)
    summary = try root.text("summary") ?? summary
    if let object = try root.object("request", keys: Preset.requestKeys) { request = try FormatRequest(object) }
    encoders = try root.texts("encoder") ?? encoders
    bitRate =
      try root.parsed("bitrate", wanted: "a bit rate such as \"8M\" or \"800k\" (bits a second)") {
        BitRate(parsing: $0)
      } ?? bitRate
    keyFrameInterval =
      try root.parsed("keyFrameInterval", wanted: "a time such as \"2s\" or \"500ms\", above zero") {
        Duration(parsing: $0).flatMap { $0 > .zero ? $0 : nil }
      } ?? keyFrameInterval
    speed = try root.text("speed").flatMap { $0 == "auto" ? nil : $0 }
    container = try root.text("container") ?? container
    if let options = try root.object("encoderOptions") {
      for key in options.keys { encoderOptions[key] = try Preset.option(key, of: options) }
    }
  }

  private static func option(_ key: String, of options: ConfigurationObject) throws(ConfigurationError) -> String {
    if let flag = try? options.bool(key) { return flag ? "true" : "false" }
    return try options.required(key, try options.text(key))
  }
}

extension FormatRequest {
  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    self.init()
    dimensions = try object.parsed("size", wanted: "a size such as \"1280x720\"") { VideoDimensions(parsing: $0) }
    frameRate = try object.parsed("framerate", wanted: "a rate such as 60, 59.94 or \"60000/1001\", above zero") {
      Fraction(parsing: $0).flatMap { $0.numerator > 0 ? $0 : nil }
    }
    range = try object.parsed("range", wanted: "\"full\", \"limited\" or \"source\"", RangeChoice.init(parsing:))?.range
    if let word = try object.text("inputFormat") { payload = PayloadChoice(parsing: word) }
    isStrict = try object.bool("strict") ?? false
  }
}

/// A wished range in words, where "as the camera has it" is one of the answers.
public enum RangeChoice: Sendable, Hashable {
  case asked(ColorRange)
  case source

  /// Reads `full` and `pc`, `limited` and `tv`, and `source`; `nil` for anything else.
  public init?(parsing text: String) {
    switch text.lowercased() {
    case "full", "pc": self = .asked(.full)
    case "limited", "tv": self = .asked(.limited)
    case "source": self = .source
    default: return nil
    }
  }

  public var range: ColorRange? {
    if case .asked(let range) = self { range } else { nil }
  }
}
