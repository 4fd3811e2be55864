/// `capstan salvage`: completes recordings that were cut off.

import Capstan
import Foundation
import GStreamer

enum SalvageCommand: Subcommand {
  static let name = "salvage"
  static let summary = "completes recordings that a crash or a power cut has cut off"
  static let takesWords = true
  static let options = [RecordOptions.json]
  static let help = """
    Usage: capstan salvage PATH... [--json]

    Makes an ordinary file of a recording that was cut off: a.recording.mp4 becomes
    a.mp4 with every frame that is there whole, as it is. Of a folder, all of its
    unfinished recordings that nobody is writing. An unfinished file is removed only
    once the new one has been read again and holds every frame; no file is
    overwritten.

          --json             a list on stdout, for programs

    Exit code 1 where one cannot be completed; it is kept as it is.
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    guard !options.remaining.isEmpty else {
      throw UsageError("salvage needs the name of a file, or of a folder of recordings.")
    }
    var (reports, hasFailed) = ([SalvageReport](), false)
    for file in options.remaining.flatMap(files) {
      do throws(CaptureError) {
        let report = try await Salvager().salvage(file)
        reports.append(report)
        if !options.flag("json") { console.answer(sentence(of: report)) }
      } catch {
        hasFailed = true
        console.say("capstan: \(error)")
      }
    }
    if options.flag("json") {
      console.answer(try JSONText.answer(reports))
    } else if reports.isEmpty, !hasFailed {
      console.answer("There is no unfinished recording.")
    }
    return hasFailed ? .recordingFailed : .done
  }

  private static func files(_ path: String) -> [URL] {
    FileManager.default.fileExists(atPath: "\(path)/")
      ? Salvager.unfinished(in: URL(filePath: path, directoryHint: .isDirectory)) : [URL(filePath: path)]
  }

  static func sentence(of report: SalvageReport) -> String {
    let name = DisplayWidth.printable(report.file.path(percentEncoded: false))
    if report.file == report.source { return "\(name) is whole: nothing had to be done." }
    let how = report.wasWhole ? "was whole, and has its name now" : "is complete"
    return "\(name) \(how): \(Figures.count(report.frames, "frame")) of \(report.source.lastPathComponent)."
  }
}
