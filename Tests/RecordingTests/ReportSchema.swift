/// Judges reports by the schema that comes with Capstan.

import Foundation
import TestSupport
import Testing

enum ReportSchema {
  /// Whether each is what the schema describes.
  static func judge(_ values: [[String: Any]], in folder: TemporaryFolder) async throws -> [Bool] {
    let lines = try values.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
    let file = folder.file("values.jsonl")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let root = Places.tests.deletingLastPathComponent()
    let words = [
      Places.tests.appending(path: "Tools/validate-schema"), root.appending(path: "pipelines/report.schema.json"),
      file,
    ]
    let outcome = try await RunningProgram(
      "/usr/bin/env", ["python3"] + words.map { $0.path(percentEncoded: false) }
    ).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map { $0 == "true" }
  }
}
