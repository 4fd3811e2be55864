/// Presets by name, and whether a camera can do them, for programs.

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
  /// True where the camera has a mode that the preset takes; the work of `AVCaptureSession.canSetSessionPreset(_:)`.
  /// Opens the camera to ask for its formats, and blocks meanwhile.
  /// - Throws: as `CaptureDevice.formats()`.
  public func canApply(to device: CaptureDevice) throws(CaptureError) -> Bool {
    canApply(to: try device.formats())
  }
}
