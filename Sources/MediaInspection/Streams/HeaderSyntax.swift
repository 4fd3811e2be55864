/// Where each codec keeps the headers that say colour, and how they are stored there.

/// Raw values are the names that presets and containers give the codecs.
package enum HeaderSyntax: String, Sendable, CaseIterable {
  case h264, h265, av1, vp9

  /// Headers in some bytes.
  struct Places {
    var ranges: [Range<Int>]
    /// Bytes of the length before each; 0 where there is none.
    var lengthSize: Int
  }

  /// - Parameter framing: of NAL units; of no account for the other codecs.
  func places(inFrame bytes: [UInt8], _ framing: NALUnits.Framing) -> Places {
    switch self {
    case .h264, .h265: places(inUnits: bytes, framing)
    case .av1:
      Places(
        ranges: OpenBitstreamUnit.all(in: bytes).filter { $0.type == OpenBitstreamUnit.sequenceHeader }.map(\.range),
        lengthSize: 0)
    case .vp9:
      Places(ranges: VP9Superframe.frames(in: bytes).filter { VP9FrameHeader.isIn(bytes[$0]) }, lengthSize: 0)
    }
  }

  private func places(inUnits bytes: [UInt8], _ framing: NALUnits.Framing) -> Places {
    let ranges = NALUnits(bytes, framing).ranges(before: isSlice).filter { isSequenceParameterSet(bytes[$0]) }
    if case .lengths(let size) = framing { return Places(ranges: ranges, lengthSize: size) }
    return Places(ranges: ranges, lengthSize: 0)
  }

  func places(inConfiguration bytes: [UInt8]) throws(BitstreamError) -> Places {
    let record = try ConfigurationRecord(bytes, codec: rawValue)
    return Places(ranges: record.sequenceHeaders, lengthSize: self == .av1 ? 0 : 2)
  }

  /// - Parameter stored: what one of the places has.
  func read(_ stored: ArraySlice<UInt8>) throws(BitstreamError) -> any SequenceHeader {
    let payload = try payload(stored)
    return switch self {
    case .h264: try H264SequenceParameterSet(payload: payload)
    case .h265: try H265SequenceParameterSet(payload: payload)
    case .av1: try AV1SequenceHeader(payload: payload)
    case .vp9: try VP9FrameHeader(frame: payload)
    }
  }

  /// The same with a splice made; `nil` where that changes nothing.
  func rewritten(_ stored: ArraySlice<UInt8>, _ splice: BitSplice) throws(BitstreamError) -> [UInt8]? {
    let payload = try payload(stored)
    guard splice.changes(payload) else { return nil }
    switch self {
    case .h264, .h265:
      return stored.prefix(unitHeaderSize) + EmulationPrevention.inserted(into: try splice.applied(toPayload: payload))
    case .av1:
      let all = Array(stored)
      return OpenBitstreamUnit.all(in: all).first?.bytes(in: all, payload: try splice.applied(toPayload: payload))
    case .vp9: return splice.applied(inPlace: payload)
    }
  }

  private func payload(_ stored: ArraySlice<UInt8>) throws(BitstreamError) -> [UInt8] {
    switch self {
    case .h264, .h265: return EmulationPrevention.removed(from: stored.dropFirst(unitHeaderSize))
    case .av1:
      let all = Array(stored)
      guard let unit = OpenBitstreamUnit.all(in: all).first else { throw .truncated }
      return Array(all[unit.payload])
    case .vp9: return Array(stored)
    }
  }
}

// MARK: NAL units

extension HeaderSyntax {
  private var unitHeaderSize: Int { self == .h265 ? 2 : 1 }

  private func isSlice(_ firstByte: UInt8) -> Bool {
    self == .h265 ? H265.type(firstByte) < 32 : (1...5).contains(firstByte & 31)
  }

  private func isSequenceParameterSet(_ unit: ArraySlice<UInt8>) -> Bool {
    guard let first = unit.first, unit.count > unitHeaderSize else { return false }
    guard self == .h265 else { return first & 31 == 7 }
    // Of the base layer: others are told by other rules.
    let layer = first & 1 << 5 | unit[unit.startIndex + 1] >> 3
    return H265.type(first) == H265.sequenceParameterSet && layer == 0
  }
}

/// `nal_unit_type` (ITU-T H.265, 7.4.2.2).
enum H265 {
  static let sequenceParameterSet: UInt8 = 33

  static func type(_ firstByte: UInt8) -> UInt8 { firstByte >> 1 & 0x3f }
}
