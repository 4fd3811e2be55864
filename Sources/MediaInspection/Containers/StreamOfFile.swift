/// What a file's pictures are as a stream: for writing them into another file, as they are.

import MediaFormats

extension MediaFile {
  /// Decoding times in nanoseconds, with those of showing, from 0 on: a container may tell only the latter. Frames are
  /// decoded in their order; each is decoded before it is shown.
  package var nanoseconds: [(dts: Int64, pts: Int64)] {
    let unit = 1e9 / timescale
    let start = frames.map(\.time).min() ?? 0
    let shown = frames.map { Int64((Double($0.time - start) * unit).rounded()) }
    let inOrder = shown.sorted()
    let delay = zip(inOrder, shown).map { $0 - $1 }.max() ?? 0
    return zip(inOrder, shown).map { (dts: $0, pts: $1 + max(0, delay)) }
  }

  /// Nanoseconds that most frames last; where the container rounds times, as Matroska does to milliseconds, on average.
  package var period: Int64? {
    let times = frames.map(\.time).sorted()
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
    guard !gaps.isEmpty else { return nil }
    let usual = gaps.filter { abs($0 - gaps[gaps.count / 2]) <= 1 }
    return Int64((Double(usual.reduce(0, +)) / Double(usual.count) * 1e9 / timescale).rounded())
  }

  /// GStreamer's caps of the stream, as text; `nil` for a codec that they are not known of.
  package var streamCaps: String? {
    let formats = [
      "h264": "video/x-h264, stream-format=(string)avc, alignment=(string)au",
      "h265": "video/x-h265, stream-format=(string)hvc1, alignment=(string)au",
      "av1": "video/x-av1, stream-format=(string)obu-stream, alignment=(string)tu", "vp8": "video/x-vp8",
      "vp9": "video/x-vp9, alignment=(string)frame", "mjpeg": "image/jpeg",
    ]
    guard var caps = formats[codec] else { return nil }
    if ["h264", "h265"].contains(codec) {
      guard let configuration else { return nil }
      caps += ", codec_data=(buffer)" + configuration.map { hex($0) }.joined()
    }
    caps += ", width=(int)\(dimensions.width), height=(int)\(dimensions.height)"
    if let period, let rate = MediaFile.rate(of: period) { caps += ", framerate=(fraction)\(rate)" }
    return caps
  }

  private func hex(_ byte: UInt8) -> String { String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }

  /// The usual ones are meant exactly.
  private static func rate(of period: Int64) -> Fraction? {
    let rate = 1e9 / Double(period)
    let usual = [24, 25, 30, 48, 50, 60, 100, 120].flatMap { [Fraction($0), Fraction($0 * 1000, 1001)] }
    let nearest = usual.min { abs($0.value - rate) < abs($1.value - rate) }
    return nearest.flatMap { abs($0.value / rate - 1) < 0.002 ? $0 : nil }
      ?? Fraction(Int((rate * 1000).rounded()), 1000)
  }
}
