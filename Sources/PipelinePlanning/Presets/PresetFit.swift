/// Whether a camera can do what a preset asks: a preset is a wish, resolved against what the camera lists today.

public import MediaFormats

extension Preset {
  /// The mode that the preset comes to on a camera with these formats, and which of its wishes that is.
  public func selection(from formats: [DeviceFormat]) -> WishSelection {
    FormatSelector.select(from: recordable(formats), wishes: wishes)
  }

  /// True where a camera with these formats has a mode that one of the wishes takes: exactly what is asked where the
  /// fallback is `exact`, as in the presets that are named by a size; the nearest where it allows others.
  public func canApply(to formats: [DeviceFormat]) -> Bool { selection(from: formats).selection.mode != nil }
}
