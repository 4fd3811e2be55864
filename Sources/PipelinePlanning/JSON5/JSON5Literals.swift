/// JSON5 values written in Swift; they stand in no file.

extension JSON5Value {
  init(_ content: Content) { self.init(content: content, place: SourcePlace(file: "", line: 0, column: 0)) }

  /// In this order.
  static func object(_ members: [(String, JSON5Value)]) -> JSON5Value {
    JSON5Value(.object(members.map { JSON5Member(name: $0.0, place: $0.1.place, value: $0.1) }))
  }
}

extension JSON5Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral value: String) { self.init(.string(value)) }
  init(booleanLiteral value: Bool) { self.init(.bool(value)) }
  init(arrayLiteral elements: JSON5Value...) { self.init(.array(elements)) }
}

extension JSON5Value: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON5Value)...) { self = .object(elements) }
}

extension JSON5Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  init(integerLiteral value: Int) { self.init(.number(Double(value), spelling: "\(value)")) }
  init(floatLiteral value: Double) { self.init(.number(value, spelling: "\(value)")) }
}
