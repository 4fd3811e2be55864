/// Headers completed: as ffmpeg's own bitstream filters complete them, and in every place that containers keep them.

import MediaFormats
import Testing

@testable import MediaInspection

@Suite struct ColorCompletionTests {
  private static let target = CodedColor(range: .full, matrix: 6, transfer: 1, primaries: 1)
  private static let judged = EncodedHeader.all.filter { $0.completed != nil }
  private static let stillToSay = judged.filter { $0.completed != $0.bytes }

  private static func completion(_ codec: String) throws -> ColorCompletion {
    try #require(ColorCompletion(codec: codec, color: target))
  }

  @Test(arguments: judged) func asFfmpegCompletesIt(header: EncodedHeader) throws {
    let completed = try Self.completion(header.codec).completed(frame: header.frame, .startCodes)
    let result = completed ?? header.frame
    #expect(result == header.startCode + (header.completed ?? []))
    #expect((completed == nil) == (header.bytes == header.completed))
    #expect(try Self.completion(header.codec).completed(frame: result, .startCodes) == nil)
  }

  /// Also where ffmpeg cannot read the header: what is read afterwards differs in colour only.
  @Test(arguments: EncodedHeader.all.filter { !$0.description.contains(" rgb ") && $0.codec != "vp8" })
  func onlyColorChanges(header: EncodedHeader) throws {
    var before = try #require(StreamHeader(codec: header.codec, configuration: nil, frame: header.frame))
    let completed = try Self.completion(header.codec).completed(frame: header.frame, .startCodes) ?? header.frame
    let after = try #require(StreamHeader(codec: header.codec, configuration: nil, frame: completed))
    let says = header.codec == "vp9" ? CodedColor(range: .full, matrix: 6) : Self.target
    #expect(after.color == says)
    before.color = says
    #expect(after == before)
  }

  /// A field that is not known keeps what the header has.
  @Test func unknownFieldsStay() throws {
    let header = try #require(EncodedHeader.all.first { $0.description.hasSuffix("full 1/13/1") })
    let completion = try #require(ColorCompletion(codec: "h264", color: CodedColor(range: .limited)))
    let completed = try #require(try completion.completed(frame: header.frame, .startCodes))
    #expect(StreamHeader(codec: "h264", configuration: nil, frame: completed)?.color.description == "limited 1/13/1")
    #expect(ColorCompletion(codec: "h264", color: CodedColor()) == nil)
    #expect(ColorCompletion(codec: "vp8", color: Self.target) == nil)
  }

