/// The report of a recording as a file beside it: `clip.report.json` for `clip.mp4`.

import Foundation

enum ReportFile {
  /// Raised whenever something that a program may read goes or changes its meaning; what is only added leaves it.
  static let version = 1

  /// Written under a temporary name and renamed. A report of another recording is kept: this one then gets the next
  /// free name.
  /// - Parameter recording: the name of the recording's first file.
  static func write(_ report: RecordingReport, beside recording: URL, _ output: MovieFileOutput) throws -> URL {
    let name = recording.deletingPathExtension().lastPathComponent + ".report.json"
    var place = output
    place.destination = .file(recording.deletingLastPathComponent().appending(path: name, directoryHint: .notDirectory))
    var file = try OutputFile(for: place, fileExtension: "json", date: Date(), mayBeTaken: true)
    do {
      let handle = try FileHandle(forWritingTo: file.temporary)
      try handle.write(contentsOf: try text(of: report))
      try handle.close()
      try file.finish()
      return file.final
    } catch {
      file.remove()
      throw error
    }
  }

  /// Keys in order, so that two reports can be compared line by line.
  private static func text(of report: RecordingReport) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(report) + Data("\n".utf8)
  }
}
