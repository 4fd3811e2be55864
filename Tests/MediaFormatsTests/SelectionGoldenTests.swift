/// Every table of a real camera times ten requests, each outcome reviewed: a file a table, a line a request, in
/// Fixtures/goldens/selection. `CAPSTAN_WRITE_GOLDENS=1` writes them anew, for review.

import Foundation
import MediaFormats
import Testing

@Suite struct SelectionGoldenTests {
  static let tables = Fixtures.names(in: "cameras", ".json")

  /// All in full range, as the presets have it.
  static let requests: [(name: String, size: String?, rate: String)] = [
    ("720p60", "1280x720", "60"), ("1080p30", "1920x1080", "30"), ("1080p60", "1920x1080", "60"),
    ("2160p30", "3840x2160", "30"), ("1080p59.94", "1920x1080", "59.94"), ("1080p29.97", "1920x1080", "29.97"),
    ("vga7.5", "640x480", "7.5"), ("vga30", "640x480", "30"), ("1366x768", "1366x768", "30"),
    ("largest60", nil, "60"),
  ]

  @Test func thereAreTables() { #expect(Self.tables.count >= 27) }

  @Test(arguments: tables) func outcomes(_ table: String) throws {
    let rows = try CameraTable.named(table).rowsOfAllNodes
    let text = Self.requests.map { name, size, rate in
      let request = FormatRequest(
        dimensions: size.flatMap { VideoDimensions(parsing: $0) }, frameRate: Fraction(parsing: rate), range: .full)
      return "\(Self.padded(name)) \(Self.line(FormatSelector(request).select(from: rows)))\n"
    }.joined()
    let golden = Fixtures.folder.appending(path: "goldens/selection/\(table).txt")
    if ProcessInfo.processInfo.environment["CAPSTAN_WRITE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(text == expected, "differs from goldens/selection/\(table).txt")
  }

  private static func line(_ selection: FormatSelection) -> String {
    switch selection {
    case .exact(let mode): "row \(mode.format.index): \(mode)"
    case .adjusted(let mode, let deviations):
      "row \(mode.format.index): \(mode) [\(deviations.map(\.description).joined(separator: "; "))]"
    case .impossible(let reason, _): "none: \(reason)"
    }
  }

  private static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, 10 - name.count))
  }
}
