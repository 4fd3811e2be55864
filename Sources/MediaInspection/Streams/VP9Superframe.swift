/// Several VP9 frames in one buffer, of which the last is shown (VP9 bitstream specification, annex B).

enum VP9Superframe {
  /// Where the frames are: all of the buffer, where it has no index of several.
  static func frames(in bytes: [UInt8]) -> [Range<Int>] {
    guard let sizes = sizes(in: bytes) else { return [0..<bytes.count] }
    var frames: [Range<Int>] = []
    for size in sizes {
      let start = frames.last?.upperBound ?? 0
      frames.append(start..<start + size)
    }
    return frames
  }

  /// The index is at the end, between two bytes that are the same.
  private static func sizes(in bytes: [UInt8]) -> [Int]? {
    guard let marker = bytes.last, marker & 0xe0 == 0xc0 else { return nil }
    let (count, width) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
    let start = bytes.count - count * width - 2
    guard start >= 0, bytes[start] == marker else { return nil }
    let sizes = (0..<count).map { frame in
      (0..<width).reduce(0) { $0 | Int(bytes[start + 1 + frame * width + $1]) << ($1 * 8) }
    }
    return sizes.reduce(0, +) <= start ? sizes : nil
  }
}
