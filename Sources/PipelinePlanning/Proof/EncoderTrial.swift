/// What an encoder is tried at before it is trusted: its elements, set as a recording would set them, and the pictures.

public import MediaFormats

/// What the figures of a trial hold for.
public struct EncoderSubject: Sendable, Hashable {
  public var element: String
  /// The element's own word; `nil` for one without speeds.
  public var speed: String?
  public var dimensions: VideoDimensions
  public var format: PixelFormat

  public init(element: String, speed: String?, dimensions: VideoDimensions, format: PixelFormat) {
    self.element = element
    self.speed = speed
    self.dimensions = dimensions
    self.format = format
  }

  /// As `x264enc at superfast`.
  public var name: String { element + (speed.map { " at \($0)" } ?? "") }
}

public struct EncoderTrial: Sendable, Hashable {
  public var subject: EncoderSubject
  /// As containers list it: `h264`, `vp9`.
  public var codec: String
  public var frameRate: Fraction
  public var colorimetry: Colorimetry
  /// In bits a second; `nil` where the encoder is not held to one.
  public var bitRate: Int?
  /// In frames; shorter than a recording's, so that a second has several.
  public var keyFrameDistance: Int
  /// The encoder first, then what follows it on the way to the container.
  public var nodes: [PipelineDescription.Node]

  /// Seconds between two key frames of a trial.
  static let keyFrameInterval = 0.25
  /// In frames: with fewer between them, an encoder has no time to find its bit rate.
  static let leastDistance = 8
  /// Bits a pixel: with fewer, pictures that are hard to encode cannot be known again, and nothing is told.
  static let leastBits = 0.02
}

// MARK: - As JSON

extension EncoderSubject: Codable {
  private enum CodingKeys: String, CodingKey {
    case element, speed, format
    case dimensions = "size"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let size = try container.decode(String.self, forKey: .dimensions)
    guard let dimensions = VideoDimensions(parsing: size) else {
      throw DecodingError.dataCorruptedError(forKey: .dimensions, in: container, debugDescription: "no size: \(size)")
    }
    self.init(
      element: try container.decode(String.self, forKey: .element),
      speed: try container.decodeIfPresent(String.self, forKey: .speed), dimensions: dimensions,
      format: PixelFormat(named: try container.decode(String.self, forKey: .format)))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(element, forKey: .element)
    try container.encodeIfPresent(speed, forKey: .speed)
    try container.encode("\(dimensions)", forKey: .dimensions)
    try container.encode(format.name, forKey: .format)
  }
}

extension EncoderTrial: Codable {
  /// A node in words that a property's own type reads again.
  private struct Piece: Codable {
    var factory: String
    var name: String
    var properties: [[String]]
  }

  private enum CodingKeys: CodingKey {
    case subject, codec, frameRate, colorimetry, bitRate, keyFrameDistance, nodes
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    subject = try container.decode(EncoderSubject.self, forKey: .subject)
    codec = try container.decode(String.self, forKey: .codec)
    let rate = try container.decode(String.self, forKey: .frameRate)
    guard let frameRate = Fraction(parsing: rate), frameRate.numerator > 0 else {
      throw DecodingError.dataCorruptedError(forKey: .frameRate, in: container, debugDescription: "no rate: \(rate)")
    }
    self.frameRate = frameRate
    colorimetry = Colorimetry(parsing: try container.decode(String.self, forKey: .colorimetry)) ?? .unknown
    bitRate = try container.decodeIfPresent(Int.self, forKey: .bitRate)
    keyFrameDistance = try container.decode(Int.self, forKey: .keyFrameDistance)
    nodes = try container.decode([Piece].self, forKey: .nodes).map { piece in
      let properties = piece.properties.filter { $0.count == 2 }
        .map { PipelineDescription.Property(name: $0[0], value: .string($0[1])) }
      return PipelineDescription.Node(.factory(piece.factory), name: piece.name, properties: properties)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subject, forKey: .subject)
    try container.encode(codec, forKey: .codec)
    try container.encode(frameRate.description, forKey: .frameRate)
    try container.encode("\(colorimetry)", forKey: .colorimetry)
    try container.encodeIfPresent(bitRate, forKey: .bitRate)
    try container.encode(keyFrameDistance, forKey: .keyFrameDistance)
    let pieces = nodes.map { node in
      Piece(
        factory: node.factory ?? PipelineDescription.passage, name: node.name,
        properties: node.properties.map { [$0.name, "\($0.value)"] })
    }
    try container.encode(pieces, forKey: .nodes)
  }
}
