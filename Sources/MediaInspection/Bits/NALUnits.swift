/// Where the NAL units of an H.264 or H.265 picture are.

package struct NALUnits: Sendable {
  package enum Framing: Sendable, Hashable {
    /// Start codes before them: `byte-stream` (ITU-T H.264, annex B).
    case startCodes
    /// Their length before them, in 1, 2 or 4 bytes: `avc`, `hvc1`, `hev1` (ISO/IEC 14496-15).
    case lengths(Int)
  }

  private let bytes: [UInt8]
  private let framing: Framing

  package init(_ bytes: [UInt8], _ framing: Framing) {
    self.bytes = bytes
    self.framing = framing
  }

  /// The units without start codes, lengths and zeros behind them.
  /// - Parameter isLast: ends the search before a unit with such a first byte; parameter sets come before slices, and
  ///   slices are long.
  package func ranges(before isLast: (UInt8) -> Bool = { _ in false }) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var place = 0
    while let start = start(from: place), start < bytes.count, !isLast(bytes[start]) {
      let end = end(of: start)
      if start < end { ranges.append(start..<end) }
      place = end
    }
    return ranges
  }

  private func start(from place: Int) -> Int? {
    switch framing {
    case .startCodes: startCode(from: place).map { $0 + 3 }
    case .lengths(let size): place + size <= bytes.count ? place + size : nil
    }
  }

  private func end(of start: Int) -> Int {
    guard case .lengths(let size) = framing else {
      var end = startCode(from: start) ?? bytes.count
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      return end
    }
    let length = bytes[start - size..<start].reduce(0) { $0 << 8 | Int($1) }
    return min(bytes.count, start + length)
  }

  /// Where the next 0, 0, 1 begins.
  private func startCode(from place: Int) -> Int? {
    var place = place
    while place + 2 < bytes.count {
      if bytes[place + 2] > 1 {
        place += 3
      } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
        return place
      } else {
        place += 1
      }
    }
    return nil
  }
}
