/// A header of a stream that says its colour, read, with the place in which it says it.

import MediaFormats

package protocol SequenceHeader: Sendable {
  var header: StreamHeader { get }

  /// What to write so that the header says this colour and is the same in all else.
  /// - Throws: `unsayable` for a colour that the codec has no words for here.
  func splice(saying color: CodedColor) throws(BitstreamError) -> BitSplice
}

extension CodedColor {
  /// This colour where it is known, another one for the rest.
  func completed(from other: CodedColor) -> CodedColor {
    CodedColor(
      range: range ?? other.range, matrix: matrix ?? other.matrix, transfer: transfer ?? other.transfer,
      primaries: primaries ?? other.primaries)
  }

  /// `MatrixCoefficients` of samples that are red, green and blue themselves.
  static let identityMatrix = 0
}

/// What `chroma_format_idc` says, in H.264 and H.265 alike.
struct ChromaFormat: Sendable, Hashable {
  let code: Int
  /// Three pictures of one component each.
  let hasSeparatePlanes: Bool

  init(_ reader: inout BitReader) throws(BitstreamError) {
    code = try reader.exponentialGolomb("chroma_format_idc", 0...3)
    hasSeparatePlanes = code == 3 ? try reader.flag() : false
  }

  private init(code: Int) { (self.code, hasSeparatePlanes) = (code, false) }

  /// What profiles have that do not say it.
  static let yuv420 = ChromaFormat(code: 1)

  /// Luma samples a chroma sample, across and down; the unit that cropping is counted in.
  var unit: (width: Int, height: Int) {
    let isOfOnePlane = hasSeparatePlanes || code == 0
    return isOfOnePlane ? (1, 1) : (code == 3 ? 1 : 2, code == 1 ? 2 : 1)
  }

  func chroma(_ color: CodedColor) -> PixelFormat.Chroma {
    switch code {
    case 0: .gray
    case 1: .yuv420
    case 2: .yuv422
    default: color.matrix == CodedColor.identityMatrix ? .rgb : .yuv444
    }
  }
}

/// The part of a coded picture that is shown, in H.264 and H.265 alike.
struct Cropping: Sendable, Hashable {
  /// Sums of both sides, in the unit that the chroma format gives.
  private var across = 0
  private var down = 0

  /// Reads from the flag on that says whether there is one.
  init(_ reader: inout BitReader) throws(BitstreamError) {
    guard try reader.flag() else { return }
    across = try reader.exponentialGolomb() + reader.exponentialGolomb()
    down = try reader.exponentialGolomb() + reader.exponentialGolomb()
  }

  func applied(
    to coded: VideoDimensions, unit: (width: Int, height: Int)
  ) throws(BitstreamError) -> VideoDimensions {
    let shown = VideoDimensions(width: coded.width - across * unit.width, height: coded.height - down * unit.height)
    let sides = 1...65_535
    guard sides.contains(shown.width), sides.contains(shown.height) else { throw .invalid("picture size") }
    return shown
  }
}
