/// Presets by the built command: listed, shown and checked; and recorded with, each that ships.

import Foundation
import TestSupport
import Testing

@Suite struct PresetCommandTests {
  /// The user's folder with these files in it.
  private func user(_ files: [String: String]) throws -> (folder: TemporaryFolder, environment: [String: String]) {
    let folder = try TemporaryFolder()
    let pipelines = folder.url.appending(path: "capstan/pipelines")
    try FileManager.default.createDirectory(at: pipelines, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: pipelines.appending(path: name)) }
    return (folder, ["XDG_CONFIG_HOME": folder.url.path(percentEncoded: false)])
  }

  @Test func listSaysWhereEachIsFrom() async throws {
    let (folder, environment) = try user([
      "mine.json5": "{ extends: '720p60', summary: 'my own' }", "bad.json5": "{ a: 1 }",
    ])
    let outcome = try await capstan("presets", "--json", environment: environment)
    let lines = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]] ?? []
    let mine = try #require(lines.first { $0["name"] as? String == "mine" })
    #expect(mine["bundled"] as? Bool == false && mine["summary"] as? String == "my own")
    #expect((mine["file"] as? String)?.hasPrefix(folder.url.path(percentEncoded: false)) == true)
    #expect(lines.count >= 20 && outcome.status == 0)
    #expect(outcome.errors.contains("bad.json5:1:3: a: there is no such key"))
  }

  @Test func listSaysWhatACameraCanDo() async throws {
    let outcome = try await capstan("presets", "-d", "/dev/video0", "--json", camera: FakeCamera("logitech_c922"))
    let lines = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]] ?? []
    let fits = Dictionary(
      lines.map { ($0["name"] as? String ?? "", ($0["fit"] as? [String: Any])?["canApply"] as? Bool) }
    ) { $1 }
    #expect(fits["1920x1080"] == true && fits["iFrame960x540"] == true && fits["4k30"] == true)
  }

  @Test func showIsAPreset() async throws {
    let (folder, environment) = try user(["mine.json5": "{ extends: 'archive', bitrate: '2M' }"])
    let shown = try await capstan("presets", "show", "mine", environment: environment)
    #expect(shown.output.contains("  bitrate: \"2M\", // mine.json5:1\n") && shown.output.contains("// archive.json5:"))
    let again = folder.file("again.json5")
    try Data(shown.output.utf8).write(to: again)
    let checked = try await capstan("presets", "check", again.path(percentEncoded: false))
    #expect(checked.status == 0 && checked.output.hasSuffix(": ok\n"), "\(checked.errors)")
  }

  @Test func everyShippedPresetIsRight() async throws {
    let list = try await capstan("presets", "--json")
    let lines = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]] ?? []
    let names = lines.compactMap { $0["name"] as? String }
    let outcome = try await RunningProgram("capstan", ["presets", "check"] + names).finish()
    #expect(outcome.status == 0 && outcome.output == names.map { "\($0): ok\n" }.joined(), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("{ encoder: 'x246enc' }", "1:12: encoder: there is no encoder profile \"x246enc\" (did you mean x264enc?)"),
    ("{ container: 'webm' }", "1:14: container: webm cannot hold h264; use mkv or mov or mp4."),
    ("{ speed: 'fats' }", "1:10: speed: x264enc has no speed \"fats\" (did you mean fast?)"),
    ("{ profile: 'mian' }", "1:12: profile: x264enc has no profile \"mian\" (did you mean main?)"),
    ("{ encoderOptions: { bframs: 2 } }", "1:29: encoderOptions.bframs: x264enc"),
    ("{ encoderOptions: { bframes: 99 } }", "1:30: encoderOptions.bframes: \"99\" is out of range"),
    (
      "{ encoder: ['x264enc', 'vp9enc'], bFrames: 2 }", "1:44: bFrames: vp9enc makes no B-frames; leave bFrames out, or"
    ),
    ("{ bFrames: 17 }", "1:12: bFrames: \"17\" is not a whole number from 0 to 16."),
    ("{ lossles: true }", "1:3: lossles: there is no such key; lossless is near"),
    ("{ threads: 'many' }", "1:12: threads: \"many\" is not \"auto\" or a whole number from 1 to 256."),
    ("{ lowLatency: 'yes' }", "1:15: lowLatency: true or false is wanted, not a text."),
    ("{ lossless: true, bitrate: '8M' }", "1:19: bitrate: lossless is there too, and one excludes the other"),
    ("{ lowLatency: true, bFrames: 1 }", "1:30: bFrames: bFrames and lowLatency exclude one another"),
    ("{ encoder: 'x265enc', bitrate: '200M' }", "1:32: bitrate: 200 Mbit/s is out of range for x265enc, which takes"),
    (
      "{ chroma: '4:2:2', encoder: 'openh264enc' }",
      "1:11: chroma: openh264enc takes no 4:2:2 of 8 bits; av1enc, avenc_ffv1, avenc_mjpeg, x264enc, x265enc would."
    ),
    ("{ depth: 10, profile: 'main' }", "1:23: profile: x264enc writes no 4:2:0 of 10 bits in the profile main"),
    ("{ sourceColor: '9:9:9:9' }", "1:16: sourceColor: \"9:9:9:9\" is not full, limited, bt601"),
    ("{ filters: 'videoflip direction=horiz' }", "1:12: filters: [0]: The pipeline description"),
    ("{ filters: 'x264enc' }", "1:12: filters: [0]: \"x264enc\" does not take and give raw pictures"),
    ("{ filters: 'videoflop' }", "1:12: filters: [0]: GStreamer has no element videoflop"),
    ("{ filters: ['identity', 'fakesink'] }", "1:12: filters: [1]: \"fakesink\" has no way in, or no way out"),
    ("{ filters: 'videoflip video-direction=9000' }", "1:12: filters: [0]: "),
    ("{ bitrate: '8 apples' }", "1:12: bitrate: \"8 apples\" is not a bit rate"),
    ("{ bitrate: '8M' ", "1:1: } is missing"),
    ("{ extends: 'nobody-at-all' }", "1:12: extends: there is no preset"),
  ])
  func checkSaysWhatIsWrong(_ text: String, _ message: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("p.json5")
    try Data(text.utf8).write(to: file)
    let outcome = try await capstan("presets", "check", file.path(percentEncoded: false))
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    let told = outcome.errors.replacing(file.path(percentEncoded: false) + ":", with: "")
    #expect(told.hasPrefix("capstan: " + message) && !told.contains("..\n"), "\(told)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func checkSaysEverythingThatIsWrong() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("p.json5").path(percentEncoded: false)
    let text = """
      {
        encodr: "x264enc",
        request: [{ size: 7 }, { framerate: "fast" }],
        quality: 50, lossless: true, bFrames: -1,
      }
      """
    try Data(text.utf8).write(to: URL(filePath: file))
    let told = try await capstan("presets", "check", file).errors.replacing(file, with: "p").split(separator: "\n")
    #expect(told.count == 5, "\(told)")
    let wanted = [
      "p:2:3: encodr: there is no", "p:3:21: request[0].size:", "p:3:39: request[1].framerate:",
      "p:4:41: bFrames: \"-1\" is not", "p:4:16: lossless: quality is there too",
    ]
    for (line, start) in zip(told, wanted) { #expect(line.hasPrefix("capstan: \(start)"), "\(line)") }
    let answer = try await capstan("presets", "check", "--json", file)
    let lines = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]]
    #expect((lines?.first?["errors"] as? [String])?.count == 5 && lines?.first?["ok"] as? Bool == false)
  }

  @Test func schemaAndKeysAreAnswered() async throws {
    let schema = try await capstan("presets", "schema").json()
    #expect(
      (schema["properties"] as? [String: Any])?["encoder"] != nil && schema["additionalProperties"] as? Bool == false)
    let keys = try await capstan("presets", "keys")
    #expect(keys.output.contains("bitrate: a bit rate such as \"8M\" or \"800k\" (bits a second) [\"8M\"]\n"))
    let wrong = try await capstan("presets", "chekc")
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean check?"))
  }
}

