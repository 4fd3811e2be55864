/// A recording held against what was asked of it, by table.

import Foundation
import MediaFormats
import MediaInspection
import Testing

@testable import Capstan

@Suite struct ContractTests {
  /// As asked: ten seconds of 720p60 in full range.
  private struct Case {
    var ask = ContractAsk()
    var file = MeasuredFile.sample
    var files: [MeasuredFile]?
    var ledger = LedgerReport(expected: 600, written: 600)
    var agreedRate: Double? = 60
    var removed = RemovedFiles()
    var recoveryPoint: RecoveryReport?

    init(_ change: (inout Case) -> Void = { _ in }) {
      ask.dimensions = VideoDimensions(width: 1280, height: 720)
      (ask.rate, ask.range, ask.codec, ask.bitRate) = (60, .full, "h264", 8_000_000)
      (ask.duration, ask.frames) = (10_000_000_000, nil)
      change(&self)
    }

    var judge: ContractJudge {
      ContractJudge(
        ask: ask, agreedRate: agreedRate, files: files ?? [file], ledger: ledger, removed: removed,
        recoveryPoint: recoveryPoint)
    }

    var breaches: [ContractBreach.Term] { judge.breaches.map(\.what) }
  }

  @Test func whatIsAsAskedBreachesNothing() {
    #expect(Case().breaches.isEmpty)
    #expect(
      Case { ($0.files, $0.ledger) = ([], LedgerReport()) }.breaches.isEmpty, "an error says why there is no file")
  }

  @Test func eachTermIsHeld() {
    let small = VideoDimensions(width: 640, height: 480)
    #expect(Case { $0.file.dimensions = small }.breaches == [.size])
    #expect(Case { $0.file.rate = 59.3 }.breaches == [.rate])
    #expect(Case { $0.file.rate = 59.94 }.breaches.isEmpty)
    #expect(Case { $0.file.taggedRange = nil }.breaches == [.range])
    #expect(Case { $0.file.taggedRange = .limited }.breaches == [.range])
    #expect(Case { $0.file.verdict = .limitedPixelsTaggedFull }.breaches == [.range])
    #expect(Case { $0.file.verdict = .undetermined }.breaches.isEmpty)
    #expect(Case { $0.file.codec = "vp9" }.breaches == [.codec])
    #expect(Case { $0.file.bytes = 11_600_000 }.breaches == [.bitRate])
    #expect(Case { $0.file.bytes = 11_400_000 }.breaches.isEmpty)
    #expect(Case { $0.file.bytes = 10_000 }.breaches.isEmpty, "easy pictures need no more")
    #expect(Case { $0.file.duration = 9_900_000_000 }.breaches == [.duration])
    #expect(Case { $0.file.duration = 10_010_000_000 }.breaches.isEmpty, "less than a frame")
    #expect(Case { $0.file.frames = 599 }.breaches == [.frames])
  }

  @Test func everyLostFrameIsABreach() {
    let breaches = Case {
      $0.ledger.lost.corrupt = 2
      $0.ledger.expected = 602
    }
    #expect(breaches.breaches == [.lost])
    #expect(Case { $0.ledger.expected = 601 }.breaches == [.lost], "and one that is missing without a cause")
  }

  /// What was not asked is held against what the camera agreed to, or not at all.
  @Test func whatWasNotAsked() {
    #expect(Case { ($0.ask.rate, $0.file.rate) = (nil, 30) }.breaches == [.rate])
    #expect(Case { ($0.ask.rate, $0.agreedRate, $0.file.rate) = (nil, nil, 30) }.breaches.isEmpty)
    #expect(Case { ($0.ask.range, $0.file.taggedRange) = (nil, .limited) }.breaches.isEmpty)
    #expect(
      Case { ($0.ask.dimensions, $0.ask.codec, $0.ask.bitRate, $0.ask.duration) = (nil, nil, nil, nil) }.breaches
        .isEmpty)
  }

  @Test func whoEndsARecordingEarlyWantsItSo() {
    func short(_ wasStopped: Bool) -> [ContractBreach.Term] {
      Case {
        $0.ask.wasStopped = wasStopped
        ($0.file.duration, $0.file.frames, $0.file.bytes) = (5_000_000_000, 300, 5_000_000)
        $0.ledger = LedgerReport(expected: 300, written: 300)
      }.breaches
    }
    #expect(short(true).isEmpty)
    #expect(short(false) == [.duration])
  }

  /// Whichever limit comes first is the one that counts.
  @Test func ofTwoLimitsTheFirstCounts() {
    let byFrames = Case {
      $0.ask.frames = 300
      ($0.file.duration, $0.file.frames, $0.file.bytes) = (5_000_000_000, 300, 5_000_000)
      $0.ledger = LedgerReport(expected: 300, written: 300)
    }
    #expect(byFrames.breaches.isEmpty)
    #expect(Case { $0.ask.frames = 900 }.breaches.isEmpty)
    #expect(Case { ($0.ask.frames, $0.ask.duration) = (601, nil) }.breaches == [.frames])
  }

  /// Three frames of a wavering clock tell no rate.
  @Test func shortRecordingsAreNotJudgedByTheirJitter() {
    let brief = Case {
      $0.ask.duration = nil
      ($0.file.frames, $0.file.rate, $0.file.duration, $0.file.bytes) = (3, 55, 50_000_000, 900_000)
      $0.ledger = LedgerReport(expected: 3, written: 3)
    }
    #expect(brief.breaches.isEmpty)
  }

  @Test func severalFilesAreOneRecording() {
    let parts = Case {
      var part = $0.file
      (part.frames, part.duration, part.bytes) = (300, 5_000_000_000, 5_000_000)
      $0.files = [part, part]
    }
    #expect(parts.breaches.isEmpty)
    let odd = Case {
      var other = $0.file
      other.dimensions = VideoDimensions(width: 640, height: 480)
      $0.files = [$0.file, other]
      $0.ledger = LedgerReport(expected: 1200, written: 1200)
      $0.ask.duration = 20_000_000_000
    }
    #expect(odd.breaches == [.size])
  }

  /// Six seconds of ten were taken away to make room, as was asked.
  private static func kept(_ change: (inout Case) -> Void = { _ in }) -> [ContractBreach.Term] {
    Case {
      ($0.file.duration, $0.file.frames, $0.file.bytes) = (4_000_000_000, 240, 4_000_000)
      ($0.removed.files, $0.removed.frames, $0.removed.duration) = (3, 360, 6_000_000_000)
      change(&$0)
    }.breaches
  }

  @Test func whatWasTakenAwayOnPurposeIsNotMissing() {
    #expect(ContractTests.kept().isEmpty)
    #expect(ContractTests.kept { ($0.ask.frames, $0.ask.duration) = (600, nil) }.isEmpty)
    #expect(ContractTests.kept { ($0.ask.frames, $0.ask.duration) = (600, 20_000_000_000) }.isEmpty)
    #expect(ContractTests.kept { $0.ask.frames = 900 }.isEmpty)
    #expect(ContractTests.kept { $0.removed = RemovedFiles() } == [.duration, .frames])
    #expect(ContractTests.kept { $0.file.frames = 239 } == [.frames], "one that is missing in what is kept")
    #expect(ContractTests.kept { $0.file.duration = 3_900_000_000 } == [.duration])
  }

  /// Files of 120 frames, in the order in which they were finished; a digit that is there is one that is kept.
  @Test(arguments: [("0123", 0), ("123", 1), ("3", 3), ("", 4), ("023", 0), ("13", 1)])
  func theOldestAreTakenAway(_ there: String, files: Int) {
    let reports = (0..<4).map { number in
      var report = FileReport(file: URL(filePath: "/\(number)"), isComplete: true)
      (report.start, report.duration, report.framesWritten) = (.seconds(2 * number), .milliseconds(2000), 120)
      return report
    }
    let lost = FileReport(file: nil, isComplete: false)
    let removed = RemovedFiles(of: [lost] + reports) { there.contains($0.lastPathComponent) }
    #expect(removed.files == files && removed.frames == files * 120)
    #expect(removed.duration == Int64(files) * 2_000_000_000)
  }

  @Test func aRecoveryPointThatWasNotHeldIsABreach() {
    func point(_ worst: Duration) -> [ContractBreach] {
      Case { $0.recoveryPoint = RecoveryReport(asked: .seconds(1), worst: worst) }.judge.breaches
    }
    #expect(point(.milliseconds(400)).isEmpty)
    #expect(point(.seconds(1)).isEmpty)
    #expect(point(.milliseconds(5670)) == [ContractBreach(.recoveryPoint, asked: "1.0 s", got: "5.67 s")])
    #expect(point(.microseconds(1_000_001)) == [ContractBreach(.recoveryPoint, asked: "1.0 s", got: "1.001 s")])
  }
}

extension MeasuredFile {
  fileprivate static var sample: MeasuredFile {
    MeasuredFile(
      file: "a.mp4", codec: "h264", dimensions: VideoDimensions(width: 1280, height: 720), frames: 600,
      duration: 10_000_000_000, rate: 60, bytes: 10_000_000, taggedRange: .full, pictureRange: .full,
      verdict: .fullRangeConfirmed, findings: [], declaredDuration: 10_000_000_000,
      declaredDimensions: VideoDimensions(width: 1280, height: 720))
  }
}
