/// Caps from C and back: every type that `Caps` names is copied as a value, every other one as the text GStreamer
/// prints for it.

import CGStreamer
package import MediaFormats

extension Caps {
  /// Reads what `gst_caps_to_string` writes (`gst_caps_from_string`); `nil` where that cannot be read.
  package init?(parsing text: String) {
    guard (try? GStreamerRuntime.initialize()) != nil, let caps = unsafe Owned(adopting: gst_caps_from_string(text))
    else { return nil }
    unsafe self.init(copying: caps.pointer)
  }

  /// As GStreamer prints them itself (`gst_caps_to_string`).
  package var serialized: String {
    let caps = unsafe makeCaps()
    return unsafe adopted(gst_caps_to_string(caps.pointer)) ?? ""
  }

  /// True where something can fit both (`gst_caps_can_intersect`).
  package func canIntersect(_ other: Caps) -> Bool {
    let mine = unsafe makeCaps()
    let theirs = unsafe other.makeCaps()
    return unsafe gst_caps_can_intersect(mine.pointer, theirs.pointer) != 0
  }

  /// What fits both, in this one's order (`gst_caps_intersect_full`).
  package func intersection(_ other: Caps) -> Caps {
    let mine = unsafe makeCaps()
    let theirs = unsafe other.makeCaps()
    guard
      let common = unsafe Owned(
        adopting: gst_caps_intersect_full(mine.pointer, theirs.pointer, GST_CAPS_INTERSECT_FIRST))
    else { return Caps() }
    return unsafe Caps(copying: common.pointer)
  }

  init(copying caps: UnsafePointer<GstCaps>) {
    if unsafe gst_caps_is_any(caps) != 0 {
      self.init(isAny: true)
      return
    }
    let structures = (0..<(unsafe gst_caps_get_size(caps))).compactMap { index -> CapsStructure? in
      guard let structure = unsafe gst_caps_get_structure(caps, index) else { return nil }
      return unsafe CapsStructure(copying: structure, features: gst_caps_get_features(caps, index))
    }
    self.init(structures)
  }

  /// The same in C, whose types exist only once GStreamer has started.
  func makeCaps() -> Owned<GstCaps> {
    try? GStreamerRuntime.initialize()
    guard !isAny else { return unsafe Owned(adopting: gst_caps_new_any()!) }
    let caps = unsafe Owned(adopting: gst_caps_new_empty()!)
    for structure in structures {
      guard let made = unsafe structure.makeStructure() else { continue }
      unsafe gst_caps_append_structure_full(caps.pointer, made, structure.makeFeatures())
    }
    return unsafe caps
  }
}

extension CapsStructure {
  /// Without features, for structures that stand alone, as those in messages do.
  init(copying structure: UnsafePointer<GstStructure>) {
    let fields = (0..<(unsafe gst_structure_n_fields(structure))).compactMap { index -> CapsField? in
      guard let name = unsafe gst_structure_nth_field_name(structure, guint(index)),
        let value = unsafe gst_structure_get_value(structure, name)
      else { return nil }
      return unsafe CapsField(String(cString: name), CapsValue(copying: value))
    }
    self.init(unsafe copied(gst_structure_get_name(structure)) ?? "", fields: fields)
  }

  init(copying structure: UnsafePointer<GstStructure>, features: OpaquePointer?) {
    unsafe self.init(copying: structure)
    guard let features = unsafe features else { return }
    if unsafe gst_caps_features_is_any(features) != 0 {
      self.features = ["ANY"]
      return
    }
    let names = (0..<(unsafe gst_caps_features_get_size(features))).compactMap {
      unsafe copied(gst_caps_features_get_nth(features, $0))
    }
    self.features = names == ["memory:SystemMemory"] ? [] : names
  }

  /// `nil` where the name is none that GStreamer takes.
  func makeStructure() -> UnsafeMutablePointer<GstStructure>? {
    guard let structure = unsafe gst_structure_new_empty(name) else { return nil }
    for field in fields {
      unsafe field.value.withValue { unsafe gst_structure_set_value(structure, field.name, $0) }
    }
    return unsafe structure
  }

  /// `nil` stands for system memory; the caps take what is returned.
  func makeFeatures() -> OpaquePointer? {
    guard !features.isEmpty else { return nil }
    return unsafe gst_caps_features_from_string(features.joined(separator: ", "))
  }
}
