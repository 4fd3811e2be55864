/// The header of a JPEG (ITU-T T.81, B.2): its size and sampling, and the range that its kind of file has.

import MediaFormats

struct JPEGFrameHeader: Sendable {
  let header: StreamHeader

  /// JFIF (ITU-T T.871) is full range with the matrix of BT.601, and says nothing of curve and primaries. ffmpeg marks
  /// limited range by a comment.
  init(frame: [UInt8]) throws(BitstreamError) {
    guard frame.starts(with: [0xFF, 0xD8]) else { throw .invalid("no start of an image") }
    var (place, isLimited) = (2, false)
    while place + 4 <= frame.count, frame[place] == 0xFF {
      let (marker, length) = (frame[place + 1], Int(frame[place + 2]) << 8 | Int(frame[place + 3]))
      let end = place + 2 + length
      guard length >= 2, end <= frame.count else { break }
      let body = frame[(place + 4)..<end]
      if marker == 0xFE { isLimited = isLimited || String(decoding: body, as: UTF8.self).hasPrefix("CS=ITU601") }
      if (0xC0...0xC3).contains(marker) {
        header = try JPEGFrameHeader.header(Array(body), isLimited: isLimited)
        return
      }
      place = end
    }
    throw .invalid("no frame header")
  }

  private static func header(_ body: [UInt8], isLimited: Bool) throws(BitstreamError) -> StreamHeader {
    guard body.count >= 6, body.count >= 6 + 3 * Int(body[5]) else { throw .invalid("a short frame header") }
    let samplings = (0..<Int(body[5])).map { body[6 + 3 * $0 + 1] }
    return StreamHeader(
      codec: "mjpeg", profile: nil, chroma: try chroma(samplings), depth: Int(body[0]),
      dimensions: VideoDimensions(
        width: Int(body[3]) << 8 | Int(body[4]), height: Int(body[1]) << 8 | Int(body[2])),
      color: CodedColor(range: isLimited ? .limited : .full, matrix: 5))
  }

  /// By how many samples luma has for one of chroma, across and down.
  private static func chroma(_ samplings: [UInt8]) throws(BitstreamError) -> PixelFormat.Chroma {
    guard let luma = samplings.first else { throw .invalid("no components") }
    guard samplings.count == 3 else { return .gray }
    guard samplings[1] == samplings[2], samplings[1] >> 4 > 0, samplings[1] & 15 > 0 else {
      throw .invalid("an unusual sampling")
    }
    switch ((luma >> 4) / (samplings[1] >> 4), (luma & 15) / (samplings[1] & 15)) {
    case (2, 2): return .yuv420
    case (2, 1): return .yuv422
    case (1, 1): return .yuv444
    default: throw .invalid("an unusual sampling")
    }
  }
}
