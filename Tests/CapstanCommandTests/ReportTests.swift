/// What a program reads of a recording: event lines, the summary and the exit code.

import Foundation
import Testing

@testable import Capstan
@testable import CapstanCommand

@Suite struct EventLineTests {
  private func object(_ line: EventLine) throws -> [String: Any] {
    #expect(line.text.hasSuffix("}\n"))
    #expect(line.text.filter { $0 == "\n" }.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(line.text.utf8))
    return try #require(object as? [String: Any])
  }

  @Test func startsWithTheFinalPath() throws {
    let file = URL(filePath: "/tmp/with space & \"quotes\".mp4")
    let line = try EventLine(.started(file: file, mode: Samples.mode, plan: Samples.plan()))
    #expect(line.text.hasPrefix(#"{"event":"started","#))
    #expect(!line.isLast)
    let object = try object(line)
    #expect(object["file"] as? String == "/tmp/with space & \"quotes\".mp4")
    #expect(object["encoder"] as? String == "x264enc")
    #expect(object["time"] as? Int == 0)
    #expect((object["mode"] as? [String: Any])?["frameRate"] as? String == "60/1")
  }

  @Test func statusCountsNanoseconds() throws {
    let status = RecordingStatus(
      time: .milliseconds(1500), framesWritten: 90, rate: 60, framesLost: 2, bitRate: 8e6, bytes: 1_500_000,
      diskTime: nil)
    let line = try EventLine(.status(status))
    #expect(
      line.text
        == #"{"event":"status","bitRate":8000000,"bytes":1500000,"frameRate":60,"framesLost":2,"framesWritten":90,"#
        + #""time":1500000000}"# + "\n")
    #expect(!line.isLast)
  }

  @Test func warningsAreOneLine() throws {
    let line = try EventLine(.warning("two\nlines"))
    #expect(line.text == "{\"event\":\"warning\",\"message\":\"two\\nlines\"}\n")
  }

  @Test func finishesWithTheReport() throws {
    let line = try EventLine(.finished(Samples.report()))
    #expect(line.isLast)
    let object = try object(line)
    #expect(object["event"] as? String == "finished")
    #expect(object["success"] as? Bool == true)
    #expect(object["duration"] as? Int == 10_000_000_000)
    #expect(object["framesLost"] as? Int == 0)
    #expect(object["error"] == nil)
  }

  @Test func finishesWithTheErrorWhereNothingBegan() throws {
    let line = try EventLine(CaptureError(.deviceBusy, "It is busy.", remedy: "Wait."))
    #expect(line.isLast)
    #expect(
      line.text
        == #"{"event":"finished","error":{"code":"deviceBusy","message":"It is busy.","remedy":"Wait."},"#
        + #""success":false}"# + "\n")
  }
}

@Suite struct SummaryTests {
  @Test func saysWhatBecameOfIt() {
    #expect(
      RecordingSummary(Samples.report()).text
        == "/tmp/clip.mp4: 10.00 s, 600 frames, none lost, 1280x720 at 59.99 fps, full range, x264 faster, 10 MB")
  }

  @Test func namesTheCausesOfLoss() {
    var report = Samples.report()
    report.lost.driver = 10
    report.lost.queue = 2
    report.isFileComplete = false
    let text = RecordingSummary(report).text
    #expect(text.contains("12 lost (driver 10, queue 2)"))
    #expect(text.hasSuffix("the file was not completed"))
  }

  @Test func saysThatThereIsNoFile() {
    var report = Samples.report()
    report.file = nil
    #expect(RecordingSummary(report).text == "Nothing was recorded: there is no file.")
  }
}

@Suite struct ExitCodeTests {
  @Test(
    arguments: [
      ("noCamera", 4), ("deviceNotFound", 4), ("ambiguousDevice", 4), ("permissionDenied", 4), ("deviceBusy", 4),
      ("notACaptureDevice", 4), ("deviceLost", 4), ("deviceFailed", 4), ("noFrames", 4), ("usbBandwidth", 4),
      ("requestImpossible", 2), ("configuration", 2), ("elementMissing", 2), ("encoderFailed", 1),
      ("invalidState", 1), ("pipelineFailed", 1), ("fileExists", 5), ("folderMissing", 5), ("notWritable", 5),
      ("diskFull", 5), ("somethingNew", 1),
    ] as [(String, Int32)])
  func followsTheTable(name: String, wanted: Int32) {
    #expect(ExitCode(CaptureError.Code(description: name)).rawValue == wanted)
    #expect(ExitCode.table.count == Set(ExitCode.table.map(\.code)).count)
  }

  @Test func reportsDecide() {
    var report = Samples.report()
    #expect(ExitCode(report) == .done)
    report.isFileComplete = false
    #expect(ExitCode(report) == .recordingFailed)
    report.isFileComplete = true
    report.error = CaptureError(.deviceLost, "It is gone.")
    #expect(ExitCode(report) == .deviceUnavailable)
    report.error = CaptureError(.diskFull, "The disk is full.")
    #expect(ExitCode(report) == .outputUnavailable)
  }

  @Test func usageIsThatOfSysexits() { #expect(ExitCode.usage.rawValue == 64) }
}

enum Samples {
  static let mode = CaptureMode(
    format: DeviceFormat(
      payload: .raw(.nv12), dimensions: DimensionsRange(VideoDimensions(width: 1280, height: 720)),
      frameRates: [FrameRateRange(Fraction(60))], colorimetry: Colorimetry(parsing: "1:3:5:1") ?? .unknown),
    dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60))

  static func plan() throws -> RecordingPlan {
    let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
    let planner = RecordingPlanner(
      encoders: try library.encoders(), containers: try library.containers(),
      installedElements: ["appsrc", "capsfilter", "queue", "identity", "x264enc", "h264parse", "mp4mux", "filesink"],
      processorCount: 2)
    return try planner.plan(
      try library.preset("720p60"), source: .application, formats: [mode.format], location: "/tmp/clip.mp4")
  }

  static func report() -> RecordingReport {
    RecordingReport(
      file: URL(filePath: "/tmp/clip.mp4"), isFileComplete: true, error: nil, mode: mode,
      dimensions: mode.dimensions, notes: [],
      encoder: "x264enc", speed: "faster", colorimetry: mode.format.colorimetry, duration: .seconds(10),
      framesCaptured: 600, framesEncoded: 600, framesWritten: 600, lost: LostFrames(), measuredRate: 59.99,
      bytes: 10_012_345)
  }
}
