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
    once the new one has been read again and holds every frame; one of another name,
    and a damaged one, is kept. No file is overwritten.

          --json             a list on stdout, for programs

    Exit code 1 where one is not completed, or not all of it; it is kept as it is.
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    guard !options.remaining.isEmpty else {
      throw UsageError("salvage needs the name of a file, or of a folder of recordings.")
    }
    // Before the others are looked for: none may age past both.
    let recent = options.remaining.flatMap(recentFiles)
    var (reports, hasFailed) = ([SalvageReport](), !recent.isEmpty)
    for file in options.remaining.flatMap(files) {
      do throws(CaptureError) {
        let report = try await Salvager().salvage(file)
        reports.append(report)
        hasFailed = hasFailed || report.unreadBytes > 0
        if !options.flag("json") { console.answer(sentence(of: report)) }
      } catch {
        hasFailed = true
        console.say("capstan: \(error)")
      }
    }
    for file in recent { console.say(note(onRecent: file)) }
    if options.flag("json") {
      console.answer(try JSONText.answer(reports))
    } else if reports.isEmpty, !hasFailed {
      console.answer("There is no unfinished recording.")
    }
    return hasFailed ? .recordingFailed : .done
  }

  private static func files(_ path: String) -> [URL] {
    folder(path).map { Salvager.unfinished(in: $0) } ?? [URL(filePath: path)]
  }

  private static func recentFiles(_ path: String) -> [URL] { folder(path).map { Salvager.recent(in: $0) } ?? [] }

  private static func folder(_ path: String) -> URL? {
    FileManager.default.fileExists(atPath: "\(path)/") ? URL(filePath: path, directoryHint: .isDirectory) : nil
  }

  private static func note(onRecent file: URL) -> String {
    let name = DisplayWidth.printable(file.path(percentEncoded: false))
    return "capstan: \(name) was written to only moments ago, and is left as it is: it may still be recorded. "
      + "Try again in ten seconds, or name the file."
  }

  static func sentence(of report: SalvageReport) -> String {
    let name = DisplayWidth.printable(report.file.path(percentEncoded: false))
    if report.file == report.source { return "\(name) is whole: nothing had to be done." }
    let how = report.wasWhole ? "was whole, and has its name now" : "is complete"
    let source = report.source.lastPathComponent
    if report.unreadBytes > 0 {
      return "\(name) has what can be read: \(Figures.count(report.frames, "frame")) of \(source). "
        + "The unfinished one is kept: behind a damaged place \(report.unreadBytes) bytes of it were not read."
    }
    let kept = report.isSourceKept ? " The unfinished one is kept." : ""
    return "\(name) \(how): \(Figures.count(report.frames, "frame")) of \(source).\(kept)"
  }
}
