/// Presets that begin with another one: how files are merged, where they are found, and what is said when they are not.

import Foundation
import MediaFormats
import TestSupport
import Testing

@testable import PipelinePlanning

@Suite struct ExtendsTests {
  /// Files in a folder of the user's, in front of the bundled ones.
  private func library(_ files: [String: String]) throws -> (ProfileLibrary, TemporaryFolder) {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let file = folder.file(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return (ProfileLibrary(folders: [folder.url, ProfileLibrary.bundled]), folder)
  }

  private static let base = """
    { summary: 'base', request: { size: '640x480', framerate: 25, range: 'limited' }, encoder: ['x264enc', 'openh264enc'],
      bitrate: '4M', speed: 'fast', encoderOptions: { tune: 'film', 'qp-min': 4 }, controls: { brightness: 3, gain: 1 },
      limits: { duration: '10s', frames: 100 }, filters: ['identity'] }
    """

  private func child(_ text: String) throws -> Preset {
    let (library, folder) = try library(["base.json5": Self.base, "child.json5": "{ extends: 'base', \(text) }"])
    return try withExtendedLifetime(folder) { try library.preset("child") }
  }

  @Test func objectsAreMergedByKey() throws {
    let preset = try child("request: { framerate: 50 }, controls: { gain: 2, hue: 0 }, limits: { frames: 5 }")
    #expect(preset.request.description == "640x480 at 50 fps in limited range")
    #expect(preset.controls == ["brightness": 3, "gain": 2, "hue": 0])
    #expect(preset.limits == RecordingLimits(duration: .seconds(10), frames: 5))
    #expect(preset.encoders == ["x264enc", "openh264enc"] && preset.speed == "fast" && preset.filters == ["identity"])
    #expect(preset.name == "child" && preset.summary.isEmpty, "a summary is of its own file")
  }

  @Test func listsAndScalarsReplace() throws {
    #expect(try child("bitrate: '1M'").bitRate.bitsPerSecond == 1_000_000)
    #expect(try child("filters: ['videoflip', 'identity']").filters == ["videoflip", "identity"])
    #expect(try child("request: [{ size: '800x600' }]").request.description == "800x600 at 60 fps in full range")
    #expect(try child("encoder: ['x264enc']").encoders == ["x264enc"])
  }

  @Test func nullTakesAway() throws {
    let preset = try child("speed: null, encoderOptions: { tune: null }, request: { range: null }, filters: null")
    #expect(preset.speed == nil && preset.encoderOptions == ["qp-min": "4"] && preset.filters.isEmpty)
    #expect(preset.request.description == "640x480 at 25 fps in full range")
  }

  /// Of keys that exclude one another, the later file's stays.
  @Test func excludingKeys() throws {
    let preset = try child("quality: 70, request: { strict: true }")
    #expect(preset.quality == 70 && preset.request.isStrict)
    let (library, folder) = try library([
      "a.json5": "{ quality: 70, request: { fallback: 'lowerOrNearest' } }",
      "b.json5": "{ extends: 'a', bitrate: '2M', request: { strict: false } }",
    ])
    let other = try withExtendedLifetime(folder) { try library.preset("b") }
    #expect(other.quality == nil && other.bitRate.bitsPerSecond == 2_000_000)
    #expect(other.request.fallback == .nearest)
  }

  /// Another encoder does not know the first one's words; one that stays first does.
  @Test func anotherEncoderLeavesTheWordsOfTheFirst() throws {
    let other = try child("encoder: 'openh264enc'")
    #expect(other.speed == nil && other.encoderOptions.isEmpty)
    let own = try child("encoder: 'openh264enc', encoderOptions: { 'qp-max': 40 }, speed: 'low'")
    #expect(own.speed == "low" && own.encoderOptions == ["qp-max": "40"])
    #expect(try child("encoder: ['x264enc', 'x265enc']").speed == "fast")
    let (library, folder) = try library([
      "a.json5": "{ speed: 'fast' }", "b.json5": "{ extends: 'a', encoder: 'openh264enc' }",
    ])
    let plain = try withExtendedLifetime(folder) { try library.preset("b") }
    #expect(plain.speed == nil, "the speed was meant for the default encoder")
  }

  @Test func parentsAreFoundByNameAndPath() throws {
    let (library, folder) = try library([
      "720p60.json5": "{ extends: '720p60', bitrate: '6M' }",
      "sub/a.json5": "{ extends: '../b.json5', container: 'mkv' }",
      "b.json5": "{ extends: '720p60', keyFrameInterval: '1s' }",
    ])
    let own = try library.resolved("720p60")
    #expect(own.preset.bitRate.bitsPerSecond == 6_000_000 && own.preset.request.dimensions?.width == 1280)
    #expect(own.files.count == 2 && own.files[1].hasPrefix(ProfileLibrary.bundled.path(percentEncoded: false)))
    #expect(!own.isBundled)
    #expect(try library.resolved("1080p30").isBundled)
    let far = try library.resolved(folder.file("sub/a.json5").path(percentEncoded: false))
    #expect(far.files.count == 4 && far.preset.container == "mkv" && far.preset.bitRate.bitsPerSecond == 6_000_000)
    #expect(far.preset.keyFrameInterval == .seconds(1))
  }

  @Test(arguments: [
    (["a.json5": "{ extends: 'a' }"], "a.json5:1:12: extends: there is no preset \"a\""),
    (
      ["a.json5": "{\n extends: 'b' }", "b.json5": "{ extends: 'a' }"],
      "b.json5:1:12: extends: this goes round in a circle: a extends b extends a"
    ),
    (
      ["a.json5": "{ extends: './a.json5' }"], "a.json5:1:12: extends: this goes round in a circle: a extends ./a.json5"
    ),
    (
      ["a.json5": "{ extends: 'b' }", "b.json5": "{ extends: '720p61' }"],
      "b.json5:1:12: extends: there is no preset \"720p61\"; 720p60 is near"
    ),
    (["a.json5": "{ extends: './no.json5' }"], "a.json5:1:12: extends: the file cannot be read"),
    (
      ["a.json5": "{ extends: 'b' }", "b.json5": "{\n\n bitrate: 0 }"], "b.json5:3:11: bitrate: \"0\" is not a bit rate"
    ),
    (
      ["a.json5": "{ extends: 'b', bitrate: '1M' }", "b.json5": "{ bitrat: '0' }"],
      "b.json5:1:3: bitrat: there is no such"
    ),
    (["a.json5": "{ extends: 7 }"], "a.json5:1:12: extends: the name or the path of a preset is wanted, not a number"),
  ])
  func mistakes(_ files: [String: String], _ message: String) throws {
    let (library, folder) = try library(files)
    let error = try #require(throws: ConfigurationError.self) { try library.preset("a") }
    let text = "\(error)".replacing(folder.url.path(percentEncoded: false), with: "")
    #expect(text.hasPrefix(message), "\(text)")
    if message.contains("no preset \"720p61\"") { #expect(text.contains("a extends b extends 720p61")) }
  }

  // MARK: Showing

  @Test func everyValueHasItsOrigin() throws {
    let (library, folder) = try library(["base.json5": Self.base, "mine.json5": "{ extends: 'base',\n bitrate: '1M' }"])
    let resolved = try library.resolved("mine")
    let base = folder.file("base.json5").path(percentEncoded: false)
    #expect(resolved.origins["request.size"] == SourcePlace(file: base, line: 1, column: 37))
    #expect(resolved.origins["bitrate"]?.line == 2 && resolved.origins["bitrate"]?.file == resolved.files[0])
    #expect(resolved.json5.contains("  bitrate: \"1M\", // mine.json5:2\n"))
    #expect(resolved.json5.contains("    range: \"limited\", // base.json5:1\n"))
    #expect(resolved.json5.contains("  keyFrameInterval: \"2s\", // default\n"))
  }

  /// What `show` prints is a preset that means the same, as JSON5 and as JSON.
  @Test(arguments: ProfileLibrary(folders: [ProfileLibrary.bundled]).presetNames)
  func shownPresetsMeanTheSame(_ name: String) throws {
    let resolved = try ProfileLibrary(folders: [ProfileLibrary.bundled]).resolved(name)
    var wanted = resolved.preset
    #expect(try Preset(name: name, file: "shown.json5", json5: Data(resolved.json5.utf8)) == wanted)
    let answer = try JSONSerialization.jsonObject(with: Data(resolved.json.utf8)) as? [String: Any]
    let values = try JSONSerialization.data(withJSONObject: try #require(answer?["values"]))
    wanted.name = "again"
    #expect(try Preset(name: "again", file: "values.json", json5: values) == wanted)
    #expect((answer?["files"] as? [String])?.count == resolved.files.count)
  }
}
