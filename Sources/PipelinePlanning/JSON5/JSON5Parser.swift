/// Reads JSON5 (json5.org, version 1.0.0) strictly: a mistake is told with its line and column, and a name that stands
/// twice is one. Foundation's decoder knows neither.

import Foundation

struct JSON5Parser {
  /// Far more than any file needs, and far less than the stack holds.
  private static let deepest = 64

  var cursor: JSON5Cursor
  /// Names and places of what is being read, for messages.
  private var path: [String] = []

  static func parse(_ data: Data, file: String) throws(ConfigurationError) -> JSON5Value {
    var parser = JSON5Parser(cursor: try JSON5Cursor(data, file: file))
    let value = try parser.value()
    try parser.cursor.skipSpace()
    guard parser.cursor.next == nil else {
      throw parser.cursor.error("the file should end here, and \(parser.cursor.found) follows")
    }
    return value
  }

  private init(cursor: JSON5Cursor) { self.cursor = cursor }

  func error(_ problem: String, at place: SourcePlace? = nil) -> ConfigurationError {
    var error = cursor.error(problem, at: place)
    error.keyPath = path.joined()
    return error
  }

  private mutating func value() throws(ConfigurationError) -> JSON5Value {
    try cursor.skipSpace()
    let place = cursor.place
    return JSON5Value(content: try content(), place: place)
  }

  private mutating func content() throws(ConfigurationError) -> JSON5Value.Content {
    switch cursor.next {
    case "{": return .object(try members())
    case "[": return .array(try items())
    case "\"", "'": return .string(try string())
    case .some(let scalar) where scalar.isDecimalDigit || ["+", "-", "."].contains(scalar): return try number()
    case .some(let scalar) where scalar.startsIdentifier || scalar == "\\": return try word()
    default: throw error("a value is wanted here, not \(cursor.found)")
    }
  }

  private mutating func word() throws(ConfigurationError) -> JSON5Value.Content {
    let place = cursor.place
    let word = cursor.take { $0.continuesIdentifier }
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "Infinity": return .number(.infinity, spelling: word)
    case "NaN": return .number(.nan, spelling: word)
    default: throw error("a text needs quotation marks: \"\(word)\"", at: place)
    }
  }

  // MARK: Lists and objects

  private mutating func items() throws(ConfigurationError) -> [JSON5Value] {
    let start = try open()
    var items: [JSON5Value] = []
    while try !close("]", start) {
      path.append("[\(items.count)]")
      items.append(try value())
      path.removeLast()
      try separator("]", start)
    }
    return items
  }

  private mutating func members() throws(ConfigurationError) -> [JSON5Member] {
    let start = try open()
    var members: [JSON5Member] = []
    var places: [String: SourcePlace] = [:]
    while try !close("}", start) {
      let place = cursor.place
      let name = try self.name()
      path.append(path.isEmpty ? name : ".\(name)")
      if let first = places.updateValue(place, forKey: name) {
        throw error("this key stands twice, in line \(first.line) already; keep one", at: place)
      }
      members.append(JSON5Member(name: name, place: place, value: try valueOfMember(name)))
      path.removeLast()
      try separator("}", start)
    }
    return members
  }

  private mutating func valueOfMember(_ name: String) throws(ConfigurationError) -> JSON5Value {
    try cursor.skipSpace()
    guard cursor.skip(":") else { throw error("a colon is wanted after the key, not \(cursor.found)") }
    return try value()
  }

  /// A text or an identifier.
  private mutating func name() throws(ConfigurationError) -> String {
    switch cursor.next {
    case "\"", "'": return try string()
    case .some(let scalar) where scalar.startsIdentifier || scalar == "\\": return try identifier()
    default:
      throw error("a key is wanted here, not \(cursor.found); one that is no plain word needs quotation marks")
    }
  }

  private mutating func open() throws(ConfigurationError) -> SourcePlace {
    guard path.count < JSON5Parser.deepest else {
      throw error("lists and objects are nested deeper than \(JSON5Parser.deepest) times")
    }
    let place = cursor.place
    cursor.advance()
    return place
  }

  private mutating func close(_ bracket: Unicode.Scalar, _ start: SourcePlace) throws(ConfigurationError) -> Bool {
    try cursor.skipSpace()
    if cursor.next == nil { throw error("\(bracket) is missing: it is open since line \(start.line)", at: start) }
    return cursor.skip(bracket)
  }

  /// A comma, or the end that `close` then finds.
  private mutating func separator(_ bracket: Unicode.Scalar, _ start: SourcePlace) throws(ConfigurationError) {
    try cursor.skipSpace()
    guard cursor.next != nil, cursor.next != bracket, !cursor.skip(",") else { return }
    throw error("a comma or \(bracket) is wanted here, not \(cursor.found)")
  }
}
