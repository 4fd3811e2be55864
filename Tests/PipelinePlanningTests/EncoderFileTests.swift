/// The files of encoders: what they may say, and how a mistake in one is told.

import Foundation
import Testing

@testable import PipelinePlanning

@Suite struct EncoderFileTests {
  /// With an own line in it.
  private func profile(_ line: String, bitrate: String = "{ property: 'b', bitsPerUnit: 1 }") throws -> EncoderProfile {
    let text = "{ element: 'x', codec: 'h264', inputs: 'I420', bitrate: \(bitrate),\n\(line) }"
    return try EncoderProfile(file: "x.json5", json5: Data(text.utf8))
  }

  @Test func wordsAreOneOrSeveralProperties() throws {
    let encoder = try profile(
      """
      keyFrameInterval: 'k', threads: { property: ['t', 'u'], least: 2, most: 9, properties: { v: true } },
      bFrames: 'o.bf', optionLists: { o: { separator: ':' } }, lossless: {}, lowLatency: { properties: { 'o.z': 1 } }
      """)
    #expect(encoder.threads == .init(properties: ["t", "u"], unit: 1, range: 2...9, others: ["v": "true"]))
    #expect(encoder.keyFrameInterval?.properties == ["k"] && encoder.bFrames?.properties == ["o.bf"])
    #expect(encoder.lossless?.properties == [:] && encoder.lowLatency?.properties == ["o.z": "1"])
    let rate = try profile("", bitrate: "{ property: ['b', 'c'], bitsPerUnit: 1000, most: 100 }").bitRate
    #expect(rate == .init(properties: ["b", "c"], unit: 1000, range: 1000...100_000, others: [:]))
  }

  @Test(arguments: [
    (
      "kyFrameInterval: 'k'", "2:1: kyFrameInterval: there is no such key; keyFrameInterval is near (allowed: element, "
    ),
    ("bFrames: { proprty: 'b' }", "2:12: bFrames.proprty: there is no such key; property is near"),
    ("bFrames: { most: 3 }", "2:10: bFrames.property: this key is missing"),
    ("threads: { property: 't', most: 0 }", "2:33: threads.most: a whole number from 1 to 4294967295 is wanted"),
    ("threads: { property: 't', least: 5, most: 4 }", "2:43: threads.most: a whole number from 5 to"),
    ("threads: 4", ""), ("bFrames: 'o.b'", "2:10: bFrames: \"o.b\" is an option inside o; say in optionLists how its"),
    ("properties: { 'o.b': 1 }", "2:13: properties: \"o.b\" is an option inside o"),
    ("optionLists: { o: {} }", "2:19: optionLists.o.separator: this key is missing"),
    ("optionLists: { o: { separator: '' } }", "2:32: optionLists.o.separator: a text of at least one character"),
    ("lossless: true", "2:11: lossless: an object { ... } is wanted, not true or false"),
    ("lossless: { speed: 's' }", "2:11: lossless: its speed \"s\" is not among those of megapixelsPerCore"),
    ("lowLatency: { profile: 'p' }", "2:15: lowLatency.profile: there is no such key"),
    ("quality: { property: 'q', best: 1 }", "2:10: quality.worst: this key is missing"),
    ("speed: { property: 's' }", "2:8: speed.megapixelsPerCore: this key is missing"),
    (
      "speed: { property: 's', megapixelsPerCore: { a: 'much' } }",
      "2:49: speed.megapixelsPerCore.a: a number is wanted"
    ),
    ("range: 'ful'", "2:8: range: \"ful\" is not \"full\" or \"limited\""),
    ("hardware: 'yes'", "2:11: hardware: true or false is wanted, not a text"),
    ("inputs: []", "2:1: inputs: "),
  ])
  func mistakesAreTold(_ line: String, _ message: String) throws {
    do throws(ConfigurationError) {
      let text = "{ element: 'x', codec: 'h264', inputs: 'I420', bitrate: { property: 'b', bitsPerUnit: 1 },\n\(line) }"
      _ = try EncoderProfile(file: "x.json5", json5: Data(text.utf8))
      #expect(message.isEmpty, "no error")
    } catch {
      #expect("\(error)".hasPrefix("x.json5:" + message) && !message.isEmpty, "\(error)")
    }
  }

  @Test(arguments: [
    ("{ bitsPerUnit: 1 }", "bitrate.property: this key is missing"),
    ("{ property: 'b' }", "bitrate.bitsPerUnit: this key is missing"), ("'b'", "bitrate: an object { ... } is wanted"),
    ("null", "bitrate: this key is missing, and there is neither quality nor lossless in its place"),
  ])
  func bitRatesSayTheirUnit(_ bitrate: String, _ message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try profile("", bitrate: bitrate) }
    #expect("\(error)".contains(message), "\(error)")
  }
}

@Suite struct OptionListTests {
  private static let plain = OptionList(separator: ":", head: nil)
  private static let structure = OptionList(separator: ",", head: "controls")

  @Test(arguments: [
    (plain, "a=1:b:c=x=y", "a=1:b:c=x=y"), (plain, "", ""), (plain, "::a=1", "a=1"), (structure, "", "controls"),
    (structure, "name,a=1, b=2", "controls,a=1,b=2"), (structure, "a=1", "controls,a=1"),
  ])
  func apartAndTogether(_ list: OptionList, _ text: String, _ wanted: String) {
    #expect(list.text(of: list.options(in: text)) == wanted)
  }
}