  /// Units behind and before it, of both framings, stay where they are.
  @Test(arguments: stillToSay.filter { $0.codec.hasPrefix("h26") }, [1, 2, 4])
  func amongOtherUnits(header: EncodedHeader, lengthSize: Int) throws {
    let isNewer = header.codec == "h265"
    let delimiter: [UInt8] = isNewer ? [70, 1, 80] : [9, 240]
    let slice: [UInt8] = (isNewer ? [38, 1] : [101]) + [0x88, 0, 0, 3, 1, 0x42]
    let framed = { (units: [[UInt8]]) in
      units.flatMap { unit in
        (0..<lengthSize).reversed().map { UInt8(truncatingIfNeeded: unit.count >> ($0 * 8)) } + unit
      }
    }
    let completed = try #require(header.completed)
    let completion = try Self.completion(header.codec)
    #expect(
      try completion.completed(frame: framed([delimiter, header.bytes, header.bytes, slice]), .lengths(lengthSize))
        == framed([delimiter, completed, completed, slice]))
    let stream = { (unit: [UInt8]) -> [UInt8] in
      [0, 0, 0, 1] + delimiter + [0, 0, 1] + unit + [0, 0, 0, 0, 1] + unit + [0, 0, 1] + slice
    }
    #expect(try completion.completed(frame: stream(header.bytes), .startCodes) == stream(completed))
    #expect(try completion.completed(frame: framed([delimiter, slice]), .lengths(lengthSize)) == nil)
  }

  /// `avcC` and `hvcC`: the lengths in the record follow.
  @Test(arguments: stillToSay.filter { $0.codec.hasPrefix("h26") }) func inRecords(header: EncodedHeader) throws {
    let record = { (unit: [UInt8]) -> [UInt8] in
      let body = [0, UInt8(unit.count)] + unit
      if header.codec == "h264" { return [1, 100, 0, 31, 255, 225] + body + [1, 0, 4, 104, 235, 204, 178] }
      return [1] + [UInt8](repeating: 0, count: 20) + [15, 2, 160, 0, 1, 0, 3, 64, 1, 12, 161, 0, 1] + body
    }
    let completed = try #require(header.completed)
    let completion = try Self.completion(header.codec)
    #expect(try completion.completed(configuration: record(header.bytes)) == record(completed))
    #expect(try completion.completed(configuration: record(completed)) == nil)
  }

  @Test(arguments: stillToSay.filter { $0.codec == "av1" }) func inTemporalUnitsAndRecords(header: EncodedHeader) throws
  {
    let completed = try #require(header.completed)
    let completion = try Self.completion("av1")
    let frame: [UInt8] = [0x32, 3, 0x10, 0, 0]
    #expect(
      try completion.completed(frame: [0x12, 0] + header.bytes + frame + header.bytes, .startCodes)
        == [0x12, 0] + completed + frame + completed)
    #expect(
      try completion.completed(configuration: [0x81, 4, 12, 0] + header.bytes) == [0x81, 4, 12, 0] + completed)
  }

  /// A header that fills the rest of the unit, without a size of its own.
  @Test func openUnitWithoutSize() throws {
    let header = try #require(Self.stillToSay.first { $0.codec == "av1" })
    let completed = try #require(header.completed)
    #expect(
      try Self.completion("av1").completed(frame: [0x08] + header.bytes.dropFirst(2), .startCodes)
        == [0x08] + completed.dropFirst(2))
  }

  @Test func superframe() throws {
    let header = try #require(Self.stillToSay.first { $0.codec == "vp9" })
    let hidden: [UInt8] = [0x86, 0, 1, 2]
    let index: [UInt8] = [0xc1, 24, 4, 0xc1]
    let completed = try #require(header.completed)
    let completion = try Self.completion("vp9")
    #expect(
      try completion.completed(frame: header.bytes + hidden + index, .startCodes) == completed + hidden + index)
    #expect(try completion.completed(frame: hidden, .startCodes) == nil)
    #expect(completion.mayConcern(keyFrame: false))
    #expect(try !Self.completion("h264").mayConcern(keyFrame: false))
  }

  /// RGB and YUV have other fields behind the colour, or none: no label makes one of the other.
  @Test(arguments: ["h264", "h265", "av1", "vp9"]) func identityMatrixIsRefused(codec: String) throws {
    let header = try #require(Self.judged.first { $0.codec == codec })
    let rgb = CodedColor(range: .full, matrix: 0, transfer: 13, primaries: 1)
    let completion = try #require(ColorCompletion(codec: codec, color: rgb))
    #expect(throws: BitstreamError.self) { try completion.completed(frame: header.frame, .startCodes) }
  }

  @Test(arguments: EncodedHeader.all.filter { $0.description.contains(" rgb ") && $0.codec != "h264" })
  func rgbStreamsAreLeft(header: EncodedHeader) throws {
    let completion = try Self.completion(header.codec)
    #expect(throws: BitstreamError.self) { try completion.completed(frame: header.frame, .startCodes) }
  }

  /// 255 bytes are the most that a length of one byte can say.
  @Test func headerWithoutRoom() throws {
    #expect(throws: BitstreamError.unsayable("a header of 256 bytes has no room in the stream")) {
      try [UInt8](repeating: 0, count: 256).replacing([(1..<256, [UInt8](repeating: 1, count: 256))], lengthSize: 1)
    }
  }
}

extension EncodedHeader {
  fileprivate var startCode: [UInt8] { Array(frame.dropLast(bytes.count)) }
}
