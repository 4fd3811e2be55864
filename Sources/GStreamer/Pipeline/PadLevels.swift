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
    guard let codes = unsafe LumaGrid(points: points).codes(of: buffer, caps: caps) else { return nil }
    var counts = [Int](repeating: 0, count: 256)
    for code in codes { counts[Int(code)] += 1 }
    return counts
  }
}
