/// Puts new pieces in the place of old ones in bytes that keep each piece behind its length.

extension [UInt8] {
  /// - Parameters:
  ///   - pieces: in their order, without their lengths.
  ///   - lengthSize: how many bytes the length before each piece has; 0 where there is none.
  /// - Throws: `unsayable` where a new piece is too long for that.
  func replacing(_ pieces: [(Range<Int>, [UInt8])], lengthSize: Int) throws(BitstreamError) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for (range, piece) in pieces {
      guard lengthSize == 0 || piece.count >> (lengthSize * 8) == 0 else {
        throw .unsayable("a header of \(piece.count) bytes has no room in the stream")
      }
      result += self[place..<range.lowerBound - lengthSize]
      result += (0..<lengthSize).reversed().map { UInt8(truncatingIfNeeded: piece.count >> ($0 * 8)) }
      result += piece
      place = range.upperBound
    }
    return result + self[place...]
  }
}
