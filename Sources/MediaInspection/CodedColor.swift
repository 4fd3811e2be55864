/// Colour as streams and containers write it: code points of ISO/IEC 23091-2 (ITU-T H.273), shared by the VUI of H.264
/// and H.265, the sequence header of AV1, and the `colr`, `vpcC` and Matroska `Colour` fields.

public import MediaFormats

public struct CodedColor: Sendable, Hashable {
  public var range: ColorRange?
  /// `MatrixCoefficients`; `nil` where it is not written, or written as 2, "unspecified".
  public var matrix: Int?
  /// `TransferCharacteristics`.
  public var transfer: Int?
  /// `ColourPrimaries`.
  public var primaries: Int?

  public init(range: ColorRange? = nil, matrix: Int? = nil, transfer: Int? = nil, primaries: Int? = nil) {
    let specified = { (code: Int?) in code == CodedColor.unspecified ? nil : code }
    self.range = range
    self.matrix = specified(matrix)
    self.transfer = specified(transfer)
    self.primaries = specified(primaries)
  }

  /// The code that means "not known".
  public static let unspecified = 2

  public init(_ colorimetry: Colorimetry) {
    self.init(
      range: colorimetry.range, matrix: colorimetry.matrix?.codePoint, transfer: colorimetry.transfer?.codePoint,
      primaries: colorimetry.primaries?.codePoint)
  }

  public var isComplete: Bool { range != nil && matrix != nil && transfer != nil && primaries != nil }

  /// ITU-T T.871: the RGB of sRGB by the matrix of BT.601, in all codes.
  static let jpeg = CodedColor(range: .full, matrix: 6, transfer: 13, primaries: 1)

  /// The fields of this one, and those of the other where this one has none.
  func completed(by other: CodedColor) -> CodedColor {
    CodedColor(
      range: range ?? other.range, matrix: matrix ?? other.matrix, transfer: transfer ?? other.transfer,
      primaries: primaries ?? other.primaries)
  }

  /// True where nothing at all is written.
  public var isSilent: Bool { self == CodedColor() }
}

extension CodedColor: CustomStringConvertible {
  /// As `full 1/1/6`: range, then primaries, transfer and matrix in the order of the `nclx` box; `?` is not written.
  public var description: String {
    let codes = [primaries, transfer, matrix].map { $0.map(String.init) ?? "?" }
    return "\(range?.name ?? "?") \(codes.joined(separator: "/"))"
  }
}
