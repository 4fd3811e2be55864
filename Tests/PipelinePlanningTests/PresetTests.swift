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
    let encoders = try library.encoders()
    #expect(encoders.count >= 17 && encoders.allSatisfy { !$0.summary.isEmpty && $0.isBundled })
    #expect(encoders.allSatisfy { $0.file.hasSuffix("/\($0.element).json5") })
    #expect(try library.containers().map(\.name) == ["mkv", "mov", "mp4", "webm"])
  }

  @Test(arguments: [
    ("{ encodr: 'x264enc' }", "1:3: encodr: there is no such key; encoder is near"),
    ("{\n  bitrate: '8 apples' }", "2:12: bitrate: \"8 apples\" is not a bit rate such as \"8M\""),
    ("{ bitrate: 0 }", "1:12: bitrate: \"0\" is not a bit rate"),
    ("{ bitrate: '8M', quality: 50 }", "1:18: quality: bitrate is there too, and one excludes the other"),
    ("{ quality: 101 }", "1:12: quality: \"101\" is not a whole number from 0"),
    ("{ request: { size: '1280' } }", "1:20: request.size: \"1280\" is not a size"),
    ("{ request: { size: '65536x1' } }", "1:20: request.size: \"65536x1\" is not a size"),
    ("{ request: { framerate: 0 } }", "1:25: request.framerate: \"0\" is not a rate"),
    ("{ request: { range: 'Full' } }", "1:21: request.range: \"Full\" is not \"full\", \"limited\", \"source\""),
    ("{ request: [] }", "1:12: request: a list of at least one object { ... } is wanted"),
    ("{ request: 7 }", "1:12: request: an object { ... } is wanted, not a number"),
    ("{ encoder: [] }", "1:12: encoder: a list of at least one text is wanted"),
    ("{ encoder: ['a', 3] }", "1:18: encoder[1]: a name is wanted, not a number"),
    ("{ keyFrameInterval: '0s' }", "1:21: keyFrameInterval: \"0s\" is not a time"),
    ("{ request: { strict: 'yes' } }", "1:22: request.strict: true or false is wanted, not a text"),
    ("{ matrix: 'bt708' }", "1:11: matrix: \"bt708\" is not \"source\", \"bt709\" or \"bt601\"; \"bt709\" is near"),
    ("{ depth: 9 }", "1:10: depth: \"9\" is not 8 or 10 (bits)"),
    ("{ hooks: { finished: 'ls' } }", "1:22: hooks.finished: a list of at least one text, the program and its arg"),
    ("{ limits: { frames: 1.5 } }", "1:21: limits.frames: \"1.5\" is not a whole number above zero"),
    ("{ limits: { frame: 1 } }", "1:13: limits.frame: there is no such key; frames is near"),
    ("{ bitrate: ", "1:12: bitrate: a value is wanted here, not the end of the file"),
    ("{ bitrate: 1M }", "1:12: bitrate: \"1M\" is no number; a text needs quotation marks"),
    ("{ speed: 'a', speed: 'b' }", "1:15: speed: this key stands twice, in line 1 already; keep one"),
    ("[]", "1:1: an object { ... } is wanted, not a list"),
  ])
  func mistakes(_ text: String, _ message: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
    }
    #expect("\(try #require(error))".hasPrefix("p.json5:" + message), "\(error!)")
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
