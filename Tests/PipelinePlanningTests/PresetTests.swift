/// Presets: what ships is right, and what is wrong is told with its place.

import Foundation
import MediaFormats
import PipelinePlanning
import Testing

@Suite struct PresetTests {
  private let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  @Test func theDefault() throws {
    let preset = try library.preset(ProfileLibrary.defaultPreset)
    #expect(preset.request.dimensions == VideoDimensions(width: 1280, height: 720))
    #expect(preset.request.frameRate == Fraction(60))
    #expect(preset.request.range == .full)
    #expect(preset.encoders == ["x264enc"] && preset.container == "mp4")
  }

  @Test func everyShippedFileReads() throws {
    #expect(library.presetNames.count >= 5)
    for name in library.presetNames { #expect(try !library.preset(name).summary.isEmpty) }
    #expect(try library.encoders().map(\.element) == ["av1enc", "openh264enc", "vp9enc", "x264enc", "x265enc"])
    #expect(try library.containers().map(\.name) == ["mkv", "mov", "mp4", "webm"])
  }

  @Test(arguments: [
    ("{ encodr: 'x264enc' }", "p.json5: encodr: there is no such key; encoder is near"),
    ("{ bitrate: '8 apples' }", "p.json5: bitrate: \"8 apples\" is not a bit rate"),
    ("{ bitrate: 0 }", "p.json5: bitrate: \"0\" is not a bit rate"),
    ("{ request: { size: '1280' } }", "p.json5: request.size: \"1280\" is not a size"),
    ("{ request: { framerate: 0 } }", "p.json5: request.framerate: \"0\" is not a rate"),
    ("{ request: { range: 'wide' } }", "p.json5: request.range: \"wide\" is not \"full\""),
    ("{ request: [] }", "p.json5: request: a list of at least one object { ... } is wanted"),
    ("{ request: 7 }", "p.json5: request: an object { ... } is wanted, not a number"),
    ("{ encoder: [] }", "p.json5: encoder: a list of at least one text is wanted"),
    ("{ keyFrameInterval: '0s' }", "p.json5: keyFrameInterval: \"0s\" is not a time"),
    ("{ request: { strict: 'yes' } }", "p.json5: request.strict: true or false is wanted, not a text"),
    ("{ bitrate: ", "p.json5: this is not JSON5"),
    ("[]", "p.json5: an object { ... } is wanted, not a list"),
  ])
  func mistakes(_ text: String, _ message: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
    }
    #expect("\(try #require(error))".hasPrefix(message), "\(error!)")
  }

  /// A file states only what it means to change.
  @Test func whatIsNotSaidIsTheHeadline() throws {
    func request(_ text: String) throws -> FormatRequest {
      try Preset(name: "p", file: "p.json5", json5: Data(text.utf8)).request
    }
    #expect(try request("{ bitrate: '8M' }").description == "1280x720 at 60 fps in full range")
    #expect(try request("{ request: { framerate: 30 } }").description == "1280x720 at 30 fps in full range")
    #expect(try request("{ request: { size: 'any', framerate: 'any', range: 'source' } }").description == "any size")
  }

  @Test func rawOptionsKeepTheirSpelling() throws {
    let text = "{ encoderOptions: { 'qp-min': 4, 'sliced-threads': true, tune: 'film' } }"
    let preset = try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
    #expect(preset.encoderOptions == ["qp-min": "4", "sliced-threads": "true", "tune": "film"])
  }

  @Test func unknownNameSuggestsOne() throws {
    let error = #expect(throws: ConfigurationError.self) { try library.preset("720-p6") }
    #expect("\(try #require(error))".contains("720p60 is near"))
  }

  @Test func userFolderWins() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "capstan-presets-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{ summary: 'mine', encoder: 'openh264enc' }".utf8).write(to: folder.appending(path: "720p60.json5"))
    let library = ProfileLibrary(folders: [folder, ProfileLibrary.bundled])
    #expect(try library.preset("720p60").summary == "mine")
    #expect(library.presetNames.filter { $0 == "720p60" }.count == 1)
    #expect(try library.preset("1080p30").request.dimensions?.height == 1080)
  }
}

@Suite struct QuantityTests {
  @Test(arguments: [
    ("10s", 10_000), ("500ms", 500), ("2min", 120_000), ("2m", 120_000), ("1:30", 90_000), ("1:02:03", 3_723_000),
    ("1.5", 1_500), ("1h", 3_600_000), ("0:00.5", 500),
  ])
  func times(_ text: String, _ milliseconds: Int) {
    #expect(Duration(parsing: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "s", "10 s", "-5s", "1:60", "1:2:3:4", "ten", "5 minutes", "1e3", ":", "1:", "nan", "1..5s", "9900000000",
  ])
  func notTimes(_ text: String) {
    #expect(Duration(parsing: text) == nil)
  }

  @Test(arguments: [("8M", 8_000_000), ("800k", 800_000), ("2.5M", 2_500_000), ("5000000", 5_000_000)])
  func rates(_ text: String, _ bits: Int) {
    #expect(BitRate(parsing: text)?.bitsPerSecond == bits)
  }

  @Test(arguments: ["", "M", "8 M", "-8M", "0", "8Mbit", "inf", "1e9M", "100G", "8"])
  func notRates(_ text: String) {
    #expect(BitRate(parsing: text) == nil)
  }
}
