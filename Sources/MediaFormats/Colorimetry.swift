/// What the numbers of a picture mean as colour, in the four fields that caps, the H.264 VUI and the MP4 `colr` box
/// share. `nil` is unknown, which Chromium shows wrong: a recording must know all four.

public struct Colorimetry: Sendable, Hashable {
  public var range: ColorRange?
  public var matrix: ColorMatrix?
  public var transfer: ColorTransfer?
  public var primaries: ColorPrimaries?

  public init(
    range: ColorRange? = nil, matrix: ColorMatrix? = nil, transfer: ColorTransfer? = nil,
    primaries: ColorPrimaries? = nil
  ) {
    self.range = range
    self.matrix = matrix
    self.transfer = transfer
    self.primaries = primaries
  }

  public static let unknown = Colorimetry()

  public var isComplete: Bool { range != nil && matrix != nil && transfer != nil && primaries != nil }
}

/// Quantization: which codes of 8 bits carry the picture.
public enum ColorRange: Int, Sendable, Hashable, CaseIterable {
  /// 0 to 255, JPEG's.
  case full = 1
  /// 16 to 235 for luma, 16 to 240 for chroma: video's.
  case limited = 2

  public var name: String { self == .full ? "full" : "limited" }
}

/// The weights that make luma and chroma out of red, green and blue. Raw values are `GstVideoColorMatrix`.
public enum ColorMatrix: Int, Sendable, Hashable, CaseIterable {
  case rgb = 1
  case fcc, bt709, bt601, smpte240m, bt2020

  /// `matrix_coefficients` of ISO/IEC 23091-2.
  public var codePoint: Int { [.rgb: 0, .fcc: 4, .bt709: 1, .bt601: 6, .smpte240m: 7, .bt2020: 9][self] ?? 2 }
}

/// The curve from light to code. Raw values are `GstVideoTransferFunction`.
public enum ColorTransfer: Int, Sendable, Hashable, CaseIterable {
  case gamma10 = 1
  case gamma18, gamma20, gamma22, bt709, smpte240m, srgb, gamma28, log100, log316, bt2020with12bit, adobeRGB
  case bt2020with10bit, smpte2084, aribB67, bt601

  public static let unspecified = 2

  /// `transfer_characteristics` of ISO/IEC 23091-2, as `gst_video_transfer_function_to_iso` gives it.
  public var codePoint: Int {
    switch self {
    case .bt709: 1
    case .gamma22: 4
    case .gamma28: 5
    case .bt601: 6
    case .smpte240m: 7
    case .gamma10: 8
    case .log100: 9
    case .log316: 10
    case .srgb: 13
    case .bt2020with10bit: 14
    case .bt2020with12bit: 15
    case .smpte2084: 16
    case .aribB67: 18
    case .gamma18, .gamma20, .adobeRGB: ColorTransfer.unspecified
    }
  }
}

/// The colours of pure red, green and blue. Raw values are `GstVideoColorPrimaries`.
public enum ColorPrimaries: Int, Sendable, Hashable, CaseIterable {
  case bt709 = 1
  case bt470m, bt470bg, smpte170m, smpte240m, film, bt2020, adobeRGB, smpte428, smpte431, smpte432, ebu3213

  public static let unspecified = 2

  /// `colour_primaries` of ISO/IEC 23091-2, as `gst_video_color_primaries_to_iso` gives it.
  public var codePoint: Int {
    switch self {
    case .bt709: 1
    case .bt470m: 4
    case .bt470bg: 5
    case .smpte170m: 6
    case .smpte240m: 7
    case .film: 8
    case .bt2020: 9
    case .smpte428: 10
    case .smpte431: 11
    case .smpte432: 12
    case .ebu3213: 22
    case .adobeRGB: ColorPrimaries.unspecified
    }
  }
}

extension Colorimetry: CustomStringConvertible {
  /// GStreamer's four numbers, `range:matrix:transfer:primaries`, as `1:4:5:1`; 0 is unknown.
  public var description: String {
    "\(range?.rawValue ?? 0):\(matrix?.rawValue ?? 0):\(transfer?.rawValue ?? 0):\(primaries?.rawValue ?? 0)"
  }

  /// Reads `1:4:5:1` and the names that `gst_video_colorimetry_from_string` knows; `nil` for anything else.
  public init?(parsing text: String) {
    let numbers = (Colorimetry.named[text] ?? text).split(separator: ":").map { Int(digits: $0) }
    guard numbers.count == 4, let range = numbers[0], let matrix = numbers[1], let transfer = numbers[2],
      let primaries = numbers[3]
    else { return nil }
    self.init(
      range: ColorRange(rawValue: range), matrix: ColorMatrix(rawValue: matrix),
      transfer: ColorTransfer(rawValue: transfer), primaries: ColorPrimaries(rawValue: primaries))
  }

  private static let named = [
    "bt601": "2:4:16:4", "bt709": "2:3:5:1", "smpte240m": "2:5:6:5", "sRGB": "1:1:7:1", "bt2020": "2:6:11:7",
    "bt2020-10": "2:6:13:7", "bt2100-pq": "2:6:14:7", "bt2100-hlg": "2:6:15:7",
  ]
}
