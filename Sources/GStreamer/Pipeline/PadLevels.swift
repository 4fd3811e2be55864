/// Counting the luma codes of the pictures that pass a pad, as they are: no conversion, whatever the caps say.

import CGStreamer

extension Pad {
  /// Calls `body` for each raw picture with how often each code of 8 bits was seen; deeper samples count by their upper
  /// 8 bits. Large pictures are sampled on a grid of at most a quarter of a million points.
  @discardableResult
  package func observeLevels(_ body: @escaping @Sendable ([Int]) -> Void) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_BUFFER.rawValue) { info in
      guard let buffer = unsafe gst_pad_probe_info_get_buffer(info),
        let pad = unsafe Owned(adopting: gst_pad_get_current_caps(self.pointer))
      else { return GST_PAD_PROBE_OK }
      if let counts = unsafe LevelReader.counts(buffer, caps: pad.pointer) { body(counts) }
      return GST_PAD_PROBE_OK
    }
  }
}

private enum LevelReader {
  static let points = 250_000

  static func counts(_ buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>) -> [Int]? {
    var info = unsafe GstVideoInfo()
    var frame = unsafe GstVideoFrame()
    guard unsafe gst_video_info_from_caps(&info, caps) != 0, unsafe capstan_has_luma(&info),
      unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { return nil }
    defer { unsafe gst_video_frame_unmap(&frame) }
    let luma = unsafe capstan_luma(&frame)
    guard let bytes = unsafe luma.bytes?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let (width, height) = unsafe (Int(luma.width), Int(luma.height))
    let step = max(1, Int((Double(width * height) / Double(points)).squareRoot().rounded(.up)))
    var counts = [Int](repeating: 0, count: 256)
    for row in stride(from: 0, to: height, by: step) {
      let start = unsafe row * Int(luma.stride)
      for column in stride(from: 0, to: width, by: step) {
        let place = unsafe start + column * Int(luma.pixel_stride)
        let code =
          unsafe luma.depth > 8
          ? Int(bytes[place] | 0) >> (Int(luma.depth) - 8) | Int(bytes[place + 1]) << (16 - Int(luma.depth))
          : Int(bytes[place])
        counts[code & 0xFF] += 1
      }
    }
    return counts
  }
}
