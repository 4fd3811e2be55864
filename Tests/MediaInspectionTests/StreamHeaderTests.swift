/// What real encoders wrote, read; and anything else refused, not trapped on.

import MediaFormats
import Testing

@testable import MediaInspection

@Suite struct StreamHeaderTests {
  @Test(arguments: EncodedHeader.all) func readAsFfprobeReadsIt(header: EncodedHeader) throws {
    let read = try #require(StreamHeader(codec: header.codec, inFrame: header.frame, configuration: nil))
    #expect("\(read.words)" == header.description)
  }

  /// In the records that muxers wrote of the same streams.
  @Test(arguments: [
    // x264enc of 320x240 in 1:4:5:1, caps codec_data
    (
      "h264", "01640014ffe1001c67640014acb20283f602dc0404190000030001000003003c8f142a4801000568ebccb22c",
      "High yuv420 8 320x240 full 1/1/6"
    ),
    (
      "h265",
      "0101600000009000000000003ff000fcfdf8f800000f03a00001001840010c01ffff016000000300900000030000030"
        + "03f928090a10001003142010101600000030090000003000003003fa00a080f165959a4932bffc00040005b80808302000003000200"
        + "0003003c10a20001000744 01c172b46240",
      "Main yuv420 8 320x240 full 1/1/6"
    ),
    ("av1", "810004000a0c000000043cffbf81b5f20080", "Main yuv420 8 320x240 limited ?/?/?"),
  ]) func readInRecords(codec: String, record: String, words: String) throws {
    let read = try #require(StreamHeader(codec: codec, configuration: [UInt8](hex: record), frame: []))
    #expect(read.words == words)
  }

  /// A player takes the header in the frame.
  @Test func frameGoesBeforeRecord() throws {
    let record = [UInt8](
      hex: "01640014ffe1001c67640014acb20283f602dc0404190000030001000003003c8f142a4801000568ebccb22c")
    let unit = try #require(EncodedHeader.all.first).completedFor("h264")
    let frame: [UInt8] = [0, 0, 0, 2, 9, 16, 0, 0, 0, UInt8(unit.count)] + unit + [0, 0, 0, 2, 0x65, 0x88]
    #expect(StreamHeader(codec: "h264", inFrame: frame, configuration: record)?.dimensions.width == 1280)
    #expect(StreamHeader(codec: "h264", configuration: record, frame: frame)?.dimensions.width == 1280)
    #expect(StreamHeader(codec: "h264", inConfiguration: record)?.dimensions.width == 320)
    let slice: [UInt8] = [0, 0, 0, 2, 0x65, 0x88]
    #expect(StreamHeader(codec: "h264", inFrame: slice, configuration: record) == nil)
    #expect(StreamHeader(codec: "h264", configuration: record, frame: slice)?.dimensions.width == 320)
  }

  @Test func otherCodecsHaveNone() {
    #expect(StreamHeader(codec: "mjpeg", configuration: nil, frame: [0xff, 0xd8, 0xff]) == nil)
    #expect(StreamHeader(codec: "h264", configuration: [], frame: []) == nil)
  }

  /// Every header cut at every length is read up to the colour or refused.
  @Test(arguments: EncodedHeader.all) func cutHeaders(header: EncodedHeader) {
    for length in 0..<header.frame.count {
      _ = StreamHeader(codec: header.codec, configuration: nil, frame: Array(header.frame.prefix(length)))
    }
  }

  @Test func mutationsAreReadOrRefused() {
    var random = SeededGenerator(seed: 20_261_130)
    let target = CodedColor(range: .full, matrix: 6, transfer: 1, primaries: 1)
    for _ in 0..<500 {
      for header in EncodedHeader.all {
        let frame = random.mutated(header.frame)
        for codec in ["h264", "h265", "av1", "vp9", "vp8"] {
          _ = StreamHeader(codec: codec, configuration: frame, frame: frame)
          guard let completion = ColorCompletion(codec: codec, color: target) else { continue }
          for framing in [NALUnits.Framing.startCodes, .lengths(1), .lengths(4)] {
            _ = try? completion.completed(frame: frame, framing)
          }
          _ = try? completion.completed(configuration: frame)
        }
      }
    }
  }
}

extension EncodedHeader {
  /// As a frame of a byte stream begins with it.
  var frame: [UInt8] { ["h264", "h265"].contains(codec) ? [0, 0, 0, 1] + bytes : bytes }

  /// Another stream's header of the codec.
  fileprivate func completedFor(_ codec: String) -> [UInt8] {
    EncodedHeader.all.first { $0.codec == codec && $0.bytes != bytes }?.bytes ?? []
  }
}

extension StreamHeader {
  /// All of it in one line, as the tables have it.
  var words: String { "\(profile ?? "?") \(chroma) \(depth) \(dimensions) \(color)" }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// With a few bits turned, bytes set, cut or doubled.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
      case 2: bytes[place] = [0, 0xff].randomElement(using: &self) ?? 0
      case 3: bytes.removeSubrange(place...)
      default: bytes.insert(contentsOf: bytes[place...], at: place)
      }
    }
    return bytes
  }
}
