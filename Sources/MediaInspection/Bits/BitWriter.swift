/// Puts bits together, the most significant first.

package struct BitWriter: Sendable, Hashable {
  /// The last byte is filled up with zeros.
  package private(set) var bytes: [UInt8] = []
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ bit: Bool) {
    if count.isMultiple(of: 8) { bytes.append(0) }
    if bit { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
    count += 1
  }

  /// The lower `width` bits of a number.
  package mutating func append(_ value: Int, width: Int) {
    for place in (0..<width).reversed() { append(value >> place & 1 == 1) }
  }

  package mutating func append(_ other: BitWriter) { append(0..<other.count, of: other.bytes) }

  /// Bits `range` of `bytes`.
  package mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    for place in range { append(bytes[place / 8] >> UInt8(7 - place % 8) & 1 == 1) }
  }
}
