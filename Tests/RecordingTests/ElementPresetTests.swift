/// GStreamer's own presets by the built command: those of Debian, of the user, and of `GST_PRESET_PATH`.

import Foundation
import TestSupport
import Testing

/// Files of GStreamer's in a folder of the user's own.
struct UserData {
  let folder: TemporaryFolder
  var environment: [String: String] { ["XDG_DATA_HOME": folder.url.path(percentEncoded: false)] }

  /// - Parameter files: by their path below `gstreamer-1.0`.
  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    for (path, text) in files {
      let file = folder.file("gstreamer-1.0/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  static let presets = """
    [_presets_]
    version=0.10
    element-name=GstX264Enc

    [Mine Alone]
    _meta/comment=For a test
    key-int-max=7
    cabac=true
    """
}

@Suite struct ElementPresetCommandTests {
  @Test func debiansAreListed() async throws {
    let outcome = try await capstan("encoders", "--presets", "x264enc")
    #expect(outcome.status == 0 && outcome.output.contains("\"Quality High\""), "\(outcome.errors)")
    #expect(outcome.output.contains("quantizer=18"))
    let none = try await capstan("encoders", "--presets", "openh264enc")
    #expect(none.output.isEmpty && none.errors.contains("no presets (.prs) here for openh264enc"))
  }

  /// What a preset sets to the value that the element has already is told too.
  @Test func thoseOfTheUserToo() async throws {
    let data = try UserData(["presets/GstX264Enc.prs": UserData.presets])
    let own = try await capstan("encoders", "--presets", "x264enc", "--json", environment: data.environment)
    #expect(own.output.contains("\"cabac\" : \"true\"") && own.output.contains("\"key-int-max\" : \"7\""))
    #expect(own.output.contains("For a test"))
    let folder = data.folder.url.appending(path: "gstreamer-1.0/presets").path(percentEncoded: false)
    let path = try await capstan("encoders", "--presets", "x264enc", environment: ["GST_PRESET_PATH": folder])
    #expect(path.output.contains("\"Mine Alone\""), "\(path.errors)")
  }

  @Test func theyAreSetAndTold() async throws {
    let plan = try await capstan("plan", "-d", "synthetic", "--element-preset", "Quality High")
    #expect(plan.output.contains("Quality High: ") && plan.output.contains("pass=qual quantizer=18"))
    #expect(!plan.output.contains("bitrate=") && !plan.output.contains("Mbit/s"))
    let typed = try await capstan(
      "plan", "-d", "synthetic", "--element-preset", "Quality High", "--bitrate", "4M", "--json")
    let encoder = try #require(try typed.json()["encoder"] as? [String: Any])
    #expect(encoder["bitRate"] as? Int == 4_000_000)
    let settings = (encoder["elementPreset"] as? [String: Any])?["settings"] as? [String: String]
    #expect(settings?["me"] == "umh" && settings?["quantizer"] == nil)
    let wrong = try await capstan("plan", "-d", "synthetic", "--element-preset", "Quality Hihg")
    #expect(wrong.status == 2 && wrong.errors.contains("did you mean Quality High?"), "\(wrong.errors)")
  }

  /// What is shown can be saved and means the same: what has no effect beside the element preset is not in it.
  @Test func whatIsShownMeansTheSame() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("p.json5").path(percentEncoded: false)
    let again = folder.file("again.json5").path(percentEncoded: false)
    try Data("{ extends: '720p60', elementPreset: 'Quality High' }".utf8).write(to: URL(filePath: file))
    let shown = try await capstan("presets", "show", file)
    #expect(shown.output.contains("// element preset of x264enc: Quality High: "), "\(shown.errors)")
    #expect(!shown.output.contains("bitrate:") && shown.output.contains("keyFrameInterval: "))
    try Data(shown.output.utf8).write(to: URL(filePath: again))
    let plans = try await concurrently([file, again]) { try await capstan("plan", "-d", "synthetic", "-p", $0) }
    let lines = plans.map { $0.output.split(separator: "\n").last }
    #expect(lines[0] == lines[1] && lines[0]?.contains("quantizer=18") == true)
  }

  @Test func checkSaysWhereTheNameStands() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("p.json5").path(percentEncoded: false)
    try Data("{ elementPreset: 'Profile Hi' }".utf8).write(to: URL(filePath: file))
    let outcome = try await capstan("presets", "check", file)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains(
        ":1:18: elementPreset: x264enc has no element preset \"Profile Hi\" (did you mean Profile High?)"),
      "\(outcome.errors)")
  }
}

extension LightTests {
  @Suite struct ElementPresetRecordingTests {
    @Test(arguments: [
      ("Profile Baseline", false), ("Profile YouTube", true), ("Quality Low", false), ("Zero Latency", false),
    ])
    func debiansRecord(_ name: String, _ reorders: Bool) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("a.mp4")
      let outcome = try await capstan(
        "record", "-d", "synthetic", "-p", "720p30", "-s", "640x480", "--element-preset", name, "--frames", "30", "-o",
        file.path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(file)
      #expect(check.probe.readFrames == 30 && check.faultyFrames == 0)
      #expect(check.track?.hasCtts == reorders)
    }

    @Test func theUsersRecord() async throws {
      let data = try UserData(["presets/GstX264Enc.prs": UserData.presets])
      let file = data.folder.file("a.mp4")
      let outcome = try await capstan(
        "record", "-d", "synthetic", "-p", "720p30", "-s", "640x480", "--element-preset", "Mine Alone", "--frames",
        "20", "-o",
        file.path(percentEncoded: false), environment: data.environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try await RecordingCheck(file).track?.keyFrames == [1, 8, 15])
    }
  }
}
