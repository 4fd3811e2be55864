/// Properties of an element: set only after every check that GLib would answer with no more than a warning.

import CGStreamer
package import MediaFormats

extension Element {
  /// Sets a property (`g_object_set_property`, after `gst_value_deserialize_with_pspec` and `g_param_value_validate`):
  /// an unknown name, a value of the wrong type, one out of range and a read-only property are four errors.
  package func set(_ property: String, to value: PropertyValue) throws(PropertyError) {
    guard let spec = unsafe capstan_find_property(pointer, property) else {
      throw .unknown(element: label, property: property, value: value, nearest: nearest(to: property))
    }
    let flags = unsafe spec.pointee.flags
    guard flags & .writable, !(flags & .constructOnly) else {
      throw .readOnly(element: label, property: property, value: value)
    }
    var filled = GValue()
    unsafe g_value_init(&filled, spec.pointee.value_type)
    defer { unsafe g_value_unset(&filled) }
    switch unsafe value.fill(&filled, for: spec) {
    case .unreadable:
      throw unsafe .unreadable(element: label, property: property, value: value, wanted: PropertyDomain(spec))
    case .outOfRange:
      throw unsafe .outOfRange(element: label, property: property, value: value, range: PropertyDomain(spec))
    case .filled: break
    }
    if unsafe g_param_value_validate(spec, &filled) != 0 {
      throw unsafe .outOfRange(element: label, property: property, value: value, range: PropertyDomain(spec))
    }
    unsafe g_object_set_property(gobject, property, &filled)
  }

  /// Reads a property (`g_object_get_property`). An unsigned number too large for `Int` comes as `.string`, names of
  /// enumerations and flags do too.
  package func get(_ property: String) throws(PropertyError) -> PropertyValue {
    guard let spec = unsafe capstan_find_property(pointer, property) else {
      throw .unknown(element: label, property: property, value: nil, nearest: nearest(to: property))
    }
    guard unsafe spec.pointee.flags & .readable else { throw .notReadable(element: label, property: property) }
    var read = GValue()
    unsafe g_value_init(&read, spec.pointee.value_type)
    defer { unsafe g_value_unset(&read) }
    unsafe g_object_get_property(gobject, property, &read)
    guard let value = unsafe PropertyValue(copying: &read) else {
      throw .notReadable(element: label, property: property)
    }
    return value
  }

  /// True where the element has a property of that name, whether it can be set or not.
  package func hasProperty(_ property: String) -> Bool {
    unsafe capstan_find_property(pointer, property) != nil
  }

  private func nearest(to property: String) -> String? {
    var count: guint = 0
    guard let specs = unsafe capstan_list_properties(pointer, &count) else { return nil }
    defer { unsafe g_free(specs) }
    let names = (0..<Int(count)).compactMap { unsafe copied(specs[$0]?.pointee.name) }
    return Spelling.nearest(to: property, among: names)
  }
}

/// The flags of `GParamSpec` that matter here.
enum ParameterFlag {
  case readable, writable, constructOnly

  var bits: GParamFlags.RawValue {
    switch self {
    case .readable: G_PARAM_READABLE.rawValue
    case .writable: G_PARAM_WRITABLE.rawValue
    case .constructOnly: G_PARAM_CONSTRUCT_ONLY.rawValue
    }
  }
}

func & (flags: GParamFlags, flag: ParameterFlag) -> Bool { flags.rawValue & flag.bits != 0 }
