/// The uncompressed header of a VP9 key frame, or of an intra-only one that says its colour (VP9 bitstream
/// specification, 6.2).

import MediaFormats

struct VP9FrameHeader: SequenceHeader {
  let header: StreamHeader
  /// `color_space` and, but for RGB, `color_range`.
  private let bits: Range<Int>

  /// - Parameter frame: one frame, not a superframe of several.
  /// - Throws: `invalid` also for a frame that builds on others and so says no colour.
  init(frame: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(frame)
    let profile = try VP9FrameHeader.profile(&reader)
    let isKey = try VP9FrameHeader.isKeyFrame(&reader)
    guard isKey || profile > 0 else { throw .invalid("frame type") }
    guard try reader.bits(24) == 0x498342 else { throw .invalid("frame_sync_code") }
    var depth = 8
    if profile >= 2 { depth = try reader.flag() ? 12 : 10 }
    let start = reader.position
    let space = try reader.bits(3)
    let range: ColorRange = space == VP9ColorSpace.rgb ? .full : try reader.flag() ? .full : .limited
    bits = start..<reader.position
    let chroma = try VP9FrameHeader.subsampling(&reader, profile: profile, isRGB: space == VP9ColorSpace.rgb)
    if !isKey { try reader.skip(8) }  // refresh_frame_flags
    let dimensions = VideoDimensions(width: try reader.bits(16) + 1, height: try reader.bits(16) + 1)
    header = StreamHeader(
      codec: "vp9", profile: "Profile \(profile)", chroma: chroma, depth: depth, dimensions: dimensions,
      color: CodedColor(range: range, matrix: VP9ColorSpace.matrix(ofCode: space)))
  }

  /// True for the frames that say their colour.
  static func isIn(_ frame: ArraySlice<UInt8>) -> Bool {
    var reader = BitReader(Array(frame.prefix(4)))
    guard let profile = try? profile(&reader), let isKey = try? isKeyFrame(&reader) else { return false }
    return isKey || profile > 0
  }

  private static func profile(_ reader: inout BitReader) throws(BitstreamError) -> Int {
    guard try reader.bits(2) == 2 else { throw .invalid("frame_marker") }
    let profile = (try reader.flag() ? 1 : 0) + (try reader.flag() ? 2 : 0)
    if profile == 3, try reader.flag() { throw .invalid("profile") }
    return profile
  }

  /// True for a key frame, false for an intra-only one.
  private static func isKeyFrame(_ reader: inout BitReader) throws(BitstreamError) -> Bool {
    if try reader.flag() { throw .invalid("frame type") }  // show_existing_frame
    let isKey = try !reader.flag()
    let (isShown, resists) = (try reader.flag(), try reader.flag())
    if isKey { return true }
    guard !isShown, try reader.flag() else { throw .invalid("frame type") }  // intra_only
    if !resists { try reader.skip(2) }  // reset_frame_context
    return false
  }

  private static func subsampling(
    _ reader: inout BitReader, profile: Int, isRGB: Bool
  ) throws(BitstreamError) -> PixelFormat.Chroma {
    guard !profile.isMultiple(of: 2) else {
      if isRGB { throw .invalid("color_space") }
      return .yuv420
    }
    defer { try? reader.skip(1) }  // reserved_zero
    if isRGB { return .rgb }
    switch try reader.bits(2) {
    case 0: return .yuv444
    case 2: return .yuv422
    default: throw .invalid("subsampling")
    }
  }

  /// As long as what it replaces: the frame is changed in place. VP9 has no word for transfer and primaries.
  /// - Throws: `unsayable` from or to RGB, and for a matrix that VP9 does not know.
  func splice(saying color: CodedColor) throws(BitstreamError) -> BitSplice {
    let space = VP9ColorSpace.code(ofMatrix: color.matrix)
    guard let space, space != VP9ColorSpace.rgb, header.chroma != .rgb else {
      throw .unsayable("VP9 has no word for matrix \(color.matrix ?? CodedColor.unspecified) here")
    }
    var writer = BitWriter()
    writer.append(space, width: 3)
    writer.append(color.range == .full)
    return BitSplice(bits, writer)
  }
}

/// `color_space` of VP9 (7.2.2), which tells little more than the matrix.
enum VP9ColorSpace {
  static let rgb = 7

  /// By code: unknown, BT.601, BT.709, SMPTE 170M, SMPTE 240M, BT.2020, reserved, sRGB. The first is the one of 625
  /// lines, because the one of 525 lines has a code of its own.
  private static let matrices = [nil, 5, 1, 6, 7, 9, nil, CodedColor.identityMatrix]

  static func matrix(ofCode code: Int) -> Int? { matrices[code] }

  static func code(ofMatrix matrix: Int?) -> Int? { matrix.flatMap { matrices.firstIndex(of: $0) } }
}
