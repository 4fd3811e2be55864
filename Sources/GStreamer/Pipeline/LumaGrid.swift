/// Reads the luma of a raw picture on an even grid, as it is: no conversion, whatever the caps say.

import CGStreamer

struct LumaGrid: Sendable {
  /// At most so many are read.
  let points: Int

  /// Codes of 8 bits, row by row; deeper samples give their upper 8 bits. `nil` where the picture has no luma in whole
  /// bytes, or cannot be mapped.
  func codes(of buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>) -> [UInt8]? {
    var info = unsafe GstVideoInfo()
    var frame = unsafe GstVideoFrame()
    guard unsafe gst_video_info_from_caps(&info, caps) != 0, unsafe capstan_has_luma(&info),
      unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { return nil }
    defer { unsafe gst_video_frame_unmap(&frame) }
    return unsafe codes(of: capstan_luma(&frame))
  }

  private func codes(of luma: capstan_luma_plane) -> [UInt8]? {
    guard let bytes = unsafe luma.bytes?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let (width, height, depth) = unsafe (Int(luma.width), Int(luma.height), Int(luma.depth))
    let step = max(1, Int((Double(width * height) / Double(max(1, points))).squareRoot().rounded(.up)))
    var codes: [UInt8] = []
    codes.reserveCapacity((width / step + 1) * (height / step + 1))
    for row in stride(from: 0, to: height, by: step) {
      let start = unsafe row * Int(luma.stride)
      for column in stride(from: 0, to: width, by: step) {
        let place = unsafe start + column * Int(luma.pixel_stride)
        let code =
          unsafe depth > 8
          ? Int(bytes[place]) >> (depth - 8) | Int(bytes[place + 1]) << (16 - depth) : Int(bytes[place])
        codes.append(UInt8(code & 0xFF))
      }
    }
    return codes
  }
}
