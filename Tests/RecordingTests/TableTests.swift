/// Every capability table of Tests/Fixtures/cameras, listed and planned by the command through the real v4l2src: each
/// answer is compared with the one that was reviewed. `CAPSTAN_WRITE_GOLDENS=1` writes them anew, for review.

import Foundation
import TestSupport
import Testing

@Suite struct TableTests {
  static let tables: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Places.cameras.path(percentEncoded: false))) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
  }()

  @Test func thereAreTables() { #expect(Self.tables.count >= 27) }

  @Test(arguments: tables) func formats(_ table: String) async throws {
    let outcome = try await capstan("formats", "--device", "/dev/video0", "--json", camera: FakeCamera(table))
    #expect(outcome.status == 0, "\(outcome.errors)")
    try compare(outcome, with: "formats/\(table).json")
    try checkRows(outcome)
  }

  @Test(arguments: tables) func plan(_ table: String) async throws {
    let outcome = try await capstan(
      "plan", "--device", "/dev/video0", "--preset", "720p60", "--json", "--output", "/tmp/clip.mp4",
      camera: FakeCamera(table))
    #expect([0, 2].contains(outcome.status), "\(outcome.errors)")
    try compare(outcome, with: "plan/\(table).json")
  }

  private func compare(_ outcome: Outcome, with name: String) throws {
    let golden = Places.goldens.appending(path: name)
    if ProcessInfo.processInfo.environment["CAPSTAN_WRITE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(outcome.output.utf8).write(to: golden)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(outcome.output == expected, "differs from \(name)")
  }

  /// Numbered in order, no mode twice, every rate an exact fraction.
  private func checkRows(_ outcome: Outcome) throws {
    let formats = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(!formats.isEmpty)
    #expect(formats.map { $0["index"] as? Int } == Array(0..<formats.count).map { Optional($0) })
    var seen = Set<String>()
    for format in formats {
      let key = ["payload", "pixelFormat", "fourCC", "width", "height"].map { "\(format[$0] ?? "")" }.joined(
        separator: " ")
      #expect(seen.insert(key).inserted, "twice: \(key)")
      for rate in format["frameRates"] as? [Any] ?? [] {
        let texts = (rate as? String).map { [$0] } ?? (rate as? [String: String])?.values.map { $0 } ?? []
        #expect(!texts.isEmpty && texts.allSatisfy { $0.wholeMatch(of: /[0-9]+\/[1-9][0-9]*/) != nil })
      }
    }
  }
}
