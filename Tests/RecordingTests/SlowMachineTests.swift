/// Machines that do not keep up at any speed, made by a filter that sleeps for a while with each frame: it takes no
/// time from anybody else, and is as slow on every machine.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct SlowMachineTests {
    private let folder: TemporaryFolder
    /// 256 MiB of its pictures are a second.
    private let rawCamera = FakeCamera("elgato_camlink4k_1080p5994", ["picture": "noise"])

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter milliseconds: for each frame.
    private func start(_ camera: FakeCamera, milliseconds: Int, _ arguments: String...) throws -> RunningProgram {
      let preset = folder.file("slow.json5")
      try Data("{ speed: 'ultrafast', filters: ['identity sleep-time=\(milliseconds * 1000)'] }".utf8).write(to: preset)
      let paths = [preset, folder.file("a.mp4")].map { $0.path(percentEncoded: false) }
      let fixed = ["record", "-d", "/dev/video0", "-p", paths[0], "-o", paths[1], "-y"]
      return try RunningProgram("capstan", fixed + arguments, camera: camera)
    }

    /// One whole file, and no frame missing in it that the report does not count as left out.
    private func checkAccount(_ report: [String: Any]) async throws {
      let check = try await RecordingCheck(folder.file("a.mp4"))
      let frames = try #require(check.frames)
      let lost = try #require(report["lost"] as? [String: Int])
      #expect(check.isOrdinaryMP4)
      #expect(frames.count == report["framesWritten"] as? Int)
      #expect(frames.lost == report["framesLost"] as? Int)
      #expect(frames.repeated + frames.reordered + frames.unreadable == 0)
      #expect(lost["queue"] ?? 0 > 0 && lost["corrupt"] == 0 && lost["encoder"] == 0, "\(lost)")
    }

    @Test func rawPicturesAreThinnedAtAChosenSpeed() async throws {
      let outcome = try await start(rawCamera, milliseconds: 100, "--frames", "60", "--json").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect((report["speedSteps"] as? [Any])?.isEmpty == true && report["speed"] as? String == "ultrafast")
      #expect(outcome.errors.components(separatedBy: "frames a second with x264enc at ultrafast").count == 2)
      try await checkAccount(report)
    }

    /// Pictures that build on one another are all decoded; none is damaged.
    @Test func codedPicturesAreThinnedBehindTheDecoder() async throws {
      let camera = FakeCamera(format: "H264", width: 640, height: 360, rate: (30, 1))
      let outcome = try await start(
        camera, milliseconds: 400, "--input-format", "h264", "--size", "640x360", "--framerate", "30", "--frames", "32",
        "--json"
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect(outcome.errors.contains("frames are left out evenly"), "\(outcome.errors)")
      #expect((report["lost"] as? [String: Int])?["driver"] == 0)
      try await checkAccount(report)
    }

    /// An encoder that counts frames would put its key frames three times as far apart.
    @Test(arguments: ["x264enc", "openh264enc"]) func keyFramesKeepTheirTime(_ encoder: String) async throws {
      let slow = FakeCamera("logitech_c922", faults: ["actualRate": "20/1"])
      let file = folder.file("a.mp4")
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-p", "720p60", "--encoder", encoder, "--frames", "100", "-o",
          file.path(percentEncoded: false),
        ], camera: slow
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let packets = try await Packets(file)
      #expect(packets.count == 100 && packets.longestKeyFrameDistance < 2.06, "\(packets.longestKeyFrameDistance)")
    }

    /// What waits is bounded, and so is what is made of it. `Tests/governor memory` prints the long form.
    @Test func memoryStaysFlat() async throws {
      let program = try start(rawCamera, milliseconds: 200, "--events")
      // Everything that may wait does.
      #expect(try await program.wait { program.outputSoFar.contains(#""event":"warning""#) })
      try await Task.sleep(for: .seconds(4))
      var samples: [Double] = []
      for _ in 0..<8 {
        try await Task.sleep(for: .seconds(1))
        samples.append(try program.residentMiB)
      }
      program.signal(SIGINT)
      let outcome = try await program.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let (least, most) = (samples.min() ?? 0, samples.max() ?? 0)
      #expect(least > 150 && most < 700 && most < least * 1.15, "\(samples)")
      try await checkAccount(try #require(try outcome.events().last))
    }
  }
}

extension RunningProgram {
  /// What of its memory is in the machine's, in MiB.
  fileprivate var residentMiB: Double {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }) / 1024
    }
  }
}
