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
  }

  public var element: String
  public var summary: String
  /// As containers list it: `h264`, `h265`, `vp8`, `vp9`, `av1`.
  public var codec: String
  /// Pixel formats it takes, the preferred of each chroma and depth first.
  public var inputs: [String]
  public var bitRateProperty: String
  public var bitsPerUnit: Int
  /// In frames.
  public var keyFrameProperty: String
  public var speedProperty: String?
  /// Fastest first.
  public var speeds: [Speed]
  /// Set on every recording.
  public var properties: [String: String]
  /// Caps that a stream of 4:2:0 and 8 bits is held to, as a profile.
  public var output: String?
  public var parser: String?
}

extension EncoderProfile {
  static let keys = [
    "element", "summary", "codec", "inputs", "bitrate", "keyFrameInterval", "speed", "properties", "output", "parser",
  ]

  init(file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: EncoderProfile.keys)
    element = try root.required("element", try root.text("element"))
    summary = try root.text("summary") ?? ""
    codec = try root.required("codec", try root.text("codec"))
    inputs = try root.required("inputs", try root.texts("inputs"))
    let bitRate = try root.required("bitrate", try root.object("bitrate", keys: ["property", "bitsPerUnit"]))
    bitRateProperty = try bitRate.required("property", try bitRate.text("property"))
    bitsPerUnit = Int(try bitRate.required("bitsPerUnit", try bitRate.number("bitsPerUnit")))
    guard bitsPerUnit > 0 else { throw bitRate.error("bitsPerUnit", "a number of at least 1 is wanted") }
    keyFrameProperty = try root.required("keyFrameInterval", try root.text("keyFrameInterval"))
    output = try root.text("output")
    parser = try root.text("parser")
    properties = [:]
    speeds = []
    if let object = try root.object("properties") {
      for key in object.keys { properties[key] = try object.required(key, try object.propertyText(key)) }
    }
    guard let speed = try root.object("speed", keys: ["property", "megapixelsPerCore"]) else { return }
    speedProperty = try speed.required("property", try speed.text("property"))
    let ladder = try speed.required("megapixelsPerCore", try speed.object("megapixelsPerCore"))
    for key in ladder.keys {
      speeds.append(Speed(value: key, megapixelsPerCore: try ladder.required(key, try ladder.number(key))))
    }
    speeds.sort { $0.megapixelsPerCore > $1.megapixelsPerCore }
  }

  /// Headroom that a live encoder needs over the figures of ordinary pictures: noisy ones cost about twice as much.
  static let headroom = 2.5

  /// The slowest speed, so the best picture, that this many cores hold with headroom; the fastest if none does.
  func speed(for dimensions: VideoDimensions, at rate: Fraction, cores: Int) -> String? {
    let needed = Double(dimensions.pixels) * rate.value / 1e6 / Double(max(1, cores)) * EncoderProfile.headroom
    return (speeds.last { $0.megapixelsPerCore >= needed } ?? speeds.first)?.value
  }
}