extension LiveTests {
  @Suite struct PresetRecordingTests {
    private func record(
      _ preset: String, _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
    ) async throws -> Outcome {
      try await RunningProgram(
        "capstan", ["record", "-d", "synthetic", "-p", preset, "--json"] + arguments, environment: environment
      ).finish()
    }

    /// Twenty frames each; what is in the file is judged by ffprobe.
    @Test(arguments: [
      ("720p60", "h264", "1280x720", "mp4"), ("720p30", "h264", "1280x720", "mp4"),
      ("1080p30", "h264", "1920x1080", "mp4"),
      ("1080p60", "h264", "1920x1080", "mp4"), ("4k30", "h264", "1920x1080", "mp4"),
      ("640x480", "h264", "640x480", "mp4"),
      ("1280x720", "h264", "1280x720", "mp4"), ("1920x1080", "h264", "1920x1080", "mp4"),
      ("high", "h264", "1920x1080", "mp4"), ("medium", "h264", "640x480", "mp4"), ("low", "h264", "640x480", "mp4"),
      ("iFrame1280x720", "h264", "1280x720", "mp4"), ("iFrame960x540", "h264", "960x540", "mp4"),
      ("inputPriority", "h264", "1920x1080", "mp4"), ("archive", "hevc", "1280x720", "mkv"),
      ("webm", "vp9", "1280x720", "webm"),
      ("av1", "av1", "1280x720", "webm"), ("lossless", "h264", "1280x720", "mkv"),
      ("low-latency", "h264", "1280x720", "mp4"), ("proxy", "h264", "640x360", "mp4"),
      ("passthrough", "mjpeg", "1280x720", "mov"), ("master+proxy", "h264", "1280x720", "mp4"),
    ])
    func everyShippedPresetRecords(_ name: String, _ codec: String, _ size: String, _ suffix: String) async throws {
      let folder = try TemporaryFolder()
      let outcome = try await record(name, "--frames", "20", "-o", folder.url.path(percentEncoded: false), in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let file = try #require(try folder.names.first { $0.hasSuffix(".\(suffix)") && !$0.contains("-proxy") })
      let check = try await RecordingCheck(folder.file(file))
      #expect(check.probe.codec == codec && "\(check.probe.width)x\(check.probe.height)" == size)
      #expect(check.probe.readFrames == 20)
      if name.hasPrefix("iFrame") { #expect(check.track?.keyFrames.count == 20) }
    }

    @Test func losslessIsLossless() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("a.mkv")
      let outcome = try await record(
        "lossless", "--frames", "10", "-o", file.path(percentEncoded: false), in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let bars = try #require(try await RecordingCheck(file).picture?.grey)
      #expect(!bars.isEmpty && bars.allSatisfy { $0.min == $0.max && $0.luma == $0.min }, "\(bars)")
    }

    /// x264 writes samples of 4:2:0 in this profile only without loss, which no look at the preset can tell.
    @Test func aStepThatDoesNotTakeThePicturesIsSaidToBeThat() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5").path(percentEncoded: false)
      try Data("{ profile: 'high-4:4:4', speed: 'ultrafast' }".utf8).write(to: URL(filePath: preset))
      let outcome = try await record(
        preset, "--frames", "200", "-o", folder.file("a.mp4").path(percentEncoded: false), in: folder)
      #expect(
        outcome.status != 0 && outcome.errors.contains("step of the pipeline does not take"), "\(outcome.errors)")
      #expect(outcome.errors.contains("Leave out what the preset says of filters, profile and encoderOptions"))
    }

