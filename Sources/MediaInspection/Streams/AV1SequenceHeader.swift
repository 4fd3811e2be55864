/// AV1's sequence header (AV1 bitstream specification, 5.5).

import MediaFormats

struct AV1SequenceHeader: SequenceHeader {
  let header: StreamHeader
  private let colors: AV1ColorConfiguration

  /// - Parameter payload: the open bitstream unit behind its header and size.
  init(payload: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(payload)
    let profile = try reader.bits(3)
    guard profile <= 2 else { throw .invalid("seq_profile") }
    try reader.skip(1)  // still_picture
    let isReduced = try reader.flag()  // reduced_still_picture_header
    if isReduced { try reader.skip(5) } else { try AV1SequenceHeader.skipOperatingPoints(&reader) }
    let dimensions = try AV1SequenceHeader.dimensions(&reader, isReduced: isReduced)
    try AV1SequenceHeader.skipTools(&reader, isReduced: isReduced)
    colors = try AV1ColorConfiguration(&reader, profile: profile)
    header = StreamHeader(
      codec: "av1", profile: ["Main", "High", "Professional"][profile], chroma: colors.chroma, depth: colors.depth,
      dimensions: dimensions, color: colors.color)
  }

  func splice(saying color: CodedColor) throws(BitstreamError) -> BitSplice { try colors.splice(saying: color) }

  /// From `timing_info_present_flag` to the last operating point.
  private static func skipOperatingPoints(_ reader: inout BitReader) throws(BitstreamError) {
    var delayBits: Int?
    if try reader.flag() {
      try skipTiming(&reader)
      if try reader.flag() { delayBits = try decoderModel(&reader) }
    }
    let saysDisplayDelay = try reader.flag()
    let count = try reader.bits(5) + 1
    for _ in 0..<count {
      try reader.skip(12)  // operating_point_idc
      let highestWithoutTier = 7
      if try reader.bits(5) > highestWithoutTier { try reader.skip(1) }
      if let delayBits, try reader.flag() { try reader.skip(2 * delayBits + 1) }
      if saysDisplayDelay, try reader.flag() { try reader.skip(4) }
    }
  }

  private static func skipTiming(_ reader: inout BitReader) throws(BitstreamError) {
    try reader.skip(64)
    if try reader.flag() { _ = try reader.variableLengthCode() }
  }

  /// How many bits a buffer delay has.
  private static func decoderModel(_ reader: inout BitReader) throws(BitstreamError) -> Int {
    let delayBits = try reader.bits(5) + 1
    try reader.skip(32 + 5 + 5)
    return delayBits
  }

  private static func dimensions(
    _ reader: inout BitReader, isReduced: Bool
  ) throws(BitstreamError) -> VideoDimensions {
    let (widthBits, heightBits) = (try reader.bits(4) + 1, try reader.bits(4) + 1)
    let (width, height) = (try reader.bits(widthBits) + 1, try reader.bits(heightBits) + 1)
    if !isReduced, try reader.flag() { try reader.skip(7) }  // frame identifiers
    return VideoDimensions(width: width, height: height)
  }

  /// From `use_128x128_superblock` to `enable_restoration`.
  private static func skipTools(_ reader: inout BitReader, isReduced: Bool) throws(BitstreamError) {
    try reader.skip(3)
    if !isReduced { try skipInterTools(&reader) }
    try reader.skip(3)
  }

  private static func skipInterTools(_ reader: inout BitReader) throws(BitstreamError) {
    try reader.skip(4)
    let hasOrderHint = try reader.flag()
    if hasOrderHint { try reader.skip(2) }
    let choosesScreenContent = try reader.flag()
    let mayBeScreenContent = choosesScreenContent ? true : try reader.flag()
    if mayBeScreenContent, try !reader.flag() { try reader.skip(1) }  // seq_force_integer_mv
    if hasOrderHint { try reader.skip(3) }
  }
}
