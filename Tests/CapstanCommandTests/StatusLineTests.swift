/// Text out: the status line, numbers and the summary, by table.

import Capstan
import Foundation
import Testing

@testable import CapstanCommand

@Suite struct StatusLineTests {
  private static let line = StatusLine(
    time: .milliseconds(83_456), frames: 4986, rate: 59.9401, lost: 0, bitRate: 7_912_000, bytes: 82_400_000,
    diskTime: .seconds(3 * 3600 + 12 * 60 + 40), encoder: "x264 faster", name: "NAME.mp4")

  @Test func saysEverything() {
    #expect(
      StatusLineTests.line.text()
        == "REC 00:01:23.4  4986 fr 59.94 fps  lost 0  7.9 Mb/s 82 MB  disk 3 h 12 m  x264 faster  NAME.mp4")
  }

  @Test func leavesOutWhatNobodyKnows() {
    var line = StatusLineTests.line
    line.diskTime = nil
    line.lost = 12
    #expect(
      line.text() == "REC 00:01:23.4  4986 fr 59.94 fps  lost 12  7.9 Mb/s 82 MB  x264 faster  NAME.mp4")
  }

  @Test(arguments: [1, 14, 40, 80, 200]) func isCutToTheWidth(width: Int) {
    let whole = StatusLineTests.line.text()
    let cut = StatusLineTests.line.text(width: width)
    #expect(cut.count == min(width, whole.count))
    #expect(whole.hasPrefix(cut))
  }

  /// A file name with a line end in it must not break the line, nor a wide one overflow it.
  @Test func namesAreTamed() {
    var line = StatusLineTests.line
    line.name = "a\nb\u{1B}[31mc.mp4"
    #expect(line.text().hasSuffix("  a?b?[31mc.mp4"))
    line.name = "録画録画.mp4"
    let whole = line.text()
    #expect(DisplayWidth.of(whole) == whole.count + 4)
    let cut = line.text(width: DisplayWidth.of(whole) - 5)
    #expect(DisplayWidth.of(cut) <= DisplayWidth.of(whole) - 5)
    #expect(cut.hasSuffix("録画録"))
  }

  @Test func encodersHaveShortNames() {
    #expect(EncoderName.short("x264enc", speed: "faster") == "x264 faster")
    #expect(EncoderName.short("vp8enc", speed: nil) == "vp8")
    #expect(EncoderName.short("encoder", speed: nil) == "encoder")
  }
}

@Suite struct FigureTests {
  @Test(arguments: [
    (0, 0, "0"), (59.94006, 2, "59.94"), (60, 2, "60.00"), (0.005, 2, "0.01"), (9.999, 2, "10.00"),
    (-1.25, 1, "-1.3"), (-0.001, 1, "0.0"), (.infinity, 1, "-"), (.nan, 1, "-"),
  ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(Figures.fixed(value, decimals: decimals) == text)
  }

  @Test(arguments: [
    (0, "00:00:00.0"), (99, "00:00:00.0"), (83_456, "00:01:23.4"), (59_999, "00:00:59.9"),
    (3_600_000, "01:00:00.0"), (360_000_000, "100:00:00.0"), (-5, "00:00:00.0"),
  ])
  func clock(milliseconds: Int, text: String) {
    #expect(Figures.clock(.milliseconds(milliseconds)) == text)
  }

  @Test(arguments: [
    (0, "0 kb/s"), (640_400, "640 kb/s"), (999_499, "999 kb/s"), (999_500, "1.0 Mb/s"), (7_912_000, "7.9 Mb/s"),
    (999_949_999, "999.9 Mb/s"), (1.5e9, "1.5 Gb/s"),
  ])
  func bitRate(bits: Double, text: String) { #expect(Figures.bitRate(bits) == text) }

  @Test(
    arguments: [
      (0, "0 kB"), (12_345, "12 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (9_949_999, "9.9 MB"),
      (82_400_000, "82 MB"), (999_499_999, "999 MB"), (999_500_000, "1.0 GB"), (1_234_567_890, "1.2 GB"),
      (2_500_000_000_000, "2.5 TB"),
    ] as [(Int64, String)])
  func bytes(count: Int64, text: String) { #expect(Figures.bytes(count) == text) }

  @Test(arguments: [
    (0, "0 s"), (59, "59 s"), (60, "1 m"), (3599, "59 m"), (11_560, "3 h 12 m"), (90_000, "1 d 1 h"),
    (400 * 86_400, "over a year"), (-1, "0 s"),
  ])
  func span(seconds: Int, text: String) { #expect(Figures.span(.seconds(seconds)) == text) }

  @Test func tablesLineUp() {
    let table = TextTable(rows: [["a", "long", ""], ["録画", "b", "c"]])
    #expect(table.text == "a     long\n録画  b     c")
  }
}
