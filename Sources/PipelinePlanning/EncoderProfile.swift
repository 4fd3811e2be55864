/// How one encoder element is told what a preset wants, each in its own words and units. Data, not code: a file in
/// `pipelines/encoders` for each.

import Foundation
import MediaFormats

public struct EncoderProfile: Sendable, Hashable {
  /// One step of a speed ladder.
  public struct Speed: Sendable, Hashable {
    /// The element's own word.
    public var value: String
    /// Millions of pixels that one core takes a second at this speed, capture and decoding included.
    public var megapixelsPerCore: Double
    /// What makes the stream's headers the same as those of the other speeds that have this, so that one can take over
    /// from another in one file; `nil` for a speed that cannot.
    public var pins: [String: String]?
  }

  /// A quantizer that stands for a quality: 100 is `best`, 0 is `worst`, evenly in between.
  public struct Quality: Sendable, Hashable {
    public var property: String
    public var best: Int
    public var worst: Int
    /// Set along with it.
    public var properties: [String: String]
  }

  public struct CodecProfile: Sendable, Hashable {
    /// As caps name it.
    public var name: String
    /// Pixel formats that the encoder writes in it.
    public var inputs: [String]

    func holds(_ chroma: PixelFormat.Chroma, depth: Int) -> Bool {
      inputs.map { PixelFormat(named: $0) }.contains { $0.chroma == chroma && $0.depth == depth }
    }
  }

  public var element: String
  public var summary: String
  /// True where the machine must have more than the element for it to work.
  public var isHardware: Bool
  /// True for a file that comes with Capstan.
  public var isBundled: Bool
  /// As containers list it: `h264`, `h265`, `vp8`, `vp9`, `av1`.
  public var codec: String
  /// Pixel formats it takes, the preferred of each chroma and depth first.
  public var inputs: [String]
  public var bitRateProperty: String
  public var bitsPerUnit: Int
  /// How a constant picture quality is asked for; `nil` for an encoder that holds bit rates only.
  public var quality: Quality?
  /// In frames.
  public var keyFrameProperty: String
  public var speedProperty: String?
  /// Fastest first.
  public var speeds: [Speed]
  /// Set on every recording.
  public var properties: [String: String]
  /// Caps that a stream of 4:2:0 and 8 bits is held to, as a profile.
  public var output: String?
  /// The codec's profiles that can be asked for; empty where they follow from chroma and depth.
  public var profiles: [CodecProfile]
  public var parser: String?
}

extension EncoderProfile {
  static let keys = [
    "element", "summary", "hardware", "codec", "inputs", "bitrate", "quality", "keyFrameInterval", "speed",
    "properties", "output", "profiles", "parser",
  ]

  init(file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: EncoderProfile.keys)
    element = try root.required("element", try root.text("element"))
    summary = try root.text("summary") ?? ""
    isHardware = try root.bool("hardware") ?? false
    isBundled = file.hasPrefix(ProfileLibrary.bundled.path(percentEncoded: false))
    codec = try root.required("codec", try root.text("codec"))
    inputs = try root.required("inputs", try root.texts("inputs"))
    let bitRate = try root.required("bitrate", try root.object("bitrate", keys: ["property", "bitsPerUnit"]))
    bitRateProperty = try bitRate.required("property", try bitRate.text("property"))
    bitsPerUnit = try bitRate.required("bitsPerUnit", try bitRate.integer("bitsPerUnit", in: 1...1_000_000_000))
    keyFrameProperty = try root.required("keyFrameInterval", try root.text("keyFrameInterval"))
    output = try root.text("output")
    profiles = []
    if let object = try root.object("profiles") {
      for name in object.names {
        profiles.append(CodecProfile(name: name, inputs: try object.required(name, try object.texts(name))))
      }
    }
    if let object = try root.object("quality", keys: Quality.keys) { quality = try Quality(object) }
    parser = try root.text("parser")
    properties = try root.propertyTexts("properties")
    speeds = []
    guard let speed = try root.object("speed", keys: EncoderProfile.speedKeys) else { return }
    speedProperty = try speed.required("property", try speed.text("property"))
    let figures = try speed.required("megapixelsPerCore", try speed.object("megapixelsPerCore"))
    let pins = try EncoderProfile.pins(speed, known: figures.keys)
    for key in figures.keys {
      let figure = try figures.required(key, try figures.number(key))
      speeds.append(Speed(value: key, megapixelsPerCore: figure, pins: pins[key]))
    }
    speeds.sort { $0.megapixelsPerCore > $1.megapixelsPerCore }
  }

  private static let speedKeys = ["property", "megapixelsPerCore", "switchable"]

  /// Of each speed that can take over from others.
  private static func pins(
    _ speed: ConfigurationObject, known: [String]
  ) throws(ConfigurationError) -> [String: [String: String]] {
    var pins: [String: [String: String]] = [:]
    for group in try speed.objects("switchable", keys: ["speeds", "properties"]) {
      for name in try group.required("speeds", try group.texts("speeds")) {
        guard known.contains(name) else {
          throw group.error("speeds", "\"\(name)\" is not among the speeds of megapixelsPerCore")
        }
        pins[name] = try group.propertyTexts("properties")
      }
    }
    return pins
  }

  /// The speeds that a recording at this one can change between, the fastest first and this one last; empty where there
  /// is no other.
  func ladder(upTo slowest: String?) -> [Speed] {
    guard let place = speeds.firstIndex(where: { $0.value == slowest && $0.pins != nil }) else { return [] }
    let ladder = speeds[...place].filter { $0.pins != nil }
    return ladder.count > 1 ? ladder : []
  }

  /// Headroom that a live encoder needs over the figures of ordinary pictures: noisy ones cost about twice as much.
  static let headroom = 2.5

  /// The slowest speed, so the best picture, that this many cores hold with headroom; the fastest if none does.
  func speed(for dimensions: VideoDimensions, at rate: Fraction, cores: Int) -> String? {
    let needed = Double(dimensions.pixels) * rate.value / 1e6 / Double(max(1, cores)) * EncoderProfile.headroom
    return (speeds.last { $0.megapixelsPerCore >= needed } ?? speeds.first)?.value
  }
}

extension EncoderProfile.Quality {
  static let keys = ["property", "best", "worst", "properties"]

  init(_ object: ConfigurationObject) throws(ConfigurationError) {
    property = try object.required("property", try object.text("property"))
    best = try object.required("best", try object.integer("best", in: -1000...1000))
    worst = try object.required("worst", try object.integer("worst", in: -1000...1000))
    properties = try object.propertyTexts("properties")
  }

  /// - Parameter quality: from 0 to 100.
  func quantizer(_ quality: Int) -> Int {
    worst + Int((Double(best - worst) * Double(quality) / 100).rounded())
  }
}
