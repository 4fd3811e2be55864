/// Reads a header bit by bit, the most significant first, with the codes that video headers use.

package struct BitReader: Sendable {
  private let bytes: [UInt8]
  /// In bits from the first.
  package private(set) var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var remaining: Int { bytes.count * 8 - position }

  package mutating func flag() throws(BitstreamError) -> Bool {
    guard position < bytes.count * 8 else { throw .truncated }
    defer { position += 1 }
    return bytes[position / 8] >> UInt8(7 - position % 8) & 1 == 1
  }

  /// An unsigned number of 0 to 32 bits: `u(n)` of ITU-T H.264, `f(n)` of AV1.
  package mutating func bits(_ count: Int) throws(BitstreamError) -> Int {
    guard count <= remaining else { throw .truncated }
    var value = 0
    for _ in 0..<count { value = value << 1 | (try flag() ? 1 : 0) }
    return value
  }

  package mutating func skip(_ count: Int) throws(BitstreamError) {
    guard count <= remaining else { throw .truncated }
    position += count
  }

  /// `ue(v)` of ITU-T H.264, 9.1, up to 2^32 - 2.
  package mutating func exponentialGolomb() throws(BitstreamError) -> Int {
    let zeros = try leadingZeros()
    return (1 << zeros) - 1 + (try bits(zeros))
  }

  /// The same within bounds.
  /// - Parameter field: its name, for the error.
  package mutating func exponentialGolomb(
    _ field: String, _ range: ClosedRange<Int>
  ) throws(BitstreamError) -> Int {
    let value = try exponentialGolomb()
    guard range.contains(value) else { throw .invalid(field) }
    return value
  }

  /// `se(v)` of ITU-T H.264, 9.1.1.
  package mutating func signedExponentialGolomb() throws(BitstreamError) -> Int {
    let code = try exponentialGolomb()
    return code.isMultiple(of: 2) ? -(code / 2) : code / 2 + 1
  }

  /// `uvlc()` of AV1, 4.10.3: as `ue(v)`, but 32 zeros and more have no bits after them.
  package mutating func variableLengthCode() throws(BitstreamError) -> Int {
    var zeros = 0
    while try !flag() { zeros += 1 }
    return zeros >= 32 ? (1 << 32) - 1 : (1 << zeros) - 1 + (try bits(zeros))
  }

  private mutating func leadingZeros() throws(BitstreamError) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else { throw .invalid("Exp-Golomb code") }
    }
    return zeros
  }
}
