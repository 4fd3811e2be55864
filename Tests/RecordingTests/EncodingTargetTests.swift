/// GStreamer's encoding targets by the built command: those of Debian, and those of a user's own.

import Foundation
import TestSupport
import Testing

@Suite struct EncodingTargetCommandTests {
  static func target(_ streams: String..., format: String = "video/x-matroska") -> String {
    let parts = streams.enumerated().map { "[streamprofile-p-\($0)]\nparent=p\n\($1)\n" }
    return """
      [GStreamer Encoding Target]
      name=own
      category=device
      description=For a test

      [profile-p]
      name=p
      type=container
      format=\(format)

      \(parts.joined(separator: "\n"))
      """
  }

  static let video =
    "type=video\nformat=video/x-h264,profile=main\nrestriction=video/x-raw,width=640,height=360,framerate=30/1"
  static let sound = "type=audio\nformat=audio/x-opus"

  private func plan(_ target: String, _ arguments: String..., named name: String = "own") async throws -> Outcome {
    let data = try UserData(["encoding-profiles/device/own.gep": target])
    return try await RunningProgram(
      "capstan", ["plan", "-d", "synthetic", "--encoding-target", name] + arguments, environment: data.environment
    ).finish()
  }

  @Test func theyAreListed() async throws {
    let data = try UserData(["encoding-profiles/device/own.gep": Self.target(Self.video)])
    let outcome = try await capstan("presets", "targets", environment: data.environment)
    #expect(outcome.output.contains("device/own") && outcome.output.contains("file-extension/mp4"), "\(outcome.errors)")
    let folder = data.folder.url.appending(path: "gstreamer-1.0/encoding-profiles").path(percentEncoded: false)
    let path = try await capstan("presets", "targets", "--json", environment: ["GST_ENCODING_TARGET_PATH": folder])
    #expect(path.output.contains("device\\/own") || path.output.contains("device/own"), "\(path.errors)")
  }

  @Test(arguments: ["own", "device/own", "own/p", "device/own/p"])
  func whatIsAskedIsPlanned(_ name: String) async throws {
    let outcome = try await plan(Self.target(Self.video, Self.sound), named: name)
    #expect(outcome.status == 0, "\(outcome.errors)")
    for part in [
      "device/own/p: x264enc", "mkv by matroskamux", "profile=(string)main", "width=(int)640, height=(int)360",
    ] {
      #expect(outcome.output.contains(part), "\(part)")
    }
    #expect(outcome.output.contains("asks for sound (audio/x-opus), which Capstan does not record yet"))
  }

  @Test func whatIsTypedGoesBeforeIt() async throws {
    let outcome = try await plan(Self.target(Self.video), "--encoder", "openh264enc", "-s", "1280x720", "-r", "60")
    #expect(
      outcome.output.contains("openh264enc") && outcome.output.contains("1280x720 at 60 fps"), "\(outcome.errors)")
    #expect(outcome.output.contains("wants 640x360, and the preset another size"))
  }

  @Test(arguments: [
    (target("\(video)\npresence=1", "type=video\nformat=video/x-vp8\npresence=1"), 0, "asks for 2 video streams"),
    (target(sound), 2, "has no video, and Capstan records no sound yet"),
    (target(video, format: "video/x-msvideo"), 2, "wants the container video/x-msvideo; name one of mkv, mov, mp4"),
    (target("type=video\nformat=video/x-nothing"), 2, "wants video/x-nothing, which no encoder of Capstan's makes"),
    (target("\(video)\npreset=No Such"), 0, "asks for the element preset \"No Such\", which x264enc has not got here"),
  ])
  func whatCannotBeDoneIsSaid(_ target: String, _ status: Int, _ message: String) async throws {
    let outcome = try await plan(target)
    #expect(outcome.status == Int32(status) && (outcome.output + outcome.errors).contains(message), "\(outcome.errors)")
  }

  @Test func aNameThatThereIsNotIsTold() async throws {
    let outcome = try await capstan("plan", "-d", "synthetic", "--encoding-target", "file-extension/mp5")
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains("no encoding target \"file-extension/mp5\"; it has file-extension/mp"),
      "\(outcome.errors)")
  }

  /// What is shown can be saved and means the same.
  @Test func whatIsShownMeansTheSame() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("p.json5").path(percentEncoded: false)
    let again = folder.file("again.json5").path(percentEncoded: false)
    try Data("{ extends: '720p60', encodingTarget: 'youtube' }".utf8).write(to: URL(filePath: file))
    let shown = try await capstan("presets", "show", file)
    #expect(shown.output.contains("// encoding target online-service/youtube/default: "), "\(shown.errors)")
    try Data(shown.output.utf8).write(to: URL(filePath: again))
    let plans = try await concurrently([file, again]) { try await capstan("plan", "-d", "synthetic", "-p", $0) }
    let lines = plans.map { $0.output.split(separator: "\n").last }
    #expect(lines[0] == lines[1] && lines[0]?.contains("pass=qual") == true, "\(plans[1].errors)")
  }
}

extension LightTests {
  @Suite struct EncodingTargetRecordingTests {
    @Test(arguments: [("youtube", "h264", "mp4"), ("webm", "vp8", "webm"), ("mkv", "h264", "mkv")])
    func debiansRecord(_ name: String, _ codec: String, _ suffix: String) async throws {
      let folder = try TemporaryFolder()
      let outcome = try await capstan(
        "record", "-d", "synthetic", "-p", "720p30", "--encoding-target", name, "--frames", "20", "-o",
        folder.url.path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let file = try #require(try folder.names.first { $0.hasSuffix(".\(suffix)") })
      let check = try await RecordingCheck(folder.file(file))
      #expect(check.probe.codec == codec && check.probe.readFrames == 20)
    }
  }
}
