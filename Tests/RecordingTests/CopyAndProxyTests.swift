/// Recordings that are not encoded, and recordings that are encoded twice, from played cameras.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct CopyAndProxyTests {
    private func record(_ camera: FakeCamera, _ arguments: String...) async throws -> Outcome {
      try await RunningProgram("capstan", ["record", "--json"] + arguments, camera: camera).finish()
    }

    /// MD5 of each packet's bytes, by ffmpeg.
    private func packets(of file: URL) async throws -> [String] {
      let outcome = try await RunningProgram(
        "/usr/bin/env",
        ["ffmpeg", "-v", "error", "-i", file.path(percentEncoded: false), "-c", "copy", "-f", "framemd5", "-"]
      ).finish()
      return outcome.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    private func findings(in file: URL) async throws -> [String] {
      let outcome = try await capstan("check", file.path(percentEncoded: false), "--json")
      let answers = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
      let findings = try #require(answers?.first?["findings"] as? [[String: Any]], "\(outcome.output)")
      return findings.map { "\($0["kind"] ?? $0)" }
    }

    /// The camera's JPEGs, byte for byte: the same number in two containers is the same bytes.
    @Test func picturesOfAWebcamAreKept() async throws {
      let folder = try TemporaryFolder()
      let files = [folder.file("a.mov"), folder.file("a.mkv")]
      var sets: [Set<String>] = []
      for file in files {
        let outcome = try await record(
          FakeCamera("logitech_c922"), "-p", "passthrough", "--frames", "60", "-o", file.path(percentEncoded: false))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.json()["encoder"] as? String == "copy")
        let check = try await RecordingCheck(file)
        #expect(check.probe.codec == "mjpeg" && check.probe.readFrames == 60 && check.probe.colorRange == "pc")
        #expect(abs((check.probe.duration ?? 1) - 1) < 0.05, "the last frame lasts as long as the others")
        #expect(check.frames?.repeated == 0 && check.frames?.reordered == 0 && check.frames?.unreadable == 0)
        let told = try await findings(in: file)
        #expect(told.filter { $0 != "gap" } == [])
        sets.append(Set(try await packets(of: file)))
      }
      #expect(sets[0].intersection(sets[1]).count >= 30, "the camera numbers its frames from the same one")
    }

    @Test func theStreamOfACameraThatCodesIsKept() async throws {
      let folder = try TemporaryFolder()
      for name in ["a.mp4", "a.mkv"] {
        let file = folder.file(name)
        let outcome = try await record(
          FakeCamera("elp_h264_two_nodes"), "-p", "passthrough", "--frames", "45", "-o",
          file.path(percentEncoded: false))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let check = try await RecordingCheck(file)
        #expect(check.probe.codec == "h264" && check.probe.readFrames == 45)
        #expect(check.track.map { $0.keyFrames.first == 0 || $0.keyFrames.first == 1 } ?? true)
        #expect(check.probe.colorRange == "tv")
        guard name == "a.mp4" else { continue }
        #expect(check.vui == RecordingCheck.Color(fullRange: false, primaries: 1, transfer: 1, matrix: 6))
        #expect(check.colr == check.vui)
        #expect(check.frames?.unreadable == 0 && check.frames?.reordered == 0)
      }
    }

    /// The camera's stream says limited; who knows better is believed, in stream and container.
    @Test(arguments: ["a.mp4", "a.mkv"]) func whatIsSaidOfTheCameraGoesBeforeItsStream(_ name: String) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file(name)
      let outcome = try await record(
        FakeCamera("elp_h264_two_nodes"), "-p", "passthrough", "--source-color", "full", "--frames", "20", "-o",
        file.path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(file)
      #expect(check.probe.colorRange == "pc" && check.probe.readFrames == 20)
      guard name == "a.mp4" else { return }
      #expect(check.vui == RecordingCheck.Color(fullRange: true, primaries: 1, transfer: 1, matrix: 6))
      #expect(check.colr == check.vui)
    }

    @Test func aCopyThatCannotBeIsRefusedBeforeTheCamera() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("a.mkv").path(percentEncoded: false)
      let raw = try await record(FakeCamera("ps3_eye"), "--encoder", "copy", "-s", "320x240", "-o", file)
      #expect(raw.status == 2 && raw.errors.contains("raw pictures in every mode that would do"), "\(raw.errors)")
      let presets = try await capstan("presets", "-d", "/dev/video0", "--json", camera: FakeCamera("ps3_eye"))
      let answers = try JSONSerialization.jsonObject(with: Data(presets.output.utf8)) as? [[String: Any]]
      let copy = try #require(answers?.first { $0["name"] as? String == "passthrough" })
      #expect((copy["fit"] as? [String: Any])?["canApply"] as? Bool == false)
      let scaled = try await record(
        FakeCamera("logitech_c922"), "--encoder", "copy", "--scale", "640x360", "-o", file)
      #expect(scaled.status == 2 && scaled.errors.contains("another size cannot be had"))
      #expect(try folder.names.isEmpty)
    }

    // MARK: Two files

    @Test func bothFilesHaveEveryFrame() async throws {
      let folder = try TemporaryFolder()
      let master = folder.file("a.mp4")
      let outcome = try await record(
        FakeCamera("logitech_c922"), "-p", "master+proxy", "--frames", "90", "-o", master.path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names == ["a-proxy.mp4", "a.mp4"])
      let proxy = try #require(try outcome.json()["proxy"] as? [String: Any])
      #expect(proxy["framesWritten"] as? Int == 90 && proxy["fileComplete"] as? Bool == true)
      let (large, small) = (try await RecordingCheck(master), try await RecordingCheck(folder.file("a-proxy.mp4")))
      #expect(large.probe.readFrames == 90 && small.probe.readFrames == 90)
      #expect(small.probe.width == 640 && small.probe.height == 360 && small.isOrdinaryMP4 && large.isOrdinaryMP4)
      #expect(small.vui == large.vui && small.colr == large.colr && small.vui?.fullRange == true)
      #expect(large.error(as: "full601") < 4 && small.error(as: "full601") < 4)
      #expect(outcome.errors.contains("a-proxy.mp4: 90 frames, 640x360, x264 ultrafast"))
    }

    /// The master's encoder takes NV12, the proxy's I420 only.
    @Test func aProxyMayHaveAnotherEncoder() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data("{ extends: 'master+proxy', proxy: { encoder: 'openh264enc' } }".utf8).write(to: preset)
      let outcome = try await RunningProgram(
        "capstan",
        ["record", "-d", "synthetic", "-p", preset.path(), "--frames", "30", "-o", folder.file("a.mp4").path()]
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let (large, small) = (
        try await RecordingCheck(folder.file("a.mp4")), try await RecordingCheck(folder.file("a-proxy.mp4"))
      )
      #expect(large.probe.readFrames == 30 && small.probe.readFrames == 30)
      #expect(small.colr == large.colr && small.vui == large.vui)
    }

    /// Where it stands in the file, and as what.
    @Test(arguments: [
      ("{ extends: 'master+proxy',\n proxy: { scale: '640x361' } }", ":2:18: proxy.scale: 640x361 has an odd side"),
      ("{ extends: 'master+proxy',\n proxy: { container: 'webm' } }", ":2:22: proxy.container: webm cannot hold h264"),
      ("{ extends: 'master+proxy',\n proxy: { bitrate: '9G' } }", ":2:20: proxy.bitrate: 9000 Mbit/s is out of range"),
      (
        "{ extends: 'master+proxy',\n proxy: { encoder: 'x264' } }", ":2:20: proxy.encoder: there is no encoder profile"
      ),
      (
        "{ extends: 'master+proxy',\n proxy: { encoder: 'copy' } }", ":2:20: proxy.encoder: there is no encoder profile"
      ),
    ])
    func mistakesOfAProxyHaveTheirPlace(_ text: String, _ told: String) async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data(text.utf8).write(to: preset)
      let outcome = try await capstan("presets", "check", preset.path())
      #expect(outcome.status != 0 && (outcome.output + outcome.errors).contains("p.json5\(told)"), "\(outcome)")
    }

    @Test func aProxyThatIsThereIsKeptAndNothingIsRecorded() async throws {
      let folder = try TemporaryFolder()
      try Data("mine".utf8).write(to: folder.file("a-proxy.mp4"))
      let outcome = try await record(
        FakeCamera("logitech_c922"), "-p", "master+proxy", "--frames", "9", "-o",
        folder.file("a.mp4").path(percentEncoded: false))
      #expect(outcome.status == 5 && outcome.errors.contains("a-proxy.mp4 exists already"))
      #expect(try folder.names == ["a-proxy.mp4"])
      #expect(try Data(contentsOf: folder.file("a-proxy.mp4")) == Data("mine".utf8))
    }
  }
}
