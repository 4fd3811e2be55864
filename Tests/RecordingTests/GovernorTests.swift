/// Speeds that a machine does not hold, made by an encoder profile that takes x264's slowest speed for a fast one, and by
/// a trial's figures that say the same, as if the machine had been faster then: nobody encodes 60 frames of noise a second
/// so, by one thread. How much is lost depends on the machine; that each frame is accounted for does not.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct GovernorTests {
    private let folder: TemporaryFolder
    private let camera = FakeCamera(format: "MJPG", width: 640, height: 480).showing("noise")

    init() async throws {
      folder = try TemporaryFolder()
      let findings = try await GovernorTests.findings.value
      try FileManager.default.createDirectory(at: folder.file("capstan"), withIntermediateDirectories: true)
      try findings.write(to: folder.file("capstan/encoders.json"))
    }

    /// What a trial finds here, but for the figures of speed.
    private static let findings = Task { () throws -> Data in
      let folder = try TemporaryFolder()
      try writeProfile(in: folder)
      let places = ["XDG_CONFIG_HOME": folder.url.path(), "XDG_CACHE_HOME": folder.url.path()]
      let outcome = try await capstan(
        "record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(), "--frames", "1",
        camera: FakeCamera(format: "MJPG", width: 640, height: 480), environment: places)
      let file = try Data(contentsOf: folder.file("capstan/encoders.json"))
      var contents = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
      var trials = try #require(contents["trials"] as? [[String: Any]])
      for place in trials.indices {
        var finding = try #require(trials[place]["finding"] as? [String: Any])
        finding.merge(["framesPerSecond": 1000, "coreSecondsPerFrame": 0.001, "isDisturbed": false]) { $1 }
        trials[place]["finding"] = finding
      }
      #expect(
        trials.contains { ($0["subject"] as? [String: Any])?["speed"] as? String == "placebo" }, "\(outcome.errors)")
      contents["trials"] = trials
      return try JSONSerialization.data(withJSONObject: contents)
    }

    /// - Parameter fast: further properties of the faster speed.
    private static func writeProfile(fast: String = "", in folder: TemporaryFolder) throws {
      let place = folder.file("capstan/pipelines/encoders")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let pins = "ref=1:cabac=1:8x8dct=1:weightp=0:chroma-qp-offset"
      let profile = """
        {
          element: "x264enc", codec: "h264", inputs: ["I420"], keyFrameInterval: "key-int-max",
          bitrate: { property: "bitrate", bitsPerUnit: 1000 },
          speed: {
            property: "speed-preset",
            megapixelsPerCore: { ultrafast: 100000, placebo: 90000 },
            switchable: [
              { speeds: ["ultrafast"], properties: { "option-string": "\(pins)=0" \(fast) } },
              { speeds: ["placebo"], properties: { threads: 1, "option-string": "\(pins)=2:rc-lookahead=0:mbtree=0" } },
            ],
          },
          properties: { bframes: 0 }, output: "video/x-h264, profile=(string)high", parser: "h264parse",
        }
        """
      try Data(profile.utf8).write(to: place.appending(path: "x264enc.json5"))
    }

    private func start(_ arguments: String...) throws -> RunningProgram {
      try RunningProgram(
        "capstan",
        ["record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(percentEncoded: false), "-y"] + arguments,
        camera: camera, environment: ["XDG_CONFIG_HOME": folder.url.path(), "XDG_CACHE_HOME": folder.url.path()])
    }

    /// One whole file, and no frame missing in it that the report does not count.
    private func checkAccount(_ report: [String: Any]) async throws {
      let check = try await RecordingCheck(folder.file("a.mp4"))
      let frames = try #require(check.frames)
      #expect(check.isOrdinaryMP4)
      #expect(frames.count == report["framesWritten"] as? Int)
      #expect(frames.lost == report["framesLost"] as? Int)
      #expect(frames.repeated + frames.reordered + frames.unreadable == 0)
    }

    @Test func stepsDownInOneFile() async throws {
      try Self.writeProfile(in: folder)
      let outcome = try await start("--frames", "240", "--events").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let events = try outcome.events()
      let report = try #require(events.last)
      #expect(report["framesWritten"] as? Int == 240)
      try await checkAccount(report)
      let steps = try #require(report["speedSteps"] as? [[String: Any]])
      let first = try #require(steps.first)
      #expect(first["from"] as? String == "placebo" && first["to"] as? String == "ultrafast")
      #expect(first["reason"] as? String == "behind" && first["waiting"] as? Int ?? 0 >= 300_000_000)
      #expect(events.count { $0["event"] as? String == "governorStep" } == steps.count)
      #expect(outcome.errors.contains("x264 goes from placebo to ultrafast at 00:00:0"))
      #expect(events.contains { $0["event"] as? String == "status" && $0["speed"] as? String == "ultrafast" })
    }

    /// The step comes about half a second after the start: whatever comes first, the file is whole.
    @Test(arguments: [15, 25, 35, 45, 60, 90]) func theEndMayComeDuringAStep(_ frames: Int) async throws {
      try Self.writeProfile(in: folder)
      let outcome = try await start("--frames", "\(frames)", "--json").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect(report["framesWritten"] as? Int == frames)
      try await checkAccount(report)
    }

    @Test(arguments: [300, 600, 900, 1200]) func aSignalMayComeDuringAStep(_ milliseconds: Int) async throws {
      try Self.writeProfile(in: folder)
      let program = try start("--events")
      while !program.outputSoFar.contains("started") { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.sleep(for: .milliseconds(milliseconds))
      program.signal(SIGINT)
      let outcome = try await program.finish(within: .seconds(180))
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await checkAccount(try #require(try outcome.events().last))
    }

    /// The faster speed has a property that the element refuses.
    @Test func aStepThatFailsIsToldAndNotTriedAgain() async throws {
      try Self.writeProfile(fast: ", 'sliced-threads': 'perhaps'", in: folder)
      let outcome = try await start("--frames", "90", "--json").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.components(separatedBy: "The encoder stays at placebo").count == 2, "\(outcome.errors)")
      let report = try outcome.json()
      #expect((report["speedSteps"] as? [Any])?.isEmpty == true)
      try await checkAccount(report)
    }
  }
}
