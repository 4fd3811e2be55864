/// What a recording's colour is to be, and what the camera's is where the user knows better than its driver.

public import MediaFormats

public struct ColorWish: Sendable, Hashable {
  /// `nil` keeps the camera's.
  public var range: ColorRange?
  /// BT.709 or BT.601; `nil` keeps the camera's. Another one costs a conversion of every pixel.
  public var matrix: ColorMatrix?
  public var chroma: PixelFormat.Chroma
  /// Bits a sample.
  public var depth: Int
  /// Fields that are known to be so, whatever the driver says.
  public var source: Colorimetry

  public init(
    range: ColorRange? = nil, matrix: ColorMatrix? = nil, chroma: PixelFormat.Chroma = .yuv420, depth: Int = 8,
    source: Colorimetry = .unknown
  ) {
    self.range = range
    self.matrix = matrix
    self.chroma = chroma
    self.depth = depth
    self.source = source
  }

  /// As players everywhere take it.
  public var isPlayableEverywhere: Bool { chroma == .yuv420 && depth == 8 }
}

extension Colorimetry {
  /// The fields of this one, and those of the other where this one has none.
  func completed(by other: Colorimetry) -> Colorimetry {
    Colorimetry(
      range: range ?? other.range, matrix: matrix ?? other.matrix, transfer: transfer ?? other.transfer,
      primaries: primaries ?? other.primaries)
  }

  /// Reads what a user says of a camera: `full`, `limited`, `bt601`, `bt709`, or GStreamer's four numbers; `nil` for
  /// anything else. The two names of standards mean matrix, curve and colours, and say nothing of the range.
  public init?(ofCamera text: String) {
    switch text.lowercased() {
    case "full", "pc": self.init(range: .full)
    case "limited", "tv": self.init(range: .limited)
    case "bt709": self.init(matrix: .bt709, transfer: .bt709, primaries: .bt709)
    case "bt601": self.init(matrix: .bt601, transfer: .bt601, primaries: .smpte170m)
    case let numbers where numbers.contains(":"):
      self.init(parsing: numbers)
      // A number that stands for nothing would silently be unknown.
      guard description == numbers else { return nil }
    default: return nil
    }
  }
}

extension ColorWish {
  public static let sourceWords = "full, limited, bt601, bt709, or four numbers such as 1:4:5:1"

  /// `nil` for anything but 8 and 10.
  public static func depth(parsing text: String) -> Int? { ["8": 8, "10": 10][text] }
}

/// A wished matrix in words, where "as the camera has it" is one of the answers.
public enum MatrixChoice: Sendable, Hashable {
  case asked(ColorMatrix)
  case source

  public static let words = "source, bt709 or bt601"

  public init?(parsing text: String) {
    switch text.lowercased() {
    case "bt709", "709": self = .asked(.bt709)
    case "bt601", "601": self = .asked(.bt601)
    case "source": self = .source
    default: return nil
    }
  }

  public var matrix: ColorMatrix? {
    if case .asked(let matrix) = self { matrix } else { nil }
  }
}
