/// How much of a recording is missing after a kill, and when it is brought to the disk.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct RecoveryPointTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Nanoseconds of the recording, by the last look at it.
    private func time(of program: RunningProgram) -> Int64 {
      let line = program.outputSoFar.split(separator: "\n").last { $0.contains("\"event\":\"status\"") }
      let status = line.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
      return (status?["time"] as? NSNumber)?.int64Value ?? 0
    }

    /// At a moment that has nothing to do with fragments: whole frames up to then, but for what was asked and one frame.
    @Test(
      arguments: ["a.mp4", "a.mov", "a.mkv", "a.webm"].flatMap { name in ["400ms", "2s"].map { (name, $0) } })
    func aKillTakesNoMoreThanWasAsked(_ name: String, _ point: String) async throws {
      let program = try RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-s", "320x240", "-r", "30", "--rpo", point, "--low-latency", "--events", "-o",
          folder.file(name).path(percentEncoded: false),
        ] + (name.hasSuffix("webm") ? ["--encoder", "vp8enc"] : []), camera: FakeCamera("logitech_c922"))
      let moment = Int64.random(in: 2_500_000_000...4_500_000_000)
      #expect(try await program.wait { time(of: program) >= moment })
      program.signal(SIGKILL)
      #expect(try await program.finish().wasKilled)
      let recorded = Double(time(of: program)) / 1e9
      let file = folder.file(name.replacing(".", with: ".recording."))
      let check = try await RecordingCheck(file)
      let frames = try #require(check.frames)
      #expect(frames.repeated + frames.reordered + frames.unreadable == 0)
      let (first, last) = (try #require(frames.first), try #require(frames.last))
      let allowed = point == "2s" ? 2.0 : 0.4
      let missing = recorded - Double(last - first + 1) / 30
      #expect(missing <= allowed + 1.0 / 30, "\(missing) s are missing")
    }

    /// In nanoseconds, when each synchronisation of a file began and ended.
    private func synchronizations(_ log: URL) throws -> [(began: Int64, ended: Int64)] {
      try String(contentsOf: log, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("fdatasync") }
        .compactMap {
          let parts = $0.split(separator: " ").compactMap { Int64($0) }
          return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
    }

    /// The file that is written comes to the disk as often as it must, whatever the disk does.
    @Test(arguments: [("400ms", 100), ("2s", 500)]) func theDiskIsToldInTime(_ point: String, _ cadence: Int)
      async throws
    {
      let log = folder.file("log")
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "synthetic", "-s", "320x240", "-t", "4s", "--rpo", point, "--low-latency", "--json", "-o",
          folder.file("a.mp4").path(percentEncoded: false),
        ], environment: FakeDisk.environment("a.recording.mp4", log: log)
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let calls = try synchronizations(log)
      // On a machine that is busy some come late, and none comes twice.
      #expect(calls.count >= 4000 / cadence / 2, "\(calls.count) synchronisations")
      let distances = zip(calls, calls.dropFirst()).map { $1.began - $0.began }.sorted()
      #expect(distances[distances.count / 2] < Int64(cadence) * 2_000_000, "\(distances)")
      let report = try #require(try outcome.json()["recoveryPoint"] as? [String: Any])
      #expect(report["asked"] as? Int == (point == "2s" ? 2_000_000_000 : 400_000_000))
      #expect(report["worst"] as? Int ?? 0 > cadence * 1_000_000)
    }

    /// A synchronisation that takes long holds up nothing but itself, and the report says what it came to.
    @Test func aSlowDiskDoesNotStopTheRecording() async throws {
      let log = folder.file("log")
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "synthetic", "-s", "320x240", "-t", "4s", "--json", "-o",
          folder.file("a.mp4").path(percentEncoded: false),
        ], environment: FakeDisk.environment("a.recording.mp4", log: log, ["SLOW_SYNC": "1500"])
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect(report["framesLost"] as? Int == 0 && report["framesWritten"] as? Int == 240)
      let point = try #require(report["recoveryPoint"] as? [String: Any])
      #expect(point["worst"] as? Int ?? 0 > 1_500_000_000 && point["held"] as? Bool == false)
      #expect(try synchronizations(log).count <= 5)
    }

    /// What cannot be held is said before it begins.
    @Test func aLongLookAheadIsTold() async throws {
      let preset = folder.file("p.json5")
      try Data("{ request: { size: '640x480', framerate: 30 }, speed: 'slow', recoveryPoint: '400ms' }".utf8).write(
        to: preset)
      let outcome = try await capstan("plan", "-d", "synthetic", "-p", preset.path(percentEncoded: false))
      #expect(outcome.output.contains("a crash can take"), "\(outcome.output)")
      let refused = try await capstan("plan", "-d", "synthetic", "--rpo", "100ms")
      #expect(refused.status == 64 && refused.errors.contains("200ms"), "\(refused.errors)")
    }
  }
}
