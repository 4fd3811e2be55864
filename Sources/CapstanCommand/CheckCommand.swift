/// `capstan check`: whether a recording is what it says.

import Capstan
import Foundation
import GStreamer

enum CheckCommand: Subcommand {
  static let name = "check"
  static let summary = "whether a file's pictures, stream and container agree"
  static let takesWords = true
  static let options = [RecordOptions.json]
  static let help = """
    Usage: capstan check FILE... [--json]

    Reads what container and stream of a recording say, decodes pictures from all
    over it, and compares: range and the other fields of colour, chroma, profile,
    frames, rate, gaps, key frames, edit list, durations, layout. Any MP4, MOV, MKV
    or WebM will do, whoever made it. The range is fullRangeConfirmed,
    limitedConfirmed, limitedPixelsTaggedFull, fullPixelsTaggedLimited,
    signalsDisagree, or undetermined where no picture reaches the ends of a range.

          --json             a list on stdout, for programs

    Exit code 3 where something is wrong, 1 where a file cannot be read.
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    guard !options.remaining.isEmpty else { throw UsageError("check needs the name of a file.") }
    var answers: [CheckAnswer] = []
    for name in options.remaining {
      let inspection = try await RecordingInspector(file: URL(filePath: name)).inspect()
      let answer = CheckAnswer(name, inspection)
      answers.append(answer)
      if !options.flag("json") { console.answer(answer.text) }
    }
    if options.flag("json") { console.answer(try JSONText.answer(answers)) }
    return answers.allSatisfy(\.findings.isEmpty) ? .done : .contractBreached
  }
}

/// An inspection as text for people and as JSON for programs.
struct CheckAnswer: Encodable, Sendable {
  struct Color: Encodable, Sendable {
    var stream: String?
    var container: String?
    /// What players go by.
    var shown: String
  }

  struct Levels: Encodable, Sendable {
    var lowest: Int?
    var highest: Int?
    var pictures: Int
  }

  var file: String
  var range: RangeVerdict
  var findings: [Finding]
  var container: String
  var codec: String
  var profile: String?
  var chroma: String?
  var depth: Int?
  var width: Int
  var height: Int
  var color: Color
  var levels: Levels?
  var frames: Int
  var rate: Double?
  var duration: Double
  var gaps: [FrameTiming.Gap]
  var keyFrameDistance: Double
  var edits: Int
  var layout: [String]
  var fragments: Int

  init(_ name: String, _ inspection: RecordingInspection) {
    let (details, media) = (inspection.details, inspection.details.file)
    file = name
    range = inspection.range
    findings = inspection.findings
    container = media.container.rawValue
    codec = media.codec
    profile = details.stream?.profile
    chroma = details.stream?.chroma.name
    depth = details.stream?.depth
    (width, height) = (media.dimensions.width, media.dimensions.height)
    color = Color(
      stream: details.stream.map { "\($0.color)" }, container: media.color.isSilent ? nil : "\(media.color)",
      shown: "\(details.color)")
    levels = details.levels.map { Levels(lowest: $0.lowest, highest: $0.highest, pictures: $0.pictures) }
    frames = details.timing.count
    rate = details.timing.rate
    duration = details.timing.duration
    gaps = details.timing.gaps
    keyFrameDistance = details.timing.keyFrameDistance
    edits = media.edits.count
    layout = media.layout.parts
    fragments = media.layout.fragments
  }

  var text: String {
    var rows = [
      ["file", file],
      [
        "range",
        range.rawValue
          + (levels.map { ", codes \($0.lowest ?? 0) to \($0.highest ?? 0) in \($0.pictures) pictures" } ?? ""),
      ],
      [
        "colour",
        "stream \(color.stream ?? "cannot be read"), container \(color.container ?? "silent") (range primaries/transfer/matrix)",
      ],
      ["video", video],
      ["time", time],
      ["layout", "\(container): \(layout.joined(separator: " "))"],
    ]
    rows +=
      findings.isEmpty ? [["finding", "none"]] : findings.map { ["finding", "\($0.kind.rawValue): \($0.detail)"] }
    return TextTable(rows: rows).text
  }

  private var video: String {
    [codec, profile, "\(width)x\(height)", chroma, depth.map { "\($0) bits" }].compactMap { $0 }.joined(separator: ", ")
  }

  private var time: String {
    let rate = rate.map { "\(($0 * 1000).rounded() / 1000) fps" } ?? "rate unknown"
    let keys = (keyFrameDistance * 1000).rounded() / 1000
    return "\(frames) frames, \(rate), \((duration * 1000).rounded() / 1000) s, key frames at most \(keys) s apart"
  }
}
