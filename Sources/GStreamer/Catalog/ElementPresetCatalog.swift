/// The element presets (`.prs`) that GStreamer has for an element: those of the system, of the user, and of
/// `GST_PRESET_PATH`.

import CGStreamer
package import MediaFormats

package enum ElementPresetCatalog {
  /// What a preset sets, in the order in which GStreamer sets it.
  package struct Contents: Sendable, Hashable {
    package struct Setting: Sendable, Hashable {
      package let property: String
      package let value: PropertyValue
    }

    /// Empty where the file has none.
    package let comment: String
    package let settings: [Setting]
  }

  /// By name (`gst_preset_get_preset_names`); empty for an element that has none, or that is missing.
  package static func names(of factory: String) -> [String] {
    guard let element = try? Element(factory: factory), let preset = unsafe capstan_preset(element.pointer),
      let names = unsafe gst_preset_get_preset_names(preset)
    else { return [] }
    defer { unsafe g_strfreev(names) }
    var found: [String] = []
    var next = unsafe names
    while let name = unsafe copied(next.pointee) {
      found.append(name)
      unsafe next += 1
    }
    return found
  }

  /// Loads it on an element that is then thrown away (`gst_preset_load_preset`): what the element tells to have changed,
  /// also to the value that it had, is what the preset sets. What GStreamer cannot read of the file it leaves out.
  /// - Returns: `nil` where the element has no preset of that name.
  package static func contents(of name: String, for factory: String) -> Contents? {
    guard let element = try? Element(factory: factory), let preset = unsafe capstan_preset(element.pointer) else {
      return nil
    }
    let log = PropertyLog()
    let isLoaded = element.logging(log) { unsafe gst_preset_load_preset(preset, name) != 0 }
    guard isLoaded else { return nil }
    var comment: UnsafeMutablePointer<gchar>?
    _ = unsafe gst_preset_get_meta(preset, name, "comment", &comment)
    let settings = log.names.compactMap { property in
      (try? element.get(property)).map { Contents.Setting(property: property, value: $0) }
    }
    return Contents(comment: unsafe adopted(comment) ?? "", settings: settings)
  }
}

/// The properties that an element has told to be set, each once.
private final class PropertyLog {
  private(set) var names: [String] = []

  func add(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }
}

extension Element {
  /// Writes down what is set meanwhile (the signal `notify`, which comes in the thread that sets).
  fileprivate func logging<Result>(_ log: PropertyLog, _ body: () -> Result) -> Result {
    let listener: @convention(c) (gpointer?, UnsafeMutablePointer<GParamSpec>?, gpointer?) -> Void = { _, spec, log in
      guard let log = unsafe log, let name = unsafe copied(spec?.pointee.name) else { return }
      unsafe Unmanaged<PropertyLog>.fromOpaque(log).takeUnretainedValue().add(name)
    }
    let signal = unsafe g_signal_connect_data(
      pointer, "notify", unsafeBitCast(listener, to: GCallback.self), Unmanaged.passUnretained(log).toOpaque(), nil,
      GConnectFlags(rawValue: 0))
    defer { unsafe g_signal_handler_disconnect(pointer, signal) }
    return body()
  }
}
