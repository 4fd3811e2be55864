/// What a camera's control is set to, in the words of whoever sets it.

public enum ControlValue: Sendable, Hashable {
  /// A number, or a menu's item by its number.
  case integer(Int64)
  case boolean(Bool)
  /// A menu's item by its name, a number in decimal or with `0x`, `on`, `off`, or `default`.
  case text(String)

  /// A number where the text is one, else the text as it is.
  public init(parsing text: String) {
    let plain = text.filter { $0 != " " }
    let digits = plain.lowercased().hasPrefix("0x") ? Int64(plain.dropFirst(2), radix: 16) : Int64(plain)
    self = digits.map { .integer($0) } ?? .text(text)
  }
}

extension ControlValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(stringLiteral value: String) { self = ControlValue(parsing: value) }
}

extension ControlValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .text(let value): value
    }
  }
}

extension ControlValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    }
  }
}
