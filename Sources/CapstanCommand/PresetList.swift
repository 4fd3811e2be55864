/// The list of presets, and what each comes to on a camera.

import Capstan
import GStreamer

struct PresetList: Sendable {
  let console: Console
  var library = ProfileLibrary.standard

  func show(_ options: ParsedOptions) throws -> ExitCode {
    let formats = try options.string("device").map { try CaptureDevice.named($0).formats() }
    var lines: [PresetLine] = []
    for name in library.presetNames {
      // A broken file of the user's is told, and hides none of the others.
      do {
        let resolved = try library.resolved(name)
        lines.append(PresetLine(try PresetChecker(library: library).readingEncodingTarget(of: resolved), formats))
      } catch {
        console.say("capstan: \(error)")
      }
    }
    console.answer(
      options.flag("json") ? try JSONText.answer(lines) : TextTable(rows: lines.map { $0.row }).text)
    return .done
  }
}

/// A preset of the list: the preset itself, where it is from, and what it comes to.
struct PresetLine: Encodable, Sendable {
  /// What it comes to on the camera that was named.
  struct Fit: Encodable, Sendable {
    var canApply: Bool
    /// `exact`, `adjusted` or `impossible`.
    var outcome: String
    var mode: CaptureMode?
    /// What differs, or why there is nothing.
    var remarks: [String]
  }

  var preset: PresetAnswer
  var file: String
  var isBundled: Bool
  var fit: Fit?

  private enum CodingKeys: CodingKey { case file, bundled, fit }

  init(_ resolved: ResolvedPreset, _ formats: [DeviceFormat]?) {
    preset = PresetAnswer(resolved.preset)
    file = resolved.files.first ?? ""
    isBundled = resolved.isBundled
    fit = formats.map { Fit(resolved.preset.selection(from: $0).selection) }
  }

  var row: [String] {
    let middle = fit.map { [$0.mode.map { "\($0)" } ?? "-", ([$0.outcome] + $0.remarks).joined(separator: "; ")] }
    return [preset.name] + (middle ?? [preset.summary, isBundled ? "bundled" : file])
  }

  /// The preset's own keys, and these beside them.
  func encode(to encoder: any Encoder) throws {
    try preset.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(isBundled, forKey: .bundled)
    try container.encodeIfPresent(fit, forKey: .fit)
  }
}

extension PresetLine.Fit {
  init(_ selection: FormatSelection) {
    canApply = selection.mode != nil
    outcome = selection.outcome
    mode = selection.mode
    remarks = selection.deviations.map(\.description)
    if case .impossible(let reason, _) = selection { remarks = [reason] }
  }
}
