/// Reads GStreamer's element presets for the encoders that a preset names.

import GStreamer

extension ElementPreset {
  /// Those of the encoder that the preset wishes one of, which is its first; empty where it wishes none.
  static func known(for preset: Preset) -> [String: [ElementPreset]] {
    guard preset.elementPreset != nil, let element = preset.encoders.first else { return [:] }
    return [element: all(of: element)]
  }

  /// All that GStreamer has for an element; empty where there are none, or where it is not installed.
  public static func all(of element: String) -> [ElementPreset] {
    ElementPresetCatalog.names(of: element).compactMap { name in
      ElementPresetCatalog.contents(of: name, for: element).map { contents in
        ElementPreset(
          name: name, comment: contents.comment,
          settings: contents.settings.map { .init(name: $0.property, value: $0.value) })
      }
    }
  }
}
