/// The ledger of real recordings: its sum is whole whatever happens, and the files hold what it says.

import Capstan
import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct LedgerTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
      var name: String
      var camera: FakeCamera
      var words: [String]
      var testDescription: String { name }
    }

    private static func small(_ faults: [String: Any] = [:], format: String = "MJPG") -> FakeCamera {
      FakeCamera(format: format, width: 640, height: 480, rate: (30, 1), faults: faults)
    }

    static let scenarios = [
      Scenario(name: "time", camera: small(), words: ["-t", "1s"]),
      Scenario(name: "frames of a broken link", camera: small(["corruptEvery": 7]), words: ["--frames", "40"]),
      Scenario(name: "empty frames at the end", camera: small(["emptyEvery": 30]), words: ["-t", "1s"]),
      Scenario(name: "flagged frames", camera: small(["errorFlagEvery": 5]), words: ["-t", "1500ms"]),
      Scenario(name: "unplugged", camera: small(["unplugAfter": 40]), words: []),
      Scenario(name: "slow camera", camera: small(["actualRate": "20/1"]), words: ["-t", "2s"]),
      Scenario(name: "files", camera: small(), words: ["-t", "2s", "--segment", "500ms"]),
      Scenario(name: "copied JPEG", camera: small(), words: ["-t", "1s", "-p", "passthrough"]),
      Scenario(
        name: "copied H.264", camera: small(format: "H264"),
        words: ["-t", "1s", "-p", "passthrough"]),
      Scenario(name: "Matroska", camera: small(["corruptEvery": 9]), words: ["--frames", "30"]),
    ]

    @Test(arguments: scenarios) func nothingIsWithoutAPlace(_ scenario: Scenario) async throws {
      let folder = try TemporaryFolder()
      let name = ["Matroska", "copied JPEG"].contains(scenario.name) ? "a.mkv" : "a.mp4"
      let words = ["record", "--json", "-s", "640x480", "-r", "30"] + scenario.words
      let outcome = try await RunningProgram(
        "capstan", words + ["-o", folder.file(name).path(percentEncoded: false)], camera: scenario.camera
      ).finish()
      let report = try outcome.json()
      let ledger = try #require(report["ledger"] as? [String: Any], "\(outcome.errors)")
      let (expected, written) = (ledger["expected"] as? Int ?? 0, ledger["written"] as? Int ?? 0)
      let lost = try #require(ledger["lost"] as? [String: Int])
      #expect(ledger["difference"] as? Int == 0 && expected > 0, "\(ledger)")
      #expect(expected == written + lost.values.reduce(0, +))
      var inFiles = 0
      for file in try folder.names { inFiles += try await RecordingCheck(folder.file(file)).probe.readFrames }
      #expect(inFiles == written, "\(ledger)")
      if scenario.words.contains("1s"), scenario.name != "copied H.264" { #expect(expected == 30, "\(ledger)") }
    }
  }
}
