/// `capstan presets`: what can be recorded by name, what a preset says, and whether a file is a right one.

import Capstan
import GStreamer

enum PresetsCommand: Subcommand {
  static let name = "presets"
  static let summary = "what can be recorded by name; show, check and schema"
  static let options = [RecordOptions.device, RecordOptions.json]
  static let takesWords = true
  static let help = """
    Usage: capstan presets [--device DEV]   the presets, and which DEV can do
           capstan presets show NAME|FILE   all that it says, with the file of each
                                            value; what it extends included
           capstan presets check FILE...    says what is wrong with it, or ok
           capstan presets keys             what a preset may say
           capstan presets schema           that as a JSON Schema, for editors
           capstan presets targets          GStreamer's (.gep), for encodingTarget

    Presets are JSON5 files: yours in ~/.config/capstan/pipelines, or below
    $XDG_CONFIG_HOME, and those that come with Capstan. Of two with the same name
    yours is taken. A file states only what it means to change; with extends it
    begins with another preset, also with the one of its own name.

      -d, --device DEV       say of each preset what it comes to on this camera
          --json             one answer on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let words = Array(options.remaining.dropFirst())
    switch options.remaining.first {
    case nil: return try PresetList(console: console).show(options)
    case "show": return try show(try oneWord(words, of: "show", "the name or the file of a preset"), options, console)
    case "check": return try PresetCheckRun(console: console).check(words, asJSON: options.flag("json"))
    case "targets":
      try noWord(words, of: "targets")
      return try EncodingTargetList(console: console).show(asJSON: options.flag("json"))
    case "keys": return try keys(words, options, console)
    case "schema":
      try noWord(words, of: "schema")
      console.answer(PresetSchema.text)
      return .done
    case .some(let word):
      throw UsageError(unknown: "presets command", word, known: ["show", "check", "keys", "schema", "targets"])
    }
  }

  private static func show(_ name: String, _ options: ParsedOptions, _ console: Console) throws -> ExitCode {
    let resolved = try ProfileLibrary.standard.resolved(named: name)
    let effect = try PresetEffect(of: resolved, library: .standard)
    console.answer(
      options.flag("json")
        ? resolved.json(leavingOut: effect.silentKeys)
        : resolved.json5(notes: effect.notes, leavingOut: effect.silentKeys))
    return .done
  }

  private static func keys(_ words: [String], _ options: ParsedOptions, _ console: Console) throws -> ExitCode {
    try noWord(words, of: "keys")
    let text = PresetKey.all.map { key in
      "\(key.path): \(key.wanted)\(key.initial.map { " [\($0)]" } ?? "")\n    \(key.meaning)"
    }
    console.answer(
      options.flag("json") ? try JSONText.answer(PresetKey.all.map(KeyAnswer.init)) : text.joined(separator: "\n"))
    return .done
  }

  private static func oneWord(_ words: [String], of command: String, _ wanted: String) throws(UsageError) -> String {
    guard words.count == 1 else { throw UsageError("capstan presets \(command) takes \(wanted).") }
    return words[0]
  }

  private static func noWord(_ words: [String], of command: String) throws(UsageError) {
    if let word = words.first { throw UsageError("\(word) is one word too many: presets \(command) takes none.") }
  }
}

/// What a preset may say, for programs.
struct KeyAnswer: Encodable, Sendable {
  var key: String
  var wanted: String
  /// In JSON5.
  var initial: String?
  var meaning: String

  init(_ key: PresetKey) { (self.key, wanted, initial, meaning) = (key.path, key.wanted, key.initial, key.meaning) }
}

extension ProfileLibrary {
  /// A name that is nobody's is a slip of the fingers; a file that is wrong is not.
  func resolved(named name: String) throws -> ResolvedPreset {
    guard ProfileLibrary.isPath(name) || presetNames.contains(name) else {
      throw UsageError(unknown: "preset", name.isEmpty ? "''" : name, known: presetNames)
    }
    return try resolved(name)
  }
}
