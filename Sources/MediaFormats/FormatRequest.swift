/// What is wished of a camera. What is not said is free.

public struct FormatRequest: Sendable, Hashable {
  public var dimensions: VideoDimensions?
  /// Frames a second.
  public var frameRate: Fraction?
  /// The range of the recording. Asked of the camera first; where it has no such mode, samples are converted.
  public var range: ColorRange?
  public var payload: PayloadChoice
  /// What may be taken where the camera has no mode that is exactly this.
  public var fallback: FallbackStrategy

  public init(
    dimensions: VideoDimensions? = nil, frameRate: Fraction? = nil, range: ColorRange? = nil,
    payload: PayloadChoice = .automatic, fallback: FallbackStrategy = .nearest
  ) {
    self.dimensions = dimensions
    self.frameRate = frameRate
    self.range = range
    self.payload = payload
    self.fallback = fallback
  }

  /// Takes nothing but what was asked: no other size, rate or range. The same as the fallback `exact`.
  public var isStrict: Bool {
    get { fallback == .exact }
    set { if newValue != isStrict { fallback = newValue ? .exact : .nearest } }
  }
}

/// What is taken instead of a size, rate or range that a camera lacks: `--fallback`.
public enum FallbackStrategy: String, Sendable, Hashable, CaseIterable {
  /// Nothing: the request fails, with the nearest modes as offers.
  case exact
  /// What is neither larger nor faster than asked, as near as possible; the nearest of all where there is no such mode.
  case lowerOrNearest
  /// What is neither smaller nor slower than asked, as near as possible; the nearest of all where there is none.
  case higherOrNearest
  /// The least difference, upwards or downwards.
  case nearest

  /// Reads the names, in any case and with or without dashes; `nil` for anything else.
  public init?(parsing text: some StringProtocol) {
    let plain = text.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = FallbackStrategy.allCases.first(where: { $0.rawValue.lowercased() == plain }) else { return nil }
    self = found
  }

  /// `exact, lowerOrNearest, higherOrNearest or nearest`.
  public static var names: String {
    let names = allCases.map(\.rawValue)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  /// Where a size that is not on a stepwise camera's grid goes.
  var snapping: SnapDirection {
    switch self {
    case .exact, .nearest: .nearest
    case .lowerOrNearest: .down
    case .higherOrNearest: .up
    }
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
      [format.fourCC, format.payload.fourCC, format.subtype]
        .contains { $0.description.lowercased() == code.description.lowercased() }
    default: false
    }
  }

  /// True where one code was named: what it stands for is then wanted as it is, grey or emulated.
  var isPinned: Bool { if case .code = self { true } else { false } }
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
