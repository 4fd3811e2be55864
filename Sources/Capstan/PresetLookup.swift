/// Presets by name, for programs.

extension Preset {
  /// The user's own preset of that name, a bundled one, or the file at a path.
  /// - Throws: `configuration`, which names the file and the place in it.
  public static func named(_ name: String) throws(CaptureError) -> Preset {
    do {
      return try ProfileLibrary.standard.preset(name)
    } catch {
      throw CaptureError(error)
    }
  }
}
