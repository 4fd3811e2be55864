/// Trial before trust: what a camera lists and does not give is found out before the recording, and said.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct TrialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ faults: [String: Any], _ arguments: String...) async throws -> Outcome {
      try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(percentEncoded: false), "--json", "--frames",
          "20",
        ] + arguments, camera: FakeCamera("logitech_c922", faults: faults).logging(to: folder.file("log"))
      ).finish()
    }

    private func mode(_ outcome: Outcome) throws -> [String: Any] {
      try outcome.json()["mode"] as? [String: Any] ?? [:]
    }

    private func notes(_ outcome: Outcome) throws -> [String] { try outcome.json()["notes"] as? [String] ?? [] }

    private func log() throws -> [Substring] {
      try String(contentsOf: folder.file("log"), encoding: .utf8).split(separator: "\n")
    }

    /// Case 12: a format that is listed and refused; the next best mode is taken, and both are said.
    @Test func case12_refusedFormatIsSkipped() async throws {
      let outcome = try await record(["refuseFormats": ["MJPG"]])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try mode(outcome)["fourCC"] as? String == "YUYV")
      #expect(try notes(outcome).contains { $0.hasPrefix("MJPG is skipped: the driver refuses it (VIDIOC_S_FMT") })
      #expect(try notes(outcome).contains { $0.contains("instead of 60") || $0.contains("instead of 1280x720") })
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 20 && check.faultyFrames == 0)
      #expect(try check.probe.height == mode(outcome)["height"] as? Int)
    }

    /// Case 12: what the user pinned is not replaced.
    @Test(arguments: [["--input-format", "MJPG"], ["--input-format", "mjpeg"], ["--strict"]])
    func case12_pinnedModeFailsHard(_ pin: [String]) async throws {
      let outcome = try await RunningProgram(
        "capstan", ["record", "-d", "0", "-o", folder.file("a.mp4").path(percentEncoded: false)] + pin,
        camera: FakeCamera("logitech_c922", faults: ["refuseFormats": ["MJPG"]])
      ).finish()
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("the driver refuses it (VIDIOC_S_FMT"), "\(outcome.errors)")
      #expect(try !folder.names.contains("a.mp4"))
    }

    /// Case 12: the driver takes the rate and sets another, which it lists or does not.
    @Test(arguments: [("30/1", 30.0), ("25/1", 25.0)])
    func case12_forcedRateIsReported(_ rate: String, _ value: Double) async throws {
      let outcome = try await record(["forceParm": rate])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try mode(outcome)["frameRate"] as? String == rate)
      let told = try #require(try outcome.json()["rate"] as? [String: Any])
      #expect(told["negotiated"] as? String == rate && told["warning"] == nil)
      #expect(abs((told["measured"] as? Double ?? 0) - value) < 1)
      #expect(try notes(outcome).contains { $0.contains("the driver makes \(Int(value)) fps of") })
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(try outcome.json()["framesLost"] as? Int == check.frames?.lost)
    }

    @Test func case12_forcedRateFailsWhereTheRequestIsStrict() async throws {
      let outcome = try await record(["forceParm": "25/1"], "--strict")
      #expect(outcome.status == 2 && outcome.errors.contains("the driver makes 25 fps of it"), "\(outcome.errors)")
    }

    /// Case 58: the size is agreed to and another one is given; mode, report and file say the true one.
    @Test func case58_forcedSizeIsReported() async throws {
      let outcome = try await record(["sFmtSize": ["width": 640, "height": 480]])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try mode(outcome)["width"] as? Int == 640 && mode(outcome)["height"] as? Int == 480)
      #expect(try notes(outcome).contains { $0.contains("size 640x480 instead of 1280x720") })
      #expect(try notes(outcome).contains { $0.contains("the driver makes 640x480 of MJPG 1280x720") })
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.probe.width == 640 && check.probe.height == 480 && check.faultyFrames == 0)
    }

    /// Modes that fail at the start of the stream; the cause of the first is the cause told.
    @Test func failsWithTheCauseWhereNothingWorks() async throws {
      let outcome = try await record(["streamonErrno": "EIO"])
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("MJPG 1280x720 at 60 fps"), "\(outcome.errors)")
      #expect(outcome.errors.contains("VIDIOC_STREAMON"))
      #expect(try !folder.names.contains("a.mp4"))
    }

    /// Case 37: no colour is asked of the source, so that no driver can refuse it; the trial finds nothing to say.
    @Test(arguments: ["Default", "sRGB", "Rec. 709", "SMPTE 170M", "JPEG"])
    func case37_anyColourIsTaken(_ colorspace: String) async throws {
      let recorded = try await Recorded(
        "-r", "30", "--frames", "10",
        camera: FakeCamera(format: "YUYV", rate: (30, 1), color: ["colorspace": colorspace]))
      let notes = try recorded.outcome.json()["notes"] as? [String] ?? []
      #expect(!notes.contains { $0.contains("the driver makes") }, "\(notes)")
    }

    /// One opening before the pipeline, one for the pipeline: the trial takes no more than that.
    @Test func theTrialOpensTheNodeOnce() async throws {
      let outcome = try await record([:])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = try log()
      let firstFormat = try #require(lines.firstIndex { $0.contains("s_fmt") })
      let opens = lines[firstFormat...].count { $0.contains(" open node=0") }
      #expect(opens == 1, "only the pipeline's own after the trial's first call: \(lines)")
    }
  }
}
