/// `capstan presets`: what can be recorded by name.

import Capstan
import GStreamer

enum PresetsCommand: Subcommand {
  static let name = "presets"
  static let summary = "what can be recorded by name"
  static let options = [RecordOptions.json]
  static let help = """
    Usage: capstan presets [--json]

    Lists the presets that --preset takes: yours in ~/.config/capstan/pipelines, or
    in $XDG_CONFIG_HOME/capstan/pipelines, and those that come with Capstan.

          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let library = ProfileLibrary.standard
    var presets: [Preset] = []
    for name in library.presetNames {
      // A broken file of the user's is told, and hides none of the others.
      do { presets.append(try library.preset(name)) } catch { console.errors.post("capstan: \(error)\n") }
    }
    if options.flag("json") {
      console.answer(try JSONText.answer(presets.map(PresetAnswer.init)))
    } else {
      console.answer(TextTable(rows: presets.map { [$0.name, $0.summary] }).text)
    }
    return .done
  }
}

/// A preset for programs; what it leaves free is null.
struct PresetAnswer: Encodable, Sendable {
  var name: String
  var summary: String
  var size: VideoDimensions?
  var frameRate: Fraction?
  var range: ColorRange?
  var inputFormat: String
  var strict: Bool
  var fallback: String
  /// What is wished in place of that, in order; each in words.
  var alternatives: [String]
  var encoders: [String]
  var bitRate: Int
  var keyFrameInterval: Int64
  var speed: String?
  var encoderOptions: [String: String]
  var container: String
  /// Left out where there are none.
  var controls: [String: ControlValue]?
  /// Left out where it is on.
  var exposureLock: Bool?

  init(_ preset: Preset) {
    name = preset.name
    summary = preset.summary
    size = preset.request.dimensions
    frameRate = preset.request.frameRate
    range = preset.request.range
    inputFormat = "\(preset.request.payload)"
    strict = preset.request.isStrict
    fallback = preset.request.fallback.rawValue
    alternatives = preset.alternatives.map(\.description)
    encoders = preset.encoders
    bitRate = preset.bitRate.bitsPerSecond
    keyFrameInterval = preset.keyFrameInterval.nanoseconds
    speed = preset.speed
    encoderOptions = preset.encoderOptions
    container = preset.container
    controls = preset.controls.isEmpty ? nil : preset.controls
    exposureLock = preset.exposureLock ? nil : false
  }
}
