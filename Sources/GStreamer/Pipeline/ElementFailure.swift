/// An error or warning as an element posted it (`gst_message_parse_error`, `gst_message_parse_warning`).

import CGStreamer

package struct ElementFailure: Error, Sendable, Hashable {
  package enum Domain: String, Sendable, Hashable { case core, library, resource, stream, other }

  /// The element's name in its pipeline.
  package let element: String
  /// As `v4l2src`.
  package let factory: String
  package let domain: Domain
  /// GStreamer's short name for the code, as `busy`, `open-read-write`, `no-space-left`; a number for other domains.
  package let code: String
  /// For people, and translated.
  package let message: String
  /// For developers: file, line, function, and often an errno's text.
  package let debug: String

  package init(
    element: String, factory: String, domain: Domain, code: String, message: String, debug: String
  ) {
    self.element = element
    self.factory = factory
    self.domain = domain
    self.code = code
    self.message = message
    self.debug = debug
  }
}

extension ElementFailure: CustomStringConvertible {
  package var description: String {
    let name = element.hasPrefix(factory) || factory.isEmpty ? element : "\(factory) \(element)"
    let end = message.last.map { ".!?".contains($0) } == true ? "" : "."
    return "\(name): \(message)\(end) (\(domain.rawValue)/\(code))"
  }
}

extension ElementFailure {
  /// Takes over `error` and `debug`.
  init(
    _ message: UnsafeMutablePointer<GstMessage>, _ error: UnsafeMutablePointer<GError>?,
    _ debug: UnsafeMutablePointer<CChar>?
  ) {
    let source = unsafe MessageSource(message)
    let (domain, code) = unsafe ElementFailure.kind(error)
    self.init(
      element: source.name, factory: source.factory, domain: domain, code: code,
      message: unsafe adoptedMessage(error) ?? "", debug: unsafe adopted(debug) ?? "")
  }

  private static func kind(_ error: UnsafeMutablePointer<GError>?) -> (Domain, String) {
    guard let error = unsafe error?.pointee else { return (.other, "0") }
    let (domain, type): (Domain, GType?) =
      switch unsafe error.domain {
      case gst_core_error_quark(): (.core, gst_core_error_get_type())
      case gst_library_error_quark(): (.library, gst_library_error_get_type())
      case gst_resource_error_quark(): (.resource, gst_resource_error_get_type())
      case gst_stream_error_quark(): (.stream, gst_stream_error_get_type())
      default: (.other, nil)
      }
    let number = unsafe Int(error.code)
    let nick = type.flatMap { PropertyChoice.all(ofEnumeration: $0).first { $0.value == number }?.name }
    return (domain, nick ?? "\(number)")
  }
}

/// Who posted a message.
struct MessageSource {
  let name: String
  let factory: String
  let isPipeline: Bool

  init(_ message: UnsafeMutablePointer<GstMessage>) {
    guard let source = unsafe message.pointee.src else {
      (name, factory, isPipeline) = ("", "", false)
      return
    }
    name = unsafe adopted(gst_object_get_name(source)) ?? ""
    isPipeline = unsafe capstan_is_pipeline(source)
    factory = unsafe capstan_is_element(source) ? Element.factoryName(of: recast(source)) : ""
  }
}
