/// What to record and how, by name: a JSON5 file that states only what it means to change.

public import Foundation
public import MediaFormats

public struct Preset: Sendable, Hashable {
  public var name: String
  public var summary: String
  /// The first wish.
  public var request: FormatRequest
  /// What is wished in its place, in order, where a camera does not have it exactly.
  public var alternatives: [FormatRequest]
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
  /// The camera's controls while it is recorded, by the names that v4l2-ctl prints; put back afterwards.
  public var controls: [String: ControlValue]
  /// True where auto exposure may not lower a rate that was asked for.
  public var exposureLock: Bool
  /// Matrix, chroma, depth, and what is known of the camera's own colour; the range is in the request.
  public var color: ColorWish

  public init(
    name: String, summary: String = "", request: FormatRequest = FormatRequest(),
    alternatives: [FormatRequest] = [], encoders: [String] = ["x264enc"],
    bitRate: BitRate = BitRate(bitsPerSecond: 8_000_000), keyFrameInterval: Duration = .seconds(2),
    speed: String? = nil, encoderOptions: [String: String] = [:], container: String = "mp4",
    controls: [String: ControlValue] = [:], exposureLock: Bool = true,
    color: ColorWish = ColorWish()
  ) {
    self.name = name
    self.summary = summary
    self.request = request
    self.alternatives = alternatives
    self.encoders = encoders
    self.bitRate = bitRate
    self.keyFrameInterval = keyFrameInterval
    self.speed = speed
    self.encoderOptions = encoderOptions
    self.container = container
    self.controls = controls
    self.exposureLock = exposureLock
    self.color = color
  }
}

extension Preset {
  /// Everything that is wished, in order. Never empty: the first one is `request`.
  public var wishes: [FormatRequest] {
    get { [request] + alternatives }
    set {
      request = newValue.first ?? FormatRequest()
      alternatives = Array(newValue.dropFirst())
    }
  }

  static let keys = [
    "summary", "request", "encoder", "bitrate", "keyFrameInterval", "speed", "encoderOptions", "container",
    "controls", "exposureLock", "matrix", "chroma", "depth", "sourceColor",
  ]
  static let requestKeys = ["size", "framerate", "range", "inputFormat", "strict", "fallback"]

  /// - Throws: the first thing that is wrong, with its place.
  public init(name: String, file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: Preset.keys)
    self.init(name: name, request: .headline)
    summary = try root.text("summary") ?? summary
    if let objects = try root.objects("request", keys: Preset.requestKeys) {
      var read: [FormatRequest] = []
      for object in objects { read.append(try FormatRequest(object)) }
      wishes = read
    }
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
    exposureLock = try root.bool("exposureLock") ?? exposureLock
    try color.read(root)
    if let object = try root.object("controls") {
      for key in object.keys { controls[key] = try Preset.control(key, of: object) }
    }
    if let options = try root.object("encoderOptions") {
      for key in options.keys { encoderOptions[key] = try options.required(key, try options.propertyText(key)) }
    }
  }

  private static func control(
    _ key: String, of controls: ConfigurationObject
  ) throws(ConfigurationError) -> ControlValue {
    if let flag = try? controls.bool(key) { return .boolean(flag) }
    return ControlValue(parsing: try controls.required(key, try controls.text(key)))
  }

}

extension FormatRequest {
  /// What a preset asks for where it says nothing else: a file states only what it means to change.
  static let headline = FormatRequest(
    dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60), range: .full)

  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    self = .headline
    let size = try object.choice("size", wanted: "a size such as \"1280x720\", or \"any\"") {
      VideoDimensions(parsing: $0)
    }
    let rate = try object.choice(
      "framerate", wanted: "a rate such as 60, 59.94 or \"60000/1001\" above zero, or \"any\""
    ) {
      Fraction(parsing: $0).flatMap { $0.numerator > 0 ? $0 : nil }
    }
    if let size { dimensions = size.value }
    if let rate { frameRate = rate.value }
    if let choice = try object.parsed(
      "range", wanted: "\"full\", \"limited\" or \"source\"", RangeChoice.init(parsing:))
    {
      range = choice.range
    }
    payload =
      try object.parsed("inputFormat", wanted: "\"auto\", \"raw\", \"mjpeg\", \"h264\" or a four-character code") {
        $0.utf8.count <= 7 ? PayloadChoice(parsing: $0) : nil
      } ?? payload
    let strict = try object.bool("strict")
    let named = try object.parsed("fallback", wanted: FallbackStrategy.names) { FallbackStrategy(parsing: $0) }
    if let strict, let named, strict != (named == .exact) {
      throw object.error("strict", "this contradicts fallback: \"\(named.rawValue)\"; give one of them")
    }
    fallback = named ?? (strict == true ? .exact : .nearest)
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
