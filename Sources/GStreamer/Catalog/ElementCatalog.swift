/// Which elements are installed, what they take, and where to get those that are not.

import CGStreamer
package import MediaFormats

package enum ElementCatalog {
  /// `gst_registry_lookup_feature`.
  package static func contains(_ factory: String) -> Bool { unsafe lookUp(factory) != nil }

  /// The factories of all elements (`gst_registry_get_feature_list`).
  package static var installed: Set<String> {
    guard (try? GStreamerRuntime.initialize()) != nil else { return [] }
    let features = unsafe gst_registry_get_feature_list(gst_registry_get(), gst_element_factory_get_type())
    defer { unsafe gst_plugin_feature_list_free(features) }
    var names: Set<String> = []
    var next = unsafe features
    while let node = unsafe next {
      if let name = unsafe adopted(gst_object_get_name(node.pointee.data?.assumingMemoryBound(to: GstObject.self))) {
        names.insert(name)
      }
      unsafe next = node.pointee.next
    }
    return names
  }

  /// The package of Debian 12 that has an element, installed or not.
  package static func debianPackage(of factory: String) -> String? {
    if let package = DebianPackages.byElement[factory] { return package }
    return DebianPackages.prefixes.first { factory.hasPrefix($0.prefix) }?.package
  }

  /// As `x264 H.264 Encoder` (`gst_element_factory_get_metadata`).
  package static func longName(of factory: String) -> String? {
    guard let found = unsafe lookUp(factory) else { return nil }
    return unsafe copied(gst_element_factory_get_metadata(OpaquePointer(found.pointer), "long-name"))
  }

  /// Whether an element can give what fits the caps (`gst_element_factory_can_src_any_caps`); false where it is missing.
  package static func canMake(_ format: Caps, by factory: String) -> Bool {
    guard let found = unsafe lookUp(factory) else { return false }
    let caps = unsafe format.makeCaps()
    return unsafe gst_element_factory_can_src_any_caps(OpaquePointer(found.pointer), caps.pointer) != 0
  }

  /// The version of the plug-in that has the element (`gst_plugin_get_version`).
  package static func pluginVersion(of factory: String) -> String? {
    unsafe plugin(of: factory) { unsafe gst_plugin_get_version($0) }
  }

  /// The file that the plug-in was loaded from (`gst_plugin_get_filename`).
  package static func pluginFile(of factory: String) -> String? {
    unsafe plugin(of: factory) { unsafe gst_plugin_get_filename($0) }
  }

  private static func plugin(of factory: String, _ read: (OpaquePointer) -> UnsafePointer<CChar>?) -> String? {
    guard let found = unsafe lookUp(factory),
      let plugin = unsafe gst_plugin_feature_get_plugin(OpaquePointer(found.pointer))
    else { return nil }
    let owned = unsafe Owned(adopting: UnsafeMutablePointer<GstObject>(plugin))
    return unsafe copied(read(OpaquePointer(owned.pointer)))
  }

  /// What an element can be told, without making one (`g_object_class_list_properties`); empty where it is missing.
  package static func properties(of factory: String) -> [PropertyDescription] {
    guard let found = unsafe lookUp(factory),
      let loaded = unsafe gst_plugin_feature_load(OpaquePointer(found.pointer))
    else { return [] }
    let feature = unsafe Owned(adopting: UnsafeMutablePointer<GstObject>(loaded))
    let type = unsafe gst_element_factory_get_element_type(OpaquePointer(feature.pointer))
    guard let known = unsafe g_type_class_ref(type) else { return [] }
    defer { unsafe g_type_class_unref(known) }
    var count: guint = 0
    guard let specs = unsafe capstan_list_class_properties(known, &count) else { return [] }
    defer { unsafe g_free(specs) }
    return (0..<Int(count)).compactMap { unsafe specs[$0].map { unsafe PropertyDescription($0) } }
  }

  private static func lookUp(_ factory: String) -> Owned<GstObject>? {
    guard (try? GStreamerRuntime.initialize()) != nil, let found = unsafe gst_element_factory_find(factory) else {
      return nil
    }
    return unsafe Owned(adopting: UnsafeMutablePointer<GstObject>(found))
  }
}

/// A property as the element declares it (`GParamSpec`).
package struct PropertyDescription: Sendable, Hashable {
  package let name: String
  /// GLib's name for the type, as `guint`.
  package let typeName: String
  package let blurb: String
  /// `nil` where it has no form as a number or text.
  package let defaultValue: PropertyValue?
  /// Range or choices.
  package let domain: PropertyDomain
  package let isReadable: Bool
  /// By `Element.set`.
  package let isWritable: Bool

  init(_ spec: UnsafeMutablePointer<GParamSpec>) {
    let flags = unsafe spec.pointee.flags
    name = unsafe copied(spec.pointee.name) ?? ""
    typeName = unsafe copied(g_type_name(spec.pointee.value_type)) ?? ""
    blurb = unsafe copied(g_param_spec_get_blurb(spec)) ?? ""
    defaultValue = unsafe g_param_spec_get_default_value(spec).flatMap { unsafe PropertyValue(copying: $0) }
    domain = unsafe PropertyDomain(spec)
    isReadable = flags & .readable
    isWritable = flags & .writable && !(flags & .constructOnly)
  }
}
