/// Cameras that are pulled out and plugged in again while they are recorded.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct ReplugTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let usb = ["idVendor": "046d", "idProduct": "085c", "serial": "1A2B3C"]

    private func camera(_ faults: [String: Any], _ settings: [String: Any] = [:]) -> FakeCamera {
      FakeCamera(format: "MJPG", width: 640, height: 360).with(
        ["usb": Self.usb, "faults": faults].merging(settings) { $1 })
    }

    private func start(_ camera: FakeCamera, file: String = "a.mp4", _ arguments: String...) throws -> RunningProgram {
      let path = folder.file(file).path(percentEncoded: false)
      return try RunningProgram(
        "capstan", ["record", "-d", "0", "-o", path, "--on-unplug", "wait", "--events"] + arguments, camera: camera)
    }

    private func names(_ outcome: Outcome) throws -> [String] {
      try outcome.events().compactMap { $0["event"] as? String }.filter {
        ["started", "interrupted", "interruptionEnded", "finished"].contains($0)
      }
    }

    private func finished(_ outcome: Outcome) throws -> [String: Any] { try #require(try outcome.events().last) }

    private func interruptions(_ outcome: Outcome) throws -> [[String: Any]] {
      try finished(outcome)["interruptions"] as? [[String: Any]] ?? []
    }

    /// Whole, each picture of each connection once, and as long as it took.
    private func expectWhole(
      _ file: String, frames: Int, restarts: Int, _ outcome: Outcome, gap seconds: ClosedRange<Double>
    ) async throws {
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file(file))
      #expect(check.frames?.count == frames && check.frames?.restarts == restarts)
      try expectEachOnce(check, outcome)
      let gaps = try interruptions(outcome)
      #expect(gaps.count == restarts)
      let absent = gaps.reduce(0) { $0 + ($1["frames"] as? Int ?? 0) }
      let lost = try finished(outcome)["lost"] as? [String: Int]
      #expect(lost?["absent"] == absent)
      let away = gaps.reduce(0.0) { $0 + Double($1["duration"] as? Int ?? 0) / 1e9 }
      #expect(seconds.contains(away), "\(away)")
      #expect(abs((check.probe.duration ?? 0) - (Double(frames) / 60 + away)) < 0.1, "\(check.probe) \(away)")
      #expect(abs(Double(absent) / 60 - away) < 0.1)
    }

    /// What a busy machine did not keep up with is told.
    private func expectEachOnce(_ check: RecordingCheck, _ outcome: Outcome) throws {
      let frames = try #require(check.frames)
      #expect(frames.repeated + frames.reordered + frames.unreadable == 0, "\(frames)")
      let lost = try finished(outcome)["lost"] as? [String: Int] ?? [:]
      #expect(frames.lost <= (lost["driver"] ?? 0) + (lost["queue"] ?? 0), "\(frames) \(lost)")
      let ledger = try finished(outcome)["ledger"] as? [String: Any]
      #expect(ledger?["difference"] as? Int == 0, "\(ledger ?? [:])")
    }

    // MARK: Back

    @Test(arguments: ["a.mp4", "a.mkv"]) func sameNode(_ file: String) async throws {
      let outcome = try await start(camera(["unplugAfter": 90, "replugAfterMs": 700]), file: file, "--frames", "200")
        .finish()
      try await expectWhole(file, frames: 200, restarts: 1, outcome, gap: 0.7...20)
      #expect(try names(outcome) == ["started", "interrupted", "interruptionEnded", "finished"])
      let measured = try finished(outcome)["measuredRate"] as? Double ?? 0
      #expect((59...61).contains(measured), "the gap is no rate")
      #expect(!outcome.errors.contains("were agreed"), "\(outcome.errors)")
    }

    @Test(arguments: [true, false]) func otherNode(_ hasUdev: Bool) async throws {
      let one = camera(["unplugAfter": 90, "replugAfterMs": 700, "replugNode": 6])
      let outcome = try await start(hasUdev ? one.underUdev : one, "--frames", "200").finish()
      try await expectWhole("a.mp4", frames: 200, restarts: 1, outcome, gap: 0.7...20)
    }

    @Test func twice() async throws {
      let one = camera(["unplugAfter": 90, "unplugTimes": 2, "replugAfterMs": 500])
      let outcome = try await start(one, "--frames", "250").finish()
      try await expectWhole("a.mp4", frames: 250, restarts: 2, outcome, gap: 1...40)
    }

    /// The segment that the camera went in goes on, and the next begins by the true time.
    @Test func inSegments() async throws {
      let one = camera(["unplugAfter": 150, "replugAfterMs": 500])
      let outcome = try await start(one, file: "a-%02d.mp4", "--frames", "400", "--segment", "2s").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      var (frames, restarts) = (0, 0)
      let all = try folder.names
      for name in all {
        let check = try await RecordingCheck(folder.file(name))
        #expect(check.isOrdinaryMP4, "\(name)")
        try expectEachOnce(check, outcome)
        frames += check.frames?.count ?? 0
        restarts += check.frames?.restarts ?? 0
        #expect(check.track?.keyFrames.first == 1)
      }
      #expect(frames == 400 && restarts <= 1)
      let files = try finished(outcome)["files"] as? [[String: Any]] ?? []
      #expect(files.count == all.count && files.count > 2)
    }

    /// A stream that is copied goes on where it can be decoded.
    @Test func copyOfACodedStream() async throws {
      let one = FakeCamera("elp_h264_two_nodes", faults: ["unplugAfter": 100, "replugAfterMs": 500])
      let outcome = try await start(
        one, "-d", "H264 USB Camera", "-p", "passthrough", "--input-format", "h264", "-s", "720p30", "--frames", "150"
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 150 && check.frames?.unreadable == 0 && check.frames?.restarts == 1)
      #expect(check.isOrdinaryMP4)
    }

    @Test func withAProxy() async throws {
      let outcome = try await start(
        camera(["unplugAfter": 60, "replugAfterMs": 500]), "-p", "master+proxy", "--frames", "120"
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      for name in try folder.names {
        #expect(try await RecordingCheck(folder.file(name)).frames?.count == 120, "\(name)")
      }
      #expect(try folder.names.count == 2)
    }

    @Test func controlsAreSetAgainAndGivenBack() async throws {
      let log = folder.file("log")
      let outcome = try await start(
        camera(["unplugAfter": 60, "replugAfterMs": 500], ["controls": Self.controls]).logging(to: log),
        "--frames", "120", "--control", "brightness=140"
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let sets = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").filter { $0.contains("s_ctrl") }
      let values = sets.compactMap { $0.firstMatch(of: /value=(-?\d+)/).flatMap { Int($0.1) } }
      #expect(values.filter { $0 == 140 }.count == 2, "\(sets)")
      #expect(values.last == 128, "\(sets)")
    }

    private static var controls: [[String: Any]] {
      [["id": "brightness", "type": "int", "min": 0, "max": 255, "default": 128, "value": 128]]
    }

    // MARK: Not back

    private func waits(_ program: RunningProgram) async throws -> Bool {
      try await program.wait { program.outputSoFar.contains("\"interrupted\"") }
    }

    /// What came before is there; nothing is held up.
    @Test(arguments: [SIGINT, SIGHUP]) func neverBack(_ signal: Int32) async throws {
      let program = try start(camera(["unplugAfter": 90]))
      #expect(try await waits(program))
      #expect(try await program.wait { program.outputSoFar.contains("\"waiting\":") })
      program.signal(signal)
      let outcome = try await program.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.faultyFrames == 0)
      #expect((85...90).contains(check.frames?.count ?? 0))
      #expect(try interruptions(outcome).count == 1)
    }

    /// Time goes on while the camera is away.
    @Test func limitWhileAway() async throws {
      let outcome = try await start(camera(["unplugAfter": 60]), "-t", "3s").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let ledger = try #require(try finished(outcome)["ledger"] as? [String: Any])
      #expect(ledger["expected"] as? Int == 180 && ledger["difference"] as? Int == 0, "what did not come is missing")
      let gaps = try interruptions(outcome)
      let absent = (ledger["lost"] as? [String: Int])?["absent"] ?? 0
      #expect(gaps.count == 1 && gaps.first?["frames"] as? Int == absent && absent >= 120, "\(gaps)")
      #expect((55...60).contains(try await RecordingCheck(folder.file("a.mp4")).frames?.count ?? 0))
    }

    @Test func anotherCameraIsNotTaken() async throws {
      let other = camera(["unplugAfter": 60, "replugAfterMs": 300, "replugSerial": "OTHER"])
      let program = try start(other.underUdev)
      #expect(try await waits(program))
      try await Task.sleep(for: .seconds(4))
      program.signal(SIGINT)
      let outcome = try await program.finish()
      let told = try names(outcome)
      #expect(outcome.status == 0 && told == ["started", "interrupted", "finished"], "\(outcome.errors)")
    }

    @Test func backWithoutTheMode() async throws {
      let program = try start(camera(["unplugAfter": 60, "replugAfterMs": 300, "replugRefuses": ["MJPG"]]))
      #expect(try await program.wait { program.outputSoFar.contains("waited for all the same") })
      program.signal(SIGINT)
      let outcome = try await program.finish()
      let told = try names(outcome)
      #expect(outcome.status == 0 && told == ["started", "interrupted", "finished"], "\(outcome.errors)")
    }

    // MARK: As good as gone

    @Test func stallsAndComesBack() async throws {
      let outcome = try await start(
        camera(["stallAfter": 90, "stallTimes": 1]), "--frames", "200", "--stall-timeout", "1s"
      ).finish()
      try await expectWhole("a.mp4", frames: 200, restarts: 1, outcome, gap: 0.9...20)
    }

    /// The file keeps none of the driver's buffers, or the camera would be busy with them.
    @Test(arguments: ["a.mkv", "a.mov"]) func aCopyStallsAndComesBack(_ file: String) async throws {
      let outcome = try await start(
        camera(["stallAfter": 90, "stallTimes": 1]), file: file, "-p", "passthrough", "--frames", "200",
        "--stall-timeout", "1s"
      ).finish()
      try await expectWhole(file, frames: 200, restarts: 1, outcome, gap: 0.9...20)
    }

    /// One read error is no reason to lose the rest.
    @Test func readErrorIsSurvived() async throws {
      let outcome = try await start(camera(["dqbufEIOAfter": 90]), "--frames", "80").finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let longer = try await start(camera(["dqbufEIOAfter": 90]), file: "b.mp4", "-t", "4s").finish()
      #expect(longer.status == 0, "\(longer.errors)")
      #expect(try await RecordingCheck(folder.file("b.mp4")).frames?.unreadable == 0)
    }

    /// Pulled, and nobody waits: over at once, with all that came.
    @Test func stopIsPrompt() async throws {
      let program = try RunningProgram(
        "capstan", ["record", "-d", "0", "-o", folder.file("a.mp4").path(percentEncoded: false), "--events"],
        camera: camera(["unplugAfter": 90]))
      let outcome = try await program.finish(within: .seconds(30))
      #expect(outcome.status == 4 && outcome.errors.contains("was unplugged"))
      #expect((85...90).contains(try await RecordingCheck(folder.file("a.mp4")).frames?.count ?? 0))
    }
  }
}
