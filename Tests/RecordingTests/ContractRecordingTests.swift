/// The contract of real recordings: what is measured is what independent tools find, and the report is as its schema says.

import Capstan
import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct ContractRecordingTests {
    private static func camera(_ faults: [String: Any] = [:]) -> FakeCamera {
      FakeCamera(format: "MJPG", width: 640, height: 480, rate: (30, 1), faults: faults)
    }

    private func record(_ folder: TemporaryFolder, _ words: String..., camera: FakeCamera) async throws -> Outcome {
      try await RunningProgram(
        "capstan",
        ["record", "-s", "640x480", "-r", "30", "-o", folder.file("a.mp4").path(percentEncoded: false)] + words,
        camera: camera
      ).finish()
    }

    private func report(_ folder: TemporaryFolder, _ name: String = "a.report.json") throws -> [String: Any] {
      let text = try Data(contentsOf: folder.file(name))
      return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    }

    @Test func whatIsMeasuredIsWhatOthersFind() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await record(folder, "--report", "--frames", "30", camera: Self.camera())
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names == ["a.mp4", "a.report.json"])
      let report = try report(folder)
      let contract = try #require(report["contract"] as? [String: Any])
      let check = try await RecordingCheck(folder.file("a.mp4"))
      func measured(_ term: String) -> Any? { (contract[term] as? [String: Any])?["measured"] }
      #expect(measured("frames") as? Int == check.probe.readFrames)
      #expect(measured("codec") as? String == check.probe.codec)
      #expect((measured("size") as? [String: Int]) == ["width": check.probe.width, "height": check.probe.height])
      #expect(measured("range") as? String == "full" && check.probe.colorRange == "pc")
      let seconds = Double(measured("duration") as? Int ?? 0) / 1e9
      #expect(abs(seconds - (check.probe.duration ?? 0)) < 0.01)
    }

    /// A strict recording that lost frames fails, and says by how much.
    @Test func aStrictRecordingIsHeldToWhatWasAsked() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await record(folder, "--strict", "-t", "1s", camera: Self.camera(["corruptEvery": 6]))
      #expect(outcome.status == 3, "\(outcome.errors)")
      #expect(outcome.errors.contains("capstan: lost: asked was none, got 5 (corrupt 5"), "\(outcome.errors)")
      #expect(outcome.errors.contains("capstan: rate: asked was 30 fps"))
      #expect(try await RecordingCheck(folder.file("a.mp4")).isOrdinaryMP4)
      let free = try TemporaryFolder()
      let mild = try await record(free, "-t", "1s", camera: Self.camera(["corruptEvery": 6]))
      #expect(mild.status == 0)
    }

    /// A camera that promises a rate and does not hold it.
    @Test func aSlowCameraBreachesTheRate() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await record(
        folder, "--strict", "--report", "-t", "2s", camera: Self.camera(["actualRate": "20/1"]))
      #expect(outcome.status == 3, "\(outcome.errors)")
      let breaches = try #require(try report(folder)["breaches"] as? [[String: String]])
      #expect(
        breaches.contains { $0["what"] == "rate" && $0["asked"] == "30 fps" && $0["got"] == "20 fps" }, "\(breaches)")
    }

    /// Reports of many kinds; what is missing or of another type is refused.
    @Test func reportsAndSchemaAgree() async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("p.json5")
      try Data("{ extends: '640x480', report: true, proxy: { scale: '320x240', bitrate: '500k' } }".utf8).write(
        to: preset)
      var reports: [[String: Any]] = []
      for (place, run) in [
        ["--report", "--frames", "20"], ["--report", "-t", "2s", "--segment", "500ms"], ["--report"],
        ["-p", preset.path(percentEncoded: false), "--frames", "20"],
      ].enumerated() {
        let own = try TemporaryFolder()
        let camera = Self.camera(place == 2 ? ["unplugAfter": 30] : [:])
        let outcome = try await RunningProgram(
          "capstan",
          ["record", "-s", "640x480", "-r", "30", "-o", own.file("a.mp4").path(percentEncoded: false)] + run,
          camera: camera
        ).finish()
        #expect(outcome.status == (place == 2 ? 4 : 0), "\(run): \(outcome.errors)")
        let name = try #require(try own.names.first { $0.hasSuffix(".report.json") }, "\(run): \(outcome.errors)")
        reports.append(try report(own, name))
      }
      var refused: [[String: Any]] = []
      for key in reports[0].keys where !["speed", "reportFile"].contains(key) {
        var report = reports[0]
        report[key] = nil
        refused.append(report)
      }
      for (key, value) in [("version", 2), ("duration", -1), ("lost", [:]), ("more", 1), ("bytes", "8")]
        as [(String, Any)]
      {
        refused.append(reports[0].merging([key: value]) { $1 })
      }
      let verdicts = try await ReportSchema.judge(reports + refused, in: folder)
      #expect(verdicts == reports.map { _ in true } + refused.map { _ in false }, "\(verdicts)")
    }

    /// A report that is there already is of another recording.
    @Test func aReportThatIsThereIsKept() async throws {
      let folder = try TemporaryFolder()
      try Data("mine".utf8).write(to: folder.file("a.report.json"))
      let outcome = try await record(folder, "--report", "--frames", "5", camera: Self.camera())
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Data(contentsOf: folder.file("a.report.json")) == Data("mine".utf8))
      #expect(try folder.names.count == 3)
    }
  }
}
