/// What AV1's sequence header says about samples and their colour (`color_config`, AV1 bitstream specification, 5.5.2).

import MediaFormats

struct AV1ColorConfiguration: Sendable, Hashable {
  private(set) var depth: Int
  private(set) var chroma = PixelFormat.Chroma.yuv420
  private(set) var color: CodedColor
  /// From `color_description_present_flag` to `color_range`, both included.
  private var bits = 0..<0

  init(_ reader: inout BitReader, profile: Int) throws(BitstreamError) {
    let isHigh = try reader.flag()
    depth = isHigh ? 10 : 8
    if profile == 2, isHigh, try reader.flag() { depth = 12 }
    let isGray = profile == 1 ? false : try reader.flag()
    let start = reader.position
    color = try AV1ColorConfiguration.description(&reader)
    let isRGB = !isGray && color.isRGB
    color.range = isRGB ? .full : try reader.flag() ? .full : .limited
    bits = start..<reader.position
    chroma = isGray ? .gray : isRGB ? .rgb : try subsampling(&reader, profile)
  }

  private static func description(_ reader: inout BitReader) throws(BitstreamError) -> CodedColor {
    guard try reader.flag() else { return CodedColor() }
    let (primaries, transfer) = (try reader.bits(8), try reader.bits(8))
    return CodedColor(matrix: try reader.bits(8), transfer: transfer, primaries: primaries)
  }

  private func subsampling(_ reader: inout BitReader, _ profile: Int) throws(BitstreamError) -> PixelFormat.Chroma {
    switch profile {
    case 0: return .yuv420
    case 1: return .yuv444
    default:
      guard depth == 12 else { return .yuv422 }
      guard try reader.flag() else { return .yuv444 }
      return try reader.flag() ? .yuv420 : .yuv422
    }
  }

  /// - Throws: `unsayable` from or to sRGB with the identity matrix: the fields behind the colour are others there.
  func splice(saying color: CodedColor) throws(BitstreamError) -> BitSplice {
    guard color.matrix != CodedColor.identityMatrix, chroma != .rgb else {
      throw .unsayable("AV1 says RGB by other fields than YUV")
    }
    var writer = BitWriter()
    writer.append(true)
    for code in [color.primaries, color.transfer, color.matrix] {
      writer.append(code ?? CodedColor.unspecified, width: 8)
    }
    writer.append(color.range == .full)
    return BitSplice(bits, writer)
  }
}

extension CodedColor {
  /// What AV1 takes as sRGB: primaries of BT.709, its transfer, the identity matrix.
  fileprivate var isRGB: Bool { matrix == CodedColor.identityMatrix && transfer == 13 && primaries == 1 }
}
