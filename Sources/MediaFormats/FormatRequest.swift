/// What is wished of a camera. What is not said is free.

public struct FormatRequest: Sendable, Hashable {
  public var dimensions: VideoDimensions?
  /// Frames a second.
  public var frameRate: Fraction?
  /// The range of the recording. Asked of the camera first; where it has no such mode, samples are converted.
  public var range: ColorRange?
  public var payload: PayloadChoice
  /// Takes nothing but what was asked: no other size, rate or range.
  public var isStrict: Bool

  public init(
    dimensions: VideoDimensions? = nil, frameRate: Fraction? = nil, range: ColorRange? = nil,
    payload: PayloadChoice = .automatic, isStrict: Bool = false
  ) {
    self.dimensions = dimensions
    self.frameRate = frameRate
    self.range = range
    self.payload = payload
    self.isStrict = isStrict
  }
}

/// Which payload may be used: `--input-format`.
public enum PayloadChoice: Sendable, Hashable {
  /// Raw where it holds size, rate and range, else coded.
  case automatic
  case raw
  case jpeg
  case h264
  case code(FourCC)

  /// Reads `auto`, `raw`, `mjpeg`, `h264` and four-character codes.
  public init(parsing text: String) {
    switch text.lowercased() {
    case "auto", "automatic", "": self = .automatic
    case "raw": self = .raw
    case "mjpeg", "mjpg", "jpeg": self = .jpeg
    case "h264", "h.264": self = .h264
    default: self = .code(FourCC(text))
    }
  }

  func allows(_ format: DeviceFormat) -> Bool {
    switch (self, format.payload) {
    case (.automatic, _), (.raw, .raw), (.jpeg, .jpeg), (.h264, .h264): true
    case (.code(let code), _):
      [format.fourCC, format.payload.fourCC].contains { $0.description.lowercased() == code.description.lowercased() }
    default: false
    }
  }
}

extension PayloadChoice: CustomStringConvertible {
  public var description: String {
    switch self {
    case .automatic: "auto"
    case .raw: "raw"
    case .jpeg: "mjpeg"
    case .h264: "h264"
    case .code(let code): code.trimmed
    }
  }
}

extension FormatRequest: CustomStringConvertible {
  /// `1280x720 at 60 fps in full range`.
  public var description: String {
    var words = [dimensions.map { "\($0)" } ?? "any size"]
    if let frameRate { words.append("at \(frameRate.decimal) fps") }
    if let range { words.append("in \(range.name) range") }
    if payload != .automatic { words.append("as \(payload)") }
    return words.joined(separator: " ")
  }
}
