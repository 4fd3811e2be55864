/// A value for an element's property, before the element has said whether it takes it.

public enum PropertyValue: Sendable, Hashable {
  case bool(Bool)
  case int(Int)
  case double(Double)
  /// Also a name of an enumeration or flags value, as `superfast`, and anything else that
  /// `gst_value_deserialize` reads.
  case string(String)
  case fraction(Fraction)
  case caps(Caps)
}

extension PropertyValue: CustomStringConvertible {
  /// As gst-launch-1.0 reads it, before shell quoting.
  public var description: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .fraction(let value): "\(value)"
    case .caps(let value): "\(value)"
    }
  }
}
