/// What became of a recording, in one line.

import Capstan
import Foundation

struct RecordingSummary: Sendable {
  private let report: RecordingReport

  init(_ report: RecordingReport) { self.report = report }

  /// `clip.mp4: 10.00 s, 600 frames, none lost, 1280x720 at 60 fps, full range, x264 faster, 9.8 MB`.
  var text: String {
    guard let file = report.file else { return report.isReplayOnly ? kept : "Nothing was recorded: there is no file." }
    let parts = [
      "\(Figures.fixed(report.duration.inSeconds, decimals: 2)) s",
      Figures.count(report.framesWritten, "frame"),
      losses,
      "\(report.dimensions) at \(rate)",
      "\(report.colorimetry.range?.name ?? "unknown") range",
      encoder,
      Figures.bytes(report.bytes),
      report.isFileComplete ? nil : "the file was not completed",
    ]
    let name = DisplayWidth.printable(file.path(percentEncoded: false))
    let others = report.files.count > 1 ? " and \(Figures.count(report.files.count - 1, "file")) before it" : ""
    return "\(name)\(others): \(parts.compactMap { $0 }.joined(separator: ", "))\(proxy)"
  }

  /// Where nothing but replays is written.
  private var kept: String {
    let saved = report.replays.map { DisplayWidth.printable($0.file.path(percentEncoded: false)) }
    let length = "\(Figures.fixed(report.duration.inSeconds, decimals: 2)) s, \(losses)"
    return saved.isEmpty
      ? "\(length). No replay was saved: there is no file."
      : "\(length). Saved: \(saved.joined(separator: ", "))."
  }

  /// `clip-replay-0.mp4 is saved: 30.50 s, 1830 frames, 12 MB`.
  static func sentence(of replay: ReplayReport) -> String {
    let name = DisplayWidth.printable(replay.file.lastPathComponent)
    let length = "\(Figures.fixed(replay.duration.inSeconds, decimals: 2)) s"
    return "\(name) is saved: \(length), \(Figures.count(replay.frames, "frame")), \(Figures.bytes(replay.bytes))"
  }

  /// A line of its own.
  private var proxy: String {
    guard let proxy = report.proxy else { return "" }
    guard let file = proxy.file else { return "\nNothing was recorded for the \(proxy.name): there is no such file." }
    let parts = [
      Figures.count(proxy.framesWritten, "frame"), "\(proxy.dimensions)",
      EncoderName.short(proxy.encoder, speed: proxy.speed), Figures.bytes(proxy.bytes),
      proxy.isFileComplete ? nil : "the file was not completed",
    ]
    return
      "\n\(DisplayWidth.printable(file.path(percentEncoded: false))): \(parts.compactMap { $0 }.joined(separator: ", "))"
  }

  /// `x264 superfast`, or where it changed, `x264 superfast > ultrafast > superfast`.
  private var encoder: String {
    let speeds = report.speedSteps.map(\.to)
    let way = speeds.count > 4 ? ["... \(speeds.count - 1) steps ...", speeds[speeds.count - 1]] : speeds
    return ([EncoderName.short(report.encoder, speed: report.speed)] + way).joined(separator: " > ")
  }

  /// `x264 goes from superfast to ultrafast at 00:00:11.2: it was 0.4 s behind.`
  static func sentence(of step: GovernorStep, encoder: String) -> String {
    let reason =
      switch step.reason {
      case .behind: "it was \(Figures.fixed(step.waiting.inSeconds, decimals: 1)) s behind"
      case .room: "there is room again"
      }
    let name = EncoderName.short(encoder, speed: nil)
    return "\(name) goes from \(step.from) to \(step.to) at \(Figures.clock(step.time)): \(reason)."
  }

  /// Of an end that nobody sees coming; `nil` for any other.
  static func sentence(of end: RecordingEnd) -> String? {
    switch end {
    case .size: "the file is as large as it may be: the recording ends here."
    case .reserve: "the disk has come to its reserve: the recording ends here."
    case .stopped, .duration, .frames, .source, .failed: nil
    }
  }

  /// `the camera is back after 3.2 s at 00:00:10.0, and the recording goes on.`
  static func sentence(of interruption: Interruption) -> String {
    let gap = Figures.fixed(interruption.duration.inSeconds, decimals: 1)
    return "the camera is back after \(gap) s at \(Figures.clock(interruption.time)), and the recording goes on."
  }

  /// `clip-00000.mp4 is finished: 2.00 s, 120 frames, 1.2 MB`.
  static func sentence(of file: FileReport) -> String {
    let name = file.file.map { DisplayWidth.printable($0.lastPathComponent) } ?? "A file"
    let length = "\(Figures.fixed(file.duration.inSeconds, decimals: 2)) s"
    return "\(name) is finished: \(length), \(Figures.count(file.framesWritten, "frame")), \(Figures.bytes(file.bytes))"
  }

  /// As measured, for drivers' promises are what cameras break; with the promise where it was broken.
  private var rate: String {
    let rate = report.measuredRate.map { Figures.fixed($0, decimals: 2) } ?? report.mode.frameRate?.decimal ?? "unknown"
    guard report.rate.warning != nil else { return "\(rate) fps" }
    let isBroken = report.rate.isOffRate
    let agreed = report.rate.negotiated.flatMap { isBroken ? " (\($0.decimal) were agreed)" : nil } ?? ""
    let new = report.rate.effectiveRate.flatMap { effective in
      report.rate.repeatedFrames > 0 ? ", \(Figures.fixed(effective, decimals: 2)) of them new" : nil
    }
    return "\(rate) fps\(agreed)\(new ?? "")"
  }

  private var losses: String {
    let causes = report.lost.causes.map { "\($0.name) \($0.frames)" }
    let lost = causes.isEmpty ? "none lost" : "\(report.lost.total) lost (\(causes.joined(separator: ", ")))"
    let rest = report.ledger.difference
    if rest == 0 { return lost }
    return rest > 0 ? "\(lost), \(rest) missing without a cause" : "\(lost), \(-rest) more than the camera made"
  }
}