    /// A quality is held by no bit rate: x264enc's own limits it to 2 Mbit/s unless it is told not to.
    @Test func qualityCostsWhatItCosts() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data("{ quality: 80, request: { size: '640x480', framerate: 30 } }".utf8).write(to: preset)
      let file = folder.file("a.mp4")
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-p", preset.path(percentEncoded: false), "--frames", "60", "-o", file.path(percentEncoded: false),
          "--json",
        ], camera: FakeCamera("logitech_c922").showing("noise")
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let bytes = try #require(try outcome.json()["bytes"] as? Int)
      #expect(bytes * 8 / 2 > 8_000_000, "\(bytes) bytes in two seconds")
    }

    /// Limits, filters and a hook of a preset; the command line's limit goes before the preset's.
    @Test func limitsFiltersAndHooks() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5").path(percentEncoded: false)
      let copy = folder.file("copy of it").path(percentEncoded: false)
      try Data(
        """
        { limits: { frames: 12 }, filters: 'videoflip video-direction=horiz',
          hooks: { finished: ['cp', '{file}', "\(copy)"] } }
        """.utf8
      ).write(to: URL(filePath: preset))
      let file = folder.file("a.mp4")
      let outcome = try await record(preset, "-o", file.path(percentEncoded: false), in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty == false)
      #expect(try outcome.json()["framesWritten"] as? Int == 12)
      #expect(try Data(contentsOf: file) == Data(contentsOf: URL(filePath: copy)), "the hook had the finished file")
      let plain = folder.file("b.mp4")
      _ = try await record("720p60", "--frames", "5", "-o", plain.path(percentEncoded: false), in: folder)
      #expect(try await RecordingCheck(plain).faultyFrames == 0)
      #expect(try await RecordingCheck(file).faultyFrames > 0, "the strip with the numbers is mirrored")
      let typed = try await record(
        preset, "--frames", "7", "-o", folder.file("c.mp4").path(percentEncoded: false), in: folder)
      #expect(try typed.json()["framesWritten"] as? Int == 7)
    }

    @Test func aHookThatFailsIsAWarning() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data("{ limits: { duration: '200ms' }, hooks: { finished: ['false'] } }".utf8).write(to: preset)
      let outcome = try await record(
        preset.path(percentEncoded: false), "-o", folder.file("a.mp4").path(percentEncoded: false), in: folder)
      #expect(outcome.status == 0 && outcome.errors.contains("The hook false failed with exit code 1."))
      #expect(try outcome.json()["success"] as? Bool == true)
    }

    /// Before the camera is opened, and without a file.
    @Test func aFilterThatIsNoneIsRefused() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data("{ filters: ['identity', 'videoflop'] }".utf8).write(to: preset)
      let outcome = try await record(
        preset.path(percentEncoded: false), "-o", folder.file("a.mp4").path(percentEncoded: false), in: folder)
      #expect(
        outcome.status == 2 && outcome.errors.contains("Preset p, filters[1]: GStreamer has no element videoflop"))
      #expect(try folder.names == ["p.json5"])
    }
  }
}
