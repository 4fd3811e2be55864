/// What GStreamer's own presets do to one of Capstan's: what they set, and what has no effect beside them.

import Capstan

struct PresetEffect: Sendable {
  /// Each a line.
  private(set) var notes: [String] = []
  /// Key paths of the preset.
  private(set) var silentKeys: Set<String> = []

  /// - Throws: `ConfigurationError` for an element preset that there is not.
  init(of resolved: ResolvedPreset, library: ProfileLibrary) throws {
    let checker = PresetChecker(library: library)
    let resolved = try checker.readingEncodingTarget(of: resolved)
    if let outcome = resolved.preset.encodingTarget?.outcome {
      notes += [outcome.text] + outcome.sentences
      silentKeys = outcome.replacedKeys
    }
    guard let layer = try checker.elementPreset(of: resolved) else { return }
    notes.append("element preset of \(resolved.preset.encoders.first ?? ""): \(layer.text)")
    silentKeys.formUnion(layer.replacedKeys)
  }
}
