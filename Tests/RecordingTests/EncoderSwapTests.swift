/// One line of a preset swaps the encoder: the same request, on pictures that are hard to encode, gives the same bit rate,
/// key frames, colour and soundness from each. And an encoder that Capstan does not know is a file more.

import Foundation
import PipelinePlanning
import TestSupport
import Testing

extension FileWork {
  @Suite struct EncoderSwapTests {
    /// A user's folder with files in it.
    private func user(_ files: [String: String]) throws -> (folder: TemporaryFolder, environment: [String: String]) {
      let folder = try TemporaryFolder()
      for (name, text) in files {
        let file = folder.url.appending(path: "capstan/pipelines/\(name)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      return (folder, ["XDG_CONFIG_HOME": folder.url.path(percentEncoded: false)])
    }

    private func record(
      _ arguments: [String], to file: URL, camera: FakeCamera, environment: [String: String]
    ) async throws -> Outcome {
      let words = ["record", "-d", "/dev/video0", "--json", "-o", file.path(percentEncoded: false)] + arguments
      return try await RunningProgram("capstan", words, camera: camera, environment: environment).finish()
    }

    /// So small that all of them at once hold it, and as many bits a pixel as 720p60 has with 20 Mbit/s.
    @Test func sameRequestSameResult() async throws {
      let encoders = ["x264enc", "openh264enc", "x265enc", "vp9enc", "av1enc", "vp8enc"]
      _ = try await concurrently(encoders) { try await givesWhatIsAsked($0) }
    }

    private func givesWhatIsAsked(_ encoder: String) async throws {
      let (folder, environment) = try user([
        "swap.json5": """
        {
          extends: "720p30",
          request: { size: "320x240" },
          encoder: "\(encoder)",
          bitrate: "1M",
          container: "mkv",
        }
        """
      ])
      let file = folder.file("a.mkv")
      let camera = FakeCamera(format: "MJPG", width: 320, height: 240, rate: (30, 1)).showing("noise")
      let outcome = try await record(
        ["-p", "swap", "--frames", "240"], to: file, camera: camera, environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      let packets = try await Packets(file)
      #expect(report["encoder"] as? String == encoder)
      let lost = try #require(report["framesLost"] as? Int)
      #expect(packets.count == report["framesWritten"] as? Int && packets.count > 120)
      Figures.tell(["\(encoder) \(Int(packets.bitRate)) bit/s of 1000000, keys \(packets.longestKeyFrameDistance) s"])
      // Where the machine lost frames, an encoder keeps to the bits of a second or of a frame, and the next key frame
      // comes with the frame that does.
      let rates = [packets.bitRate, packets.bits(aSecondAt: 30)]
      #expect(rates.contains { abs($0 / 1e6 - 1) <= 0.15 }, "\(encoder): \(rates)")
      let late = lost > 0 ? packets.longestDistance : 0
      #expect(packets.longestKeyFrameDistance <= 2.05 + late, "\(encoder): \(packets.longestKeyFrameDistance), \(late)")
      #expect(try await Packets.complaints(about: file) == "", "\(encoder)")
      let signals = try #require(
        try await ColorJudgement.of([JudgedRecording(file, fullRange: true, matrix: 601)]).first?.signals)
      #expect(signals.probe.fullRange == true && signals.disagreements.isEmpty, "\(signals)")
      #expect([5, 6].contains(signals.probe.matrix) && signals.probe.transfer == 1 && signals.probe.primaries == 1)
      let check = try await capstan("check", file.path(percentEncoded: false))
      #expect(check.status == 0 || lost > 0, "\(encoder): \(lost) lost: \(check.output)")
    }

    /// jpegenc is none of those that come with Capstan.
    @Test func anotherEncoderIsAFile() async throws {
      let (folder, environment) = try user([
        "encoders/jpegenc.json5": """
        {
          element: "jpegenc", summary: "Motion JPEG (libjpeg)", codec: "mjpeg", inputs: ["I420"],
          range: "full", matrix: "bt601",
          quality: { property: "quality", best: 100, worst: 0, properties: { "idct-method": "islow" } },
        }
        """
      ])
      let list = try await capstan("encoders", "--json", environment: environment)
      #expect(list.output.contains("\"jpegenc\""))
      let file = folder.file("a.mkv")
      let camera = FakeCamera(format: "YUYV", width: 320, height: 240, rate: (30, 1))
      let outcome = try await record(
        ["--encoder", "jpegenc", "--quality", "90", "--frames", "30"], to: file, camera: camera,
        environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.json()["encoder"] as? String == "jpegenc")
      let check = try await RecordingCheck(file)
      #expect(check.probe.codec == "mjpeg" && check.probe.readFrames == 30 && check.faultyFrames == 0)
    }

    /// What its file gets wrong is told with the file, before the camera is opened.
    @Test(arguments: [
      ("qualty: { property: 'quality', best: 9, worst: 0 }", "jpegenc.json5:1:", "quality is near"),
      (
        "quality: { property: 'qualty', best: 9, worst: 0 }", "jpegenc.json5",
        "no property qualty, so it cannot be set to \"8\" (did you mean quality?).\n"
      ),
      ("quality: { property: 'quality', best: 900, worst: 900 }", "jpegenc.json5", "\"900\" is out of range for the"),
    ])
    func mistakesInAFileAreTold(_ line: String, _ place: String, _ message: String) async throws {
      let (folder, environment) = try user([
        "encoders/jpegenc.json5": "{ element: 'jpegenc', codec: 'mjpeg', inputs: ['I420'], \(line) }"
      ])
      let log = folder.file("camera.log")
      let camera = FakeCamera(format: "YUYV", width: 320, height: 240, rate: (30, 1)).logging(to: log)
      let outcome = try await record(
        ["--encoder", "jpegenc", "--quality", "90", "--frames", "3"], to: folder.file("a.mkv"), camera: camera,
        environment: environment)
      #expect(
        outcome.status == 2 && outcome.errors.contains(place) && outcome.errors.contains(message), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").filter { $0.hasPrefix("capstan:") }.count == 1)
      #expect(try !folder.names.contains("a.mkv"))
      #expect((try? String(contentsOf: log, encoding: .utf8))?.contains("streamon") != true)
    }

    /// One change to the file of x264enc: told with the file and the key, without a camera.
    @Test(arguments: [
      ("codec: \"h264\"", "codec: \"h266\"", "codec: no container holds h266 (did you mean h264?)"),
      ("inputs: [\"I420\"", "inputs: [\"I42O\"", "inputs: x264enc takes no I42O (did you mean I420?)"),
      ("parser: \"h264parse\"", "parser: \"h264pars\"", "parser: GStreamer has no element h264pars here"),
      ("parser: \"h264parse\"", "parser: \"h265parse\"", "output, parser, streamCaps: they do not fit one another"),
      ("output: \"video/x-h264, profile=(string)high\"", "output: \"video/x-h264, profil\"", "output: "),
      (
        "output: \"video/x-h264, profile=(string)high\"", "output: \"video/x-h264, profile=(string)hihg\"",
        "output, parser,"
      ),
      (
        "output: \"video/x-h264, profile=(string)high\"", "output: \"video/x-h265\"", "output, parser, streamCaps: they"
      ),
      ("ultrafast: 130", "ultrafast: -130", "speed.megapixelsPerCore.ultrafast: a number above zero is wanted"),
      ("bframes: 0 }", "bframs: 0 }", "has no property bframs"),
    ])
    func oneMistakeInAWholeFile(_ right: String, _ wrong: String, _ told: String) async throws {
      let bundled = ProfileLibrary.bundled.appending(path: "encoders/x264enc.json5")
      let text = try String(contentsOf: bundled, encoding: .utf8)
      #expect(text.contains(right))
      let (folder, environment) = try user(["encoders/x264enc.json5": text.replacing(right, with: wrong)])
      let outcome = try await RunningProgram(
        "capstan", ["record", "-d", "synthetic", "--frames", "3", "-o", folder.file("a.mp4").path()],
        environment: environment
      ).finish()
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(outcome.errors.contains("x264enc.json5") && outcome.errors.contains(told), "\(outcome.errors)")
      #expect(try !folder.names.contains("a.mp4"))
    }
  }
}
