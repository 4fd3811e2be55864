/// `capstan controls`: what can be set on a camera, what it is set to, and setting it.

import Capstan
import GStreamer

enum ControlsCommand: Subcommand {
  static let name = "controls"
  static let summary = "exposure, focus, gain ...: lists, reads and sets them"
  static let options = [RecordOptions.device, RecordOptions.json]
  static let takesWords = true
  static let help = """
    Usage: capstan controls [-d DEV] [--json] [NAME...] [NAME=VALUE...]

    Lists the controls of a camera, or those that are named, with what they take.
    NAME=VALUE sets one, to stay: a number, on or off, a menu's item by number or
    name, or default. All are checked before the first is set. For the time of a
    recording only: capstan record --control NAME=VALUE.

      -d, --device DEV       id, name, path or a list of these (default: any)
          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let words = try ControlWords(options.remaining)
    let device = try CaptureDevice.chosen(options.string("device"))
    let controls = try answer(words, device)
    if options.flag("json") {
      console.answer(try JSONText.answer(controls))
    } else if controls.isEmpty {
      console.say("\(device.name) (\(device.id)) has no controls.")
    } else {
      let heading = ["NAME", "VALUE", "DEFAULT", "TAKES", ""]
      console.answer("\(device.name) (\(device.id))\n" + TextTable(rows: [heading] + controls.map(row)).text)
    }
    return .done
  }

  private static func answer(_ words: ControlWords, _ device: CaptureDevice) throws(CaptureError) -> [CameraControl] {
    if words.isEmpty { return try device.controls() }
    // Before anything is set, so that a slip in one name leaves everything as it was.
    _ = try device.controls(named: words.names)
    let set = words.values.isEmpty ? [] : try device.setControls(words.values)
    return set
      + (try device.controls(named: words.names)).filter { control in !set.contains { $0.name == control.name } }
  }

  private static func row(_ control: CameraControl) -> [String] {
    let isShown = control.kind != .button && control.kind != .other
    return [
      control.name, control.value.map(control.text(for:)) ?? "-",
      isShown ? control.text(for: control.defaultValue) : "-", control.allowedValues,
      control.obstacle.map { "not now: \($0)" } ?? "",
    ]
  }
}

/// `NAME` and `NAME=VALUE`.
struct ControlWords: Sendable, Hashable {
  var names: [String] = []
  var values: [String: ControlValue] = [:]

  init(_ words: [String]) throws(UsageError) {
    for word in words {
      guard word.contains("=") else {
        names.append(word)
        continue
      }
      let (name, value) = try ControlWords.pair(word)
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("The control \(name) is set twice; set it once.")
      }
    }
  }

  var isEmpty: Bool { names.isEmpty && values.isEmpty }

  /// - Throws: `UsageError` where a side is missing.
  static func pair(_ word: String) throws(UsageError) -> (name: String, value: ControlValue) {
    let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
      throw UsageError("A control is set as NAME=VALUE, and '\(word)' is not that; capstan controls lists the names.")
    }
    return (sides[0], ControlValue(parsing: sides[1]))
  }
}
