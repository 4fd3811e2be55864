/// Replaces bits in the middle of a header and leaves all others as they are.

/// Some bits of a header and what takes their place.
package struct BitSplice: Sendable, Hashable {
  package var range: Range<Int>
  package var replacement: BitWriter

  package init(_ range: Range<Int>, _ replacement: BitWriter) {
    self.range = range
    self.replacement = replacement
  }

  /// False where these bits are there already.
  package func changes(_ bytes: [UInt8]) -> Bool {
    var present = BitWriter()
    present.append(range, of: bytes)
    return present != replacement
  }

  /// The payload with the splice made and its trailing bits, a one and zeros up to a whole byte, put right:
  /// `rbsp_trailing_bits` of ITU-T H.264 and H.265, `trailing_bits` of AV1.
  package func applied(toPayload bytes: [UInt8]) throws(BitstreamError) -> [UInt8] {
    guard let stop = BitSplice.stopBit(of: bytes), range.upperBound <= stop else { throw .truncated }
    var writer = BitWriter()
    writer.append(0..<range.lowerBound, of: bytes)
    writer.append(replacement)
    writer.append(range.upperBound..<stop, of: bytes)
    writer.append(true)
    return writer.bytes
  }

  /// The same for a replacement of equal length, in data that has no trailing bits.
  package func applied(inPlace bytes: [UInt8]) -> [UInt8] {
    precondition(range.count == replacement.count, "bits in place keep their number")
    var writer = BitWriter()
    let (first, end) = (range.lowerBound / 8, (range.upperBound + 7) / 8)
    writer.append(first * 8..<range.lowerBound, of: bytes)
    writer.append(replacement)
    writer.append(range.upperBound..<end * 8, of: bytes)
    return Array(bytes[..<first]) + writer.bytes + Array(bytes[end...])
  }

  /// Where the last one is.
  private static func stopBit(of bytes: [UInt8]) -> Int? {
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
    return last * 8 + 7 - bytes[last].trailingZeroBitCount
  }
}
