/// Bits, codes and NAL units, by the examples of their specifications.

import Testing

@testable import MediaInspection

@Suite struct BitstreamTests {
  /// ITU-T H.264, table 9-2 and table 9-3.
  @Test(arguments: [
    ("1", 0, 0), ("010", 1, 1), ("011", 2, -1), ("00100", 3, 2), ("00101", 4, -2), ("00110", 5, 3), ("00111", 6, -3),
    ("0001000", 7, 4), ("0001010", 9, 5),
    ("0000000000000000000000000000000111111111111111111111111111111111", 4_294_967_294, -2_147_483_647),
  ]) func exponentialGolomb(bits: String, unsigned: Int, signed: Int) throws {
    var reader = BitReader(Self.bytes(bits))
    #expect(try reader.exponentialGolomb() == unsigned && reader.position == min(bits.count, 63))
    reader = BitReader(Self.bytes(bits))
    #expect(try reader.signedExponentialGolomb() == signed)
  }

  @Test func codesThatNeverEndAreRefused() {
    var reader = BitReader([UInt8](repeating: 0, count: 64))
    #expect(throws: BitstreamError.invalid("Exp-Golomb code")) { try reader.exponentialGolomb() }
    var short = BitReader([0])
    #expect(throws: BitstreamError.truncated) { try short.exponentialGolomb() }
    #expect(throws: BitstreamError.truncated) { try short.bits(1) }
    #expect(throws: BitstreamError.truncated) { try short.skip(1) }
  }

  /// AV1 bitstream specification, 4.10.3.
  @Test(arguments: [("1", 0), ("010", 1), ("00111", 6)]) func variableLengthCode(bits: String, value: Int) throws {
    var reader = BitReader(Self.bytes(bits))
    #expect(try reader.variableLengthCode() == value)
  }

  /// ITU-T H.264, 7.4.1.1, both ways.
  @Test(arguments: [
    ("000000", "00000300"), ("000001", "00000301"), ("000002", "00000302"), ("000003", "00000303"),
    ("000004", "000004"), ("0000000001", "00000300000301"), ("000000000001", "0000030000030001"),
    ("010203", "010203"),
  ]) func emulationPrevention(payload: String, stored: String) {
    #expect(EmulationPrevention.inserted(into: [UInt8](hex: payload)) == [UInt8](hex: stored))
    #expect(EmulationPrevention.removed(from: [UInt8](hex: stored)) == [UInt8](hex: payload))
  }

  @Test func emulationPreventionOfAnything() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let length = Int.random(in: 0...40, using: &random)
      let payload = (0..<length).map { _ in UInt8.random(in: 0...4, using: &random) } + [0x80]
      let stored = EmulationPrevention.inserted(into: payload)
      #expect(EmulationPrevention.removed(from: stored) == payload)
      #expect(!zip(stored, zip(stored.dropFirst(), stored.dropFirst(2))).contains { $0 == 0 && $1.0 == 0 && $1.1 < 3 })
    }
  }

  @Test(arguments: [
    ("00000001 0910 000001 6742 00000001 65ff00", ["0910", "6742", "65ff"]), ("", []), ("000001", []),
    ("ffff000001 67", ["67"]), ("00000000000001 67000000 000001 68", ["67", "68"]), ("67421234", []),
    ("000001 67 000001 000001 68", ["67", "68"]),
  ]) func startCodes(stream: String, units: [String]) {
    let bytes = [UInt8](hex: stream)
    #expect(NALUnits(bytes, .startCodes).ranges().map { Array(bytes[$0]) } == units.map { [UInt8](hex: $0) })
  }

  @Test(arguments: [
    ("00000002 0910 00000001 67", 4, ["0910", "67"]), ("0002 0910 0000 0001 67", 2, ["0910", "67"]),
    ("02 0910 01", 1, ["0910"]), ("ffffffff 67", 4, ["67"]), ("0000", 4, []),
  ]) func lengths(stream: String, size: Int, units: [String]) {
    let bytes = [UInt8](hex: stream)
    #expect(NALUnits(bytes, .lengths(size)).ranges().map { Array(bytes[$0]) } == units.map { [UInt8](hex: $0) })
  }

  @Test func searchEndsAtSlices() {
    let bytes = [UInt8](hex: "00000001 67 000001 65 000001 68")
    #expect(NALUnits(bytes, .startCodes).ranges { $0 & 31 == 5 } == [4..<5])
  }

  /// Trailing bits move with what is in front of them.
  @Test(arguments: [
    ("10110001", 1..<2, "", "11100010"), ("10110001", 1..<1, "000", "1000011000100000"),
    ("1011000100000000", 3..<7, "0", "10101000"), ("1000000010000000", 0..<8, "11111111", "1111111110000000"),
  ]) func splice(payload: String, range: Range<Int>, replacement: String, result: String) throws {
    var writer = BitWriter()
    for bit in replacement { writer.append(bit == "1") }
    let made = try BitSplice(range, writer).applied(toPayload: Self.bytes(payload))
    #expect(made == Self.bytes(result))
  }

  @Test func spliceBehindTheEndIsRefused() {
    #expect(throws: BitstreamError.truncated) { try BitSplice(3..<9, BitWriter()).applied(toPayload: [0x80]) }
    #expect(throws: BitstreamError.truncated) { try BitSplice(0..<0, BitWriter()).applied(toPayload: [0]) }
  }

  private static func bytes(_ bits: String) -> [UInt8] {
    var writer = BitWriter()
    for bit in bits { writer.append(bit == "1") }
    return writer.bytes
  }
}
