/// The open bitstream units of an AV1 temporal unit, in the low-overhead format that containers and GStreamer's
/// `obu-stream` share (AV1 bitstream specification, 5.3).

struct OpenBitstreamUnit: Sendable, Hashable {
  static let sequenceHeader = 1

  let type: Int
  /// With header and size.
  let range: Range<Int>
  let payload: Range<Int>
  /// Header, and extension where there is one.
  private let headerSize: Int
  private let hasSize: Bool

  /// Those of a temporal unit, as far as they can be read.
  static func all(in bytes: [UInt8]) -> [OpenBitstreamUnit] {
    var units: [OpenBitstreamUnit] = []
    while let unit = OpenBitstreamUnit(bytes, at: units.last?.range.upperBound ?? 0) { units.append(unit) }
    return units
  }

  private init?(_ bytes: [UInt8], at start: Int) {
    guard start < bytes.count, bytes[start] & 0x80 == 0 else { return nil }
    type = Int(bytes[start] >> 3 & 15)
    headerSize = bytes[start] & 4 == 0 ? 1 : 2
    hasSize = bytes[start] & 2 != 0
    var place = start + headerSize
    var size = bytes.count - place
    if hasSize {
      guard let read = OpenBitstreamUnit.size(bytes, &place) else { return nil }
      size = read
    }
    guard size >= 0, size <= bytes.count - place else { return nil }
    payload = place..<place + size
    range = start..<payload.upperBound
  }

  /// The unit with another payload.
  func bytes(in all: [UInt8], payload: [UInt8]) -> [UInt8] {
    let head = Array(all[range.lowerBound..<range.lowerBound + headerSize])
    return head + (hasSize ? OpenBitstreamUnit.leb128(payload.count) : []) + payload
  }

  /// `leb128()` (4.10.5): seven bits a byte, the lowest first.
  private static func size(_ bytes: [UInt8], _ place: inout Int) -> Int? {
    var value = 0
    for index in 0..<8 where place < bytes.count {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7f) << (index * 7)
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func leb128(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + leb128(value >> 7)
  }
}
