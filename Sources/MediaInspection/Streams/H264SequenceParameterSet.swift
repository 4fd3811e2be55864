/// H.264's sequence parameter set (ITU-T H.264, 7.3.2.1.1), as far as its VUI says colour.

import MediaFormats

struct H264SequenceParameterSet: SequenceHeader {
  let header: StreamHeader
  private let usability: VideoUsability

  /// Flags of its VUI behind the colour: chroma_loc_info, timing_info, nal_hrd, vcl_hrd, pic_struct and
  /// bitstream_restriction.
  private static let flagsBehindColor = 6

  /// - Parameter payload: the NAL unit behind its header byte, without emulation prevention.
  init(payload: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(payload)
    let profile = H264Profile(code: try reader.bits(8), constraints: try reader.bits(8))
    try reader.skip(8)  // level_idc
    _ = try reader.exponentialGolomb("seq_parameter_set_id", 0...31)
    let samples = try H264Samples(&reader, profile)
    try H264SequenceParameterSet.skipPictureOrder(&reader)
    let dimensions = try H264SequenceParameterSet.dimensions(&reader, samples.chroma)
    usability = try VideoUsability(&reader, flagsBehind: H264SequenceParameterSet.flagsBehindColor)
    header = StreamHeader(
      codec: "h264", profile: profile.name, chroma: samples.chroma.chroma(usability.color), depth: samples.depth,
      dimensions: dimensions, color: usability.color)
  }

  func splice(saying color: CodedColor) -> BitSplice { usability.splice(saying: color) }

  private static func skipPictureOrder(_ reader: inout BitReader) throws(BitstreamError) {
    _ = try reader.exponentialGolomb("log2_max_frame_num_minus4", 0...12)
    switch try reader.exponentialGolomb("pic_order_cnt_type", 0...2) {
    case 0: _ = try reader.exponentialGolomb("log2_max_pic_order_cnt_lsb_minus4", 0...12)
    case 1:
      try reader.skip(1)
      for _ in 0..<2 { _ = try reader.exponentialGolomb() }
      let cycle = try reader.exponentialGolomb("num_ref_frames_in_pic_order_cnt_cycle", 0...255)
      for _ in 0..<cycle { _ = try reader.exponentialGolomb() }
    default: break
    }
    _ = try reader.exponentialGolomb()  // max_num_ref_frames
    try reader.skip(1)  // gaps_in_frame_num_value_allowed_flag
  }

  private static func dimensions(
    _ reader: inout BitReader, _ chroma: ChromaFormat
  ) throws(BitstreamError) -> VideoDimensions {
    let (across, down) = (try reader.exponentialGolomb() + 1, try reader.exponentialGolomb() + 1)
    let isProgressive = try reader.flag()
    if !isProgressive { try reader.skip(1) }  // mb_adaptive_frame_field_flag
    try reader.skip(1)  // direct_8x8_inference_flag
    let fields = isProgressive ? 1 : 2
    let coded = VideoDimensions(width: across * 16, height: down * 16 * fields)
    let unit = chroma.unit
    return try Cropping(&reader).applied(to: coded, unit: (unit.width, unit.height * fields))
  }
}

/// Chroma format and depth, which only the high profiles write, and the scaling matrices behind them.
private struct H264Samples {
  var chroma = ChromaFormat.yuv420
  var depth = 8

  init(_ reader: inout BitReader, _ profile: H264Profile) throws(BitstreamError) {
    guard profile.hasChromaFormat else { return }
    chroma = try ChromaFormat(&reader)
    depth = try reader.exponentialGolomb("bit_depth_luma_minus8", 0...6) + 8
    _ = try reader.exponentialGolomb("bit_depth_chroma_minus8", 0...6)
    try reader.skip(1)  // qpprime_y_zero_transform_bypass_flag
    guard try reader.flag() else { return }
    for list in 0..<(chroma.code == 3 ? 12 : 8) where try reader.flag() {
      try H264Samples.skipScalingList(&reader, size: list < 6 ? 16 : 64)
    }
  }

  /// 7.3.2.1.1.1: a scale of 0 ends the list.
  private static func skipScalingList(_ reader: inout BitReader, size: Int) throws(BitstreamError) {
    var last = 8
    for _ in 0..<size {
      last = (last + (try reader.signedExponentialGolomb())) & 255
      if last == 0 { return }
    }
  }
}

/// `profile_idc` with the constraint flags that make profiles of their own of some (ITU-T H.264, annex A).
private struct H264Profile {
  let code: Int
  /// `constraint_set0_flag` is the highest bit.
  let constraints: Int

  var hasChromaFormat: Bool { [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(code) }

  var name: String {
    let (set1, set3) = (constraints & 0x40 != 0, constraints & 0x10 != 0)
    let intra = set3 ? " Intra" : ""
    return switch code {
    case 66: set1 ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: "High"
    case 110: "High 10\(intra)"
    case 122: "High 4:2:2\(intra)"
    case 244: "High 4:4:4 \(set3 ? "Intra" : "Predictive")"
    case 44: "CAVLC 4:4:4 Intra"
    default: "profile \(code)"
    }
  }
}
