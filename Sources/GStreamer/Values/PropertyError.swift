/// Why an element did not take a property, told apart because the caller can act on each.

package import MediaFormats

package enum PropertyError: Error, Sendable, Hashable {
  /// The element has no property of that name; `nearest` is the one most likely meant.
  case unknown(element: String, property: String, value: PropertyValue?, nearest: String?)
  /// The value is of another type, or not one of the names allowed.
  case unreadable(element: String, property: String, value: PropertyValue, wanted: PropertyDomain)
  /// The value is of the right type but too small or too large.
  case outOfRange(element: String, property: String, value: PropertyValue, range: PropertyDomain)
  /// The element sets the property itself, or only when it is made.
  case readOnly(element: String, property: String, value: PropertyValue)
  /// The property has no value that can be read as text or number.
  case notReadable(element: String, property: String)
}

extension PropertyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let element, let property, let value, let nearest):
      "\(element) has no property \(property)"
        + (value.map { ", so it cannot be set to \"\($0)\"" } ?? "")
        + (nearest.map { " (did you mean \($0)?)." } ?? "; gst-inspect-1.0 lists what it has.")
    case .unreadable(let element, let property, let value, let wanted):
      "\(element) cannot read \"\(value)\" for its property \(property), which takes \(wanted)."
    case .outOfRange(let element, let property, let value, let range):
      "\"\(value)\" is out of range for the property \(property) of \(element), which takes \(range)."
    case .readOnly(let element, let property, let value):
      "The property \(property) of \(element) is read-only, so it cannot be set to \"\(value)\"."
    case .notReadable(let element, let property):
      "The property \(property) of \(element) has no value that can be read."
    }
  }
}
