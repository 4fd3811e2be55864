/// A piece of a pipeline: one element, or a bin made from a launch description.

import CGStreamer

@safe package final class Element: Sendable {
  private let owned: Owned<GstElement>
  /// Whoever made the element puts it to rest; a second handle on it does not.
  private let isMaker: Bool

  /// Makes an element (`gst_element_factory_make`); `nil` for the name lets GStreamer number one.
  package convenience init(factory: String, name: String? = nil) throws(ElementError) {
    try Element.startRuntime()
    guard let made = unsafe gst_element_factory_make(factory, name) else {
      throw ElementError.missing(factory: factory, package: ElementCatalog.debianPackage(of: factory))
    }
    unsafe self.init(making: made)
  }

  /// Makes a bin from a description in the syntax of gst-launch-1.0 (`gst_parse_bin_from_description_full`). A number out
  /// of range is an error here.
  /// - Parameter isWhole: true for a description with its own source and sink. Otherwise pads that are not linked become
  ///   the bin's own, those too that a demuxer was to be linked to later.
  package convenience init(
    launch description: String, name: String? = nil, isWhole: Bool = false
  ) throws(ElementError) {
    try Element.startRuntime()
    if let error = LaunchDescription.valueOutOfRange(in: description) { throw ElementError.property(error) }
    let context = unsafe gst_parse_context_new()
    defer { unsafe gst_parse_context_free(context) }
    var error: UnsafeMutablePointer<GError>?
    guard
      let made = unsafe gst_parse_bin_from_description_full(
        description, isWhole ? 0 : 1, context, GST_PARSE_FLAG_FATAL_ERRORS, &error)
    else {
      // An element that refuses a property is among the missing ones too.
      let code = gint(GST_PARSE_ERROR_NO_SUCH_ELEMENT.rawValue)
      let isMissing = unsafe g_error_matches(error, gst_parse_error_quark(), code) != 0
      let reason = unsafe adoptedMessage(error) ?? "it gave no reason"
      let launchError = ElementError.launch(description: description, reason: reason)
      throw unsafe (isMissing ? Element.missing(context) : nil) ?? launchError
    }
    unsafe g_clear_error(&error)
    if let name { unsafe gst_object_set_name(recast(made), name) }
    unsafe self.init(making: made)
  }

  private init(making made: UnsafeMutablePointer<GstElement>) {
    unsafe owned = GstElement.sinking(made)
    isMaker = true
  }

  /// A second handle on an element that lives elsewhere.
  init(_ owned: consuming Owned<GstElement>) {
    unsafe self.owned = owned
    isMaker = false
  }

  /// An element that no pipeline took over would otherwise be freed while it runs.
  deinit {
    guard isMaker, unsafe !capstan_has_parent(pointer), unsafe capstan_reference_count(pointer) == 1 else { return }
    unsafe gst_element_set_state(pointer, GST_STATE_NULL)
  }

  var pointer: UnsafeMutablePointer<GstElement> { unsafe owned.pointer }
  var gobject: UnsafeMutablePointer<GObject> { unsafe recast(owned.pointer) }

  /// `gst_object_get_name`.
  package var name: String { unsafe adopted(gst_object_get_name(recast(pointer))) ?? "" }

  /// As `x264enc`; `bin` for a bin (`gst_element_get_factory`).
  package var factoryName: String { unsafe Element.factoryName(of: pointer) }

  /// As errors name it: the factory, and the name where that says more.
  var label: String {
    let (name, factory) = (name, factoryName)
    return name.hasPrefix(factory) || factory.isEmpty ? factory.isEmpty ? name : factory : "\(factory) \(name)"
  }

  static func factoryName(of element: UnsafeMutablePointer<GstElement>) -> String {
    guard let factory = unsafe gst_element_get_factory(element) else { return "" }
    return unsafe adopted(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))) ?? ""
  }

  private static func startRuntime() throws(ElementError) {
    do throws(RuntimeError) { try GStreamerRuntime.initialize() } catch { throw .runtime(error) }
  }

  private static func missing(_ context: OpaquePointer?) -> ElementError? {
    let missing = unsafe gst_parse_context_get_missing_elements(context)
    defer { unsafe g_strfreev(missing) }
    return unsafe copied(missing?.pointee).map {
      .missing(factory: $0, package: ElementCatalog.debianPackage(of: $0))
    }
  }
}

/// Why an element could not be made.
package enum ElementError: Error, Sendable, Hashable {
  case runtime(RuntimeError)
  /// `package` is the Debian package that has it, where that is known.
  case missing(factory: String, package: String?)
  /// A launch description that cannot be read.
  case launch(description: String, reason: String)
  /// A launch description sets a property to what it does not take.
  case property(PropertyError)
}

extension ElementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .runtime(let error): error.description
    case .missing(let factory, let package?):
      "GStreamer has no element \(factory) here; install it with: sudo apt install \(package)"
    case .missing(let factory, nil):
      "GStreamer has no element \(factory), and no Debian package is known to have it; check the spelling."
    case .launch(let description, let reason):
      "The pipeline description \"\(description)\" cannot be used: \(reason)."
    case .property(let error): error.description
    }
  }
}
