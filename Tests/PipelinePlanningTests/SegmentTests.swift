/// Names of files that follow one another, what is kept of them, and sizes as people write them.

import Foundation
import PipelinePlanning
import Testing

@Suite struct SegmentTests {
  @Test(arguments: [
    ("a.mp4", 7, "a-00007.mp4"), ("/b.c/a", 12, "/b.c/a-00012"), ("/b/.a", 0, "/b/.a-00000"),
    ("a-%03d.mp4", 7, "a-007.mp4"), ("a-%1d.mp4", 123, "a-123.mp4"), ("%05d/%02d.mkv", 3, "00003/03.mkv"),
    ("%Y-%d.mp4", 1, "<Y>-<d>-00001.mp4"), ("100%%-%02d.mp4", 4, "100<%>-04.mp4"),
    ("%%05d.mp4", 4, "<%>05d-00004.mp4"),
  ])
  func namesHaveACounter(_ pattern: String, _ number: Int, _ wanted: String) {
    let name = FilePattern(pattern).name(number: number) { text in
      text.replacing(#/%(.)/#) { "<\($0.output.1)>" }
    }
    #expect(name == wanted)
  }

  @Test func wordsThatNobodyKnowsAreNoName() {
    #expect(FilePattern("%Q.mp4").name(number: 0) { _ in nil } == nil)
  }

  @Test(
    arguments: [
      ("500M", 500_000_000), ("2.5G", 2_500_000_000), ("2GB", 2_000_000_000), ("512MiB", 536_870_912),
      ("1Ki", 1024), ("1000B", 1000), ("4kB", 4000), ("1T", 1_000_000_000_000),
      ("", nil), ("5", nil), ("5m", nil), ("M", nil), ("-5M", nil), ("0M", nil), ("5iB", nil), ("5 M", nil),
      ("1e3M", nil),
    ] as [(String, Int64?)])
  func sizes(_ text: String, _ bytes: Int64?) {
    #expect(ByteCount(parsing: text)?.bytes == bytes)
  }

  @Test(arguments: [
    ("10", KeepRule(files: 10)), ("1h", KeepRule(age: .seconds(3600))), ("90s", KeepRule(age: .seconds(90))),
    ("5G", KeepRule(bytes: 5_000_000_000)), ("0", nil), ("5x", nil), ("", nil), ("0s", nil),
  ])
  func keepRules(_ text: String, _ rule: KeepRule?) {
    #expect(KeepRule(parsing: text) == rule)
  }

  @Test(arguments: [
    (KeepRule(), 0), (KeepRule(files: 2), 2), (KeepRule(files: 9), 0), (KeepRule(age: .seconds(25)), 2),
    (KeepRule(bytes: 100), 3), (KeepRule(bytes: 350), 1), (KeepRule(bytes: 10), 4), (KeepRule(files: 3, bytes: 100), 3),
  ])
  func theOldestGoFirst(_ rule: KeepRule, _ surplus: Int) {
    let finished = (1...4).map { (bytes: Int64(100), age: Duration.seconds((5 - $0) * 10)) }
    #expect(rule.surplus(of: finished) == surplus)
  }
}
