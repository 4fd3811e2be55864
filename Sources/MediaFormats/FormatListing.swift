/// A list of formats as text, one line a mode, in the two shapes in which AVFoundation prints its own: what a camera can
/// do, written down, and read back as a camera to plan with.

/// ```
/// 'vide'/'420f' 1280x 720, { 1- 60 fps}, fov:51.940, binned, supports vis, max zoom:51.75 (upscales @1.05)> - 13
/// 'vide'/'420f' enc dims = 1280x720, pres dims = 1280x720 { 1 - 30 fps }> - 7
/// 'vide'/'MJPG' 1280x 720, {60, 59.94 (7013/117), 30 fps}, range:full, colour:2:4:7:1, node:/dev/video0> - 4
/// ```
///
/// The third line shows what phones do not have, behind the rest: discrete rates, in decimals where these are exact and
/// else with the device's own fraction; `{unknown fps}`; sizes as `32x32 to 2592x1944 by 2x2`; `range` and `colour`
/// (GStreamer's four numbers, 0 for unknown); `crop:1280x720+320+180`; `interlaced`; `emulated`; `as`, where the code
/// alone does not say the payload; `node`, always last. A line with a field of view is AVFoundation's, which leaves out
/// `binned` and `supports vis` to say no; in any other line nothing is said then, and no is `not binned` and `no vis`.
///
/// Reading what was printed gives the same rows. Empty lines and those that begin with `#` are passed over.
public struct FormatListing: Sendable, Hashable {
  public var formats: [DeviceFormat]
  /// True where the first of two spaces does not break (U+00A0), as in listings that went through a web page. They are
  /// printed so again.
  public var hasNoBreakSpaces = false

  public init(_ formats: [DeviceFormat]) { self.formats = formats }

  /// - Throws: the first line that is in neither shape, or has the number of an earlier one.
  public init(parsing text: String) throws(FormatListingError) {
    formats = []
    var numbers = Set<Int>()
    for (place, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = FormatListing.plain(raw)
      hasNoBreakSpaces = hasNoBreakSpaces || line != raw
      if line.first == "#" || line.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
      let format: DeviceFormat
      do {
        format = try ListingReader(line).format()
      } catch {
        throw FormatListingError(line: place + 1, problem: error.problem)
      }
      guard numbers.insert(format.index).inserted else {
        throw FormatListingError(line: place + 1, problem: "there is a row \(format.index) already")
      }
      formats.append(format)
    }
  }

  /// One for each format, without line ends.
  public var lines: [String] {
    formats.map {
      let line = ListingPrinter(format: $0).line
      return hasNoBreakSpaces ? line.replacing("  ", with: "\u{A0} ") : line
    }
  }

  private static func plain(_ line: Substring) -> Substring {
    line.utf8.contains(0xC2) ? line.replacing("\u{A0} ", with: "  ") : line
  }
}

extension FormatListing: CustomStringConvertible {
  /// The whole file.
  public var description: String { lines.map { "\($0)\n" }.joined() }
}

/// What is wrong with a listing, and where.
public struct FormatListingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Counted from 1.
  public var line: Int
  public var problem: String

  public var description: String { "line \(line): \(problem)" }
}

/// The words that stand between the commas of a line, for both directions.
enum ListingWord {
  static let binned = "binned"
  static let notBinned = "not binned"
  static let binningUnknown = "binned unknown"
  static let stabilized = "supports vis"
  static let notStabilized = "no vis"
  static let stabilizationUnknown = "vis unknown"
  static let interlaced = "interlaced"
  static let emulated = "emulated"
  static let unknownRate = "unknown"
}

extension DeviceFormat {
  /// The colour that a code says by itself: AVFoundation's two names for NV12 say the range.
  static func colorimetry(ofListed code: String) -> Colorimetry {
    switch code {
    case "420v": Colorimetry(range: .limited)
    case "420f": Colorimetry(range: .full)
    default: .unknown
    }
  }

  static func payload(ofListed code: String) -> Payload {
    if code == "420v" || code == "420f" { return .raw(.nv12) }
    return Payload(fourCC: FourCC(code)) ?? .unsupported(FourCC(code))
  }
}

extension Payload {
  /// The word of a listing for a payload that its code does not say: `mpeg2`, `raw/AYUV64`.
  var listingWord: String {
    switch self {
    case .raw(let format): "raw/\(format.name)"
    case .bayer(let pattern): "bayer/\(pattern)"
    case .unsupported(let code): "unsupported/\(code.description)"
    default: name
    }
  }

  init?(listingWord: some StringProtocol) {
    let parts = String(listingWord).split(separator: "/", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("raw", 2): self = .raw(PixelFormat(named: parts[1]))
    case ("bayer", 2): self = .bayer(parts[1])
    case ("unsupported", 2): self = .unsupported(FourCC(parts[1]))
    case (let word?, 1):
      let coded: [Payload] = [.jpeg, .h264, .h265, .vp8, .vp9, .mpeg4, .mpeg2, .dv]
      guard let payload = coded.first(where: { $0.name == word }) else { return nil }
      self = payload
    default: return nil
    }
  }
}
