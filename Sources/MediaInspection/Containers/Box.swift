/// Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), looked at where they lie.

struct Box: Hashable {
  var kind: String
  /// Of the whole box.
  var offset: UInt64
  /// Of what it holds.
  var start: UInt64
  var end: UInt64
  /// True where the file, or the box around it, ends before.
  var isTruncated: Bool

  var size: UInt64 { end - offset }
}

extension FileBytes {
  /// The box at a place; `nil` where no header is.
  func box(at offset: UInt64, within end: UInt64) -> Box? {
    let head = read(at: offset, count: 16)
    guard offset + 8 <= end, head.count >= 8 else { return nil }
    let length = head[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var (size, start) = (length, offset + 8)
    if length == 1 {
      guard head.count == 16 else { return nil }
      (size, start) = (head[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, offset + 16)
    } else if length == 0 {
      size = end - offset
    }
    guard size >= start - offset else { return nil }
    let isTruncated = size > end - offset
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    return Box(
      kind: kind, offset: offset, start: start, end: isTruncated ? end : offset + size, isTruncated: isTruncated)
  }

  func boxes(from start: UInt64, to end: UInt64) -> [Box] {
    var (found, place): ([Box], UInt64) = ([], start)
    while found.count < 1_000_000, let box = box(at: place, within: end) {
      found.append(box)
      place = box.end
    }
    return found
  }

  /// What a box holds, from a place in it on.
  func children(of box: Box, skipping bytes: UInt64 = 0) -> [Box] {
    box.start + bytes <= box.end ? boxes(from: box.start + bytes, to: box.end) : []
  }

  /// The first of a kind on each level.
  func descendant(of box: Box, _ path: String...) -> Box? {
    var current = box
    for kind in path {
      guard let next = children(of: current).first(where: { $0.kind == kind }) else { return nil }
      current = next
    }
    return current
  }

  func contents(of box: Box, most: Int = 1 << 20) -> [UInt8] {
    read(at: box.start, count: Int(min(UInt64(most), box.end - box.start)))
  }
}

/// Big-endian numbers one after the other; zeros once the bytes are used up.
struct NumberReader {
  private let bytes: [UInt8]
  private(set) var place: Int

  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func number(_ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in place..<place + count { value = value << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    place += count
    return value
  }

  mutating func signed32() -> Int64 { Int64(Int32(truncatingIfNeeded: number(4))) }

  mutating func skip(_ count: Int) { place += count }
}
