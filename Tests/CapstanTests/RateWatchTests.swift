/// The watch by table: what parts for long enough is told once, and told again when it is over.

import GStreamer
import Testing

@testable import Capstan

@Suite struct RateWatchTests {
  /// Frames at given intervals, from a clock that goes on.
  private struct Camera {
    var watch: RateWatch
    var time: Int64 = 1_000_000_000
    var number: UInt64 = 0
    var told: [String] = []

    init(_ negotiated: Double?) { watch = RateWatch(negotiated: negotiated) }

    mutating func run(_ seconds: Double, rate: Double, missing: Int = 0, picture: (UInt64) -> UInt64 = { $0 }) {
      for _ in 0..<Int((seconds * rate).rounded()) {
        time += Int64(1e9 / rate)
        number += 1
        told += watch.add(
          BufferInfo(pts: time, offset: number, size: 1000, pictureNumber: picture(number)), missing: missing)
      }
    }
  }

  /// Case 5: dim light for six seconds, then light again.
  @Test func case5_partsOnceAndMeetsOnce() {
    var camera = Camera(60)
    camera.run(5, rate: 60)
    #expect(camera.told.isEmpty)
    camera.run(8, rate: 30)
    #expect(camera.told.count == 1 && camera.told[0].contains("although 60 were agreed"), "\(camera.told)")
    camera.run(8, rate: 60)
    #expect(camera.told.count == 2 && camera.told[1].contains("agreed rate again"), "\(camera.told)")
    let report = camera.watch.report(negotiated: Fraction(60))
    #expect(abs((report.lowestWindow ?? 0) - 30) < 0.5)
    #expect(report.warning == camera.told[0] && report.isOffRate)
  }

  @Test(arguments: [57.5, 60, 62.5]) func withinFivePercentIsAsAgreed(_ rate: Double) {
    var camera = Camera(60)
    camera.run(10, rate: rate)
    #expect(camera.told.isEmpty && camera.watch.report(negotiated: Fraction(60)).warning == nil)
  }

  @Test(arguments: [56.5, 63.5]) func beyondFivePercentIsNot(_ rate: Double) {
    var camera = Camera(60)
    camera.run(10, rate: rate)
    #expect(camera.told.count == 1)
  }

  /// A dip that is over in a third of a second does not last for two windows.
  @Test func aDipIsNotTold() {
    var camera = Camera(60)
    camera.run(5, rate: 60)
    camera.run(0.3, rate: 30)
    camera.run(6, rate: 60)
    #expect(camera.told.isEmpty)
    #expect(camera.watch.report(negotiated: Fraction(60)).lowestWindow ?? 60 < 57)
  }

  /// Frames that were lost on the way were made all the same.
  @Test func lossIsNotSlowness() {
    var camera = Camera(60)
    camera.run(10, rate: 30, missing: 1)
    #expect(camera.told.isEmpty)
    #expect(abs((camera.watch.report(negotiated: Fraction(60)).measured ?? 0) - 60) < 0.5)
  }

  @Test func anUnknownRateIsMeasured() {
    var camera = Camera(nil)
    camera.run(10, rate: 12)
    let report = camera.watch.report(negotiated: nil)
    #expect(camera.told.isEmpty && report.warning == nil && !report.isOffRate)
    #expect(abs((report.measured ?? 0) - 12) < 0.1)
  }

  /// Case 45: of 60 pictures a second 30 are new.
  @Test func case45_repeatedPictures() {
    var camera = Camera(60)
    camera.run(8, rate: 60) { $0 / 2 }
    #expect(camera.told.count == 1 && camera.told[0].contains("exactly the one before"), "\(camera.told)")
    let report = camera.watch.report(negotiated: Fraction(60))
    #expect(abs((report.effectiveRate ?? 0) - 30) < 0.5 && abs(report.repeatedFrames - 240) <= 1)
    #expect(report.warning != nil && !report.isOffRate)
    camera.run(8, rate: 60)
    #expect(camera.told.count == 2 && camera.told[1].contains("no longer repeated"))
  }

  /// Case 45: one picture in ten is no pattern.
  @Test func case45_fewRepeatsAreCountedOnly() {
    var camera = Camera(60)
    camera.run(10, rate: 60) { $0 % 10 == 1 ? $0 - 1 : $0 }
    #expect(camera.told.isEmpty && camera.watch.report(negotiated: Fraction(60)).repeatedFrames == 59)
  }

  /// Without numbers, or of another size, nothing is equal.
  @Test func onlyExactEqualityCounts() {
    var watch = RateWatch(negotiated: 60)
    for number in 1...600 {
      let (time, size) = (Int64(number) * 16_666_667, 1000 + number % 2)
      _ = watch.add(BufferInfo(pts: time, offset: nil, size: size, pictureNumber: number > 300 ? nil : 7))
    }
    #expect(watch.report(negotiated: Fraction(60)).repeatedFrames == 0)
  }

  /// Too short for two windows, long enough to see.
  @Test func shortRecordingsAreJudgedAsAWhole() {
    var camera = Camera(60)
    camera.run(1.5, rate: 20)
    #expect(camera.told.isEmpty)
    #expect(camera.watch.report(negotiated: Fraction(60)).warning?.contains("20 frames a second") == true)
    var shorter = Camera(60)
    shorter.run(0.5, rate: 20)
    #expect(shorter.watch.report(negotiated: Fraction(60)).warning == nil)
  }

  @Test func timesThatAreMissingOrGoBackAreSkipped() {
    var watch = RateWatch(negotiated: 60)
    for pts in [nil, 5, 3, nil, 7] as [Int64?] { _ = watch.add(BufferInfo(pts: pts, offset: nil, size: 1)) }
    #expect(watch.report(negotiated: nil).measured ?? 0 > 0)
    #expect(RateWatch(negotiated: 60).report(negotiated: nil).measured == nil)
  }
}
