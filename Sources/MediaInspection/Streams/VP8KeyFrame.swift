/// What a VP8 key frame says of itself (RFC 6386, 9.1). Of colour it says nothing: its one bit for it has one meaning.

import MediaFormats

struct VP8KeyFrame: Sendable {
  let header: StreamHeader

  init(frame: [UInt8]) throws(BitstreamError) {
    guard frame.count >= 10 else { throw .truncated }
    guard frame[0] & 1 == 0 else { throw .invalid("frame type") }
    guard frame[3...5].elementsEqual([0x9d, 0x01, 0x2a]) else { throw .invalid("start code") }
    let side = { (place: Int) in Int(frame[place]) | Int(frame[place + 1] & 0x3f) << 8 }
    header = StreamHeader(
      codec: "vp8", profile: "Profile \(frame[0] >> 1 & 7)", chroma: .yuv420, depth: 8,
      dimensions: VideoDimensions(width: side(6), height: side(8)), color: CodedColor())
  }
}
