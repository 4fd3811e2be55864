/// What GStreamer's own presets do to one of Capstan's: what they set, and what has no effect beside them.

import Capstan

struct PresetEffect: Sendable {
  /// Each a line.
  private(set) var notes: [String] = []
  /// Key paths of the preset.
  private(set) var silentKeys: Set<String> = []

  /// - Throws: `ConfigurationError` for an element preset that there is not.
  init(of resolved: ResolvedPreset, library: ProfileLibrary) throws {
    guard let layer = try PresetChecker(library: library).elementPreset(of: resolved) else { return }
    notes.append("element preset of \(resolved.preset.encoders.first ?? ""): \(layer.text)")
    silentKeys.formUnion(layer.replacedKeys)
  }
}
