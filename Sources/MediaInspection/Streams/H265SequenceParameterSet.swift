/// H.265's sequence parameter set (ITU-T H.265, 7.3.2.2), as far as its VUI says colour.

import MediaFormats

struct H265SequenceParameterSet: SequenceHeader {
  let header: StreamHeader
  private let usability: VideoUsability

  /// Flags of its VUI behind the colour: chroma_loc_info, neutral_chroma, field_seq, frame_field_info,
  /// default_display_window, timing_info and bitstream_restriction.
  private static let flagsBehindColor = 7

  /// - Parameter payload: the NAL unit behind its two header bytes, without emulation prevention.
  init(payload: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(payload)
    try reader.skip(4)  // sps_video_parameter_set_id
    let subLayers = try reader.bits(3)  // sps_max_sub_layers_minus1
    try reader.skip(1)  // sps_temporal_id_nesting_flag
    let profile = try H265SequenceParameterSet.profile(&reader, subLayers: subLayers)
    _ = try reader.exponentialGolomb("sps_seq_parameter_set_id", 0...15)
    let chroma = try ChromaFormat(&reader)
    let dimensions = try H265SequenceParameterSet.dimensions(&reader, chroma)
    let depth = try reader.exponentialGolomb("bit_depth_luma_minus8", 0...8) + 8
    _ = try reader.exponentialGolomb("bit_depth_chroma_minus8", 0...8)
    try H265SequenceParameterSet.skipCodingTools(&reader, subLayers: subLayers)
    usability = try VideoUsability(&reader, flagsBehind: H265SequenceParameterSet.flagsBehindColor)
    header = StreamHeader(
      codec: "h265", profile: profile, chroma: chroma.chroma(usability.color), depth: depth,
      dimensions: dimensions, color: usability.color)
  }

  func splice(saying color: CodedColor) -> BitSplice { usability.splice(saying: color) }

  /// `profile_tier_level` (7.3.3).
  private static func profile(_ reader: inout BitReader, subLayers: Int) throws(BitstreamError) -> String {
    try reader.skip(3)  // general_profile_space, general_tier_flag
    let profile = try reader.bits(5)
    try reader.skip(88)  // compatibility flags, constraints, level
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers { present.append((try reader.flag(), try reader.flag())) }
    if subLayers > 0 { try reader.skip((8 - subLayers) * 2) }
    for layer in present { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    return names[profile] ?? "profile \(profile)"
  }

  private static let names = [
    1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Format Range Extensions", 5: "High Throughput",
    9: "Screen Content Coding",
  ]

  private static func dimensions(
    _ reader: inout BitReader, _ chroma: ChromaFormat
  ) throws(BitstreamError) -> VideoDimensions {
    let coded = VideoDimensions(width: try reader.exponentialGolomb(), height: try reader.exponentialGolomb())
    return try Cropping(&reader).applied(to: coded, unit: chroma.unit)
  }

  /// Everything between the bit depths and the VUI.
  private static func skipCodingTools(_ reader: inout BitReader, subLayers: Int) throws(BitstreamError) {
    let orderBits = try reader.exponentialGolomb("log2_max_pic_order_cnt_lsb_minus4", 0...12) + 4
    let isForEach = try reader.flag()  // sps_sub_layer_ordering_info_present_flag
    for _ in 0..<(isForEach ? subLayers + 1 : 1) * 3 { _ = try reader.exponentialGolomb() }
    for _ in 0..<6 { _ = try reader.exponentialGolomb() }  // sizes and depths of blocks
    if try reader.flag(), try reader.flag() { try skipScalingLists(&reader) }
    try reader.skip(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    if try reader.flag() { try skipPulseCodeModulation(&reader) }
    try H265ReferencePictures.skipSets(&reader)
    if try reader.flag() { try skipLongTermPictures(&reader, orderBits: orderBits) }
    try reader.skip(2)  // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
  }

  /// `scaling_list_data` (7.3.4).
  private static func skipScalingLists(_ reader: inout BitReader) throws(BitstreamError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        let isPredicted = try !reader.flag()  // scaling_list_pred_mode_flag
        let coefficients = min(64, 16 << (size * 2)) + (size > 1 ? 1 : 0)
        for _ in 0..<(isPredicted ? 1 : coefficients) { _ = try reader.exponentialGolomb() }
      }
    }
  }

  private static func skipPulseCodeModulation(_ reader: inout BitReader) throws(BitstreamError) {
    try reader.skip(8)
    for _ in 0..<2 { _ = try reader.exponentialGolomb() }
    try reader.skip(1)
  }

  private static func skipLongTermPictures(
    _ reader: inout BitReader, orderBits: Int
  ) throws(BitstreamError) {
    let count = try reader.exponentialGolomb("num_long_term_ref_pics_sps", 0...32)
    try reader.skip(count * (orderBits + 1))
  }
}
