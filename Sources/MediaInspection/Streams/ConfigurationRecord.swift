/// The records in which containers and caps keep a stream's headers: `avcC` and `hvcC` (ISO/IEC 14496-15), `av1C` (AV1
/// in ISO base media). Matroska's CodecPrivate has the same.

struct ConfigurationRecord: Sendable, Hashable {
  /// The sequence headers in it, without lengths: NAL units, or open bitstream units.
  private(set) var sequenceHeaders: [Range<Int>] = []
  /// How many bytes the length of a NAL unit has in the stream.
  private(set) var lengthSize = 4

  /// - Parameter codec: `h264`, `h265` or `av1`; others keep no headers in theirs.
  init(_ bytes: [UInt8], codec: String) throws(BitstreamError) {
    switch codec {
    case "h264": try readAVC(bytes)
    case "h265": try readHEVC(bytes)
    case "av1": try readAV1(bytes)
    default: break
    }
  }

  private mutating func readAVC(_ bytes: [UInt8]) throws(BitstreamError) {
    guard bytes.count >= 7, bytes[0] == 1 else { throw .invalid("version") }
    lengthSize = Int(bytes[4] & 3) + 1
    var place = 6
    for _ in 0..<Int(bytes[5] & 31) { sequenceHeaders.append(try ConfigurationRecord.unit(bytes, &place)) }
  }

  private mutating func readHEVC(_ bytes: [UInt8]) throws(BitstreamError) {
    guard bytes.count >= 23, bytes[0] == 1 else { throw .invalid("version") }
    lengthSize = Int(bytes[21] & 3) + 1
    var place = 23
    for _ in 0..<Int(bytes[22]) {
      guard place < bytes.count else { throw .truncated }
      let isSequence = bytes[place] & 0x3f == H265.sequenceParameterSet
      place += 1
      for _ in 0..<(try ConfigurationRecord.number(bytes, &place)) {
        let unit = try ConfigurationRecord.unit(bytes, &place)
        if isSequence { sequenceHeaders.append(unit) }
      }
    }
  }

  private mutating func readAV1(_ bytes: [UInt8]) throws(BitstreamError) {
    guard bytes.count >= 4, bytes[0] == 0x81 else { throw .invalid("version") }
    lengthSize = 0
    let units = OpenBitstreamUnit.all(in: Array(bytes[4...]))
    for unit in units where unit.type == OpenBitstreamUnit.sequenceHeader {
      sequenceHeaders.append(unit.range.lowerBound + 4..<unit.range.upperBound + 4)
    }
  }

  private static func number(_ bytes: [UInt8], _ place: inout Int) throws(BitstreamError) -> Int {
    guard place + 2 <= bytes.count else { throw .truncated }
    defer { place += 2 }
    return Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  private static func unit(_ bytes: [UInt8], _ place: inout Int) throws(BitstreamError) -> Range<Int> {
    let size = try number(bytes, &place)
    guard place + size <= bytes.count else { throw .truncated }
    defer { place += size }
    return place..<place + size
  }
}

extension NALUnits.Framing {
  /// Lengths where there is a record that says how long they are, else start codes.
  package init(codec: String, record: [UInt8]?) {
    let read = record.flatMap { try? ConfigurationRecord($0, codec: codec) }
    self = read.map { .lengths($0.lengthSize) } ?? .startCodes
  }
}
