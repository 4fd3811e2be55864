/// A JSON5 value, each part of it with the place where it stands.

/// Where something stands in a file. Lines and columns are counted from 1, columns in Unicode scalars.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
  /// As the file was named.
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `FILE:LINE:COLUMN`, as compilers write it and editors follow it.
  public var description: String { "\(file):\(line):\(column)" }
}

struct JSON5Value: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The spelling is that of the file.
    case number(Double, spelling: String)
    case string(String)
    case array([JSON5Value])
    /// In the order of the file; no name stands twice.
    case object([JSON5Member])
  }

  var content: Content
  var place: SourcePlace

  var isNull: Bool { content == .null }

  var members: [JSON5Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  subscript(name: String) -> JSON5Value? { members?.first { $0.name == name }?.value }

  /// For sentences that say what is there instead of what is wanted.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A text, or a number as one would have typed it on a command line.
  var text: String? {
    switch content {
    case .string(let value): value
    case .number(let value, let spelling): JSON5Value.plain(value, spelling)
    default: nil
    }
  }

  /// Whole numbers that a `Double` cannot hold keep their digits.
  private static func plain(_ value: Double, _ spelling: String) -> String {
    let digits = spelling.drop { $0 == "+" }
    if digits.drop(while: { $0 == "-" }).allSatisfy({ $0.isASCII && $0.isNumber }) { return String(digits) }
    return Int(exactly: value).map(String.init) ?? "\(value)"
  }
}

struct JSON5Member: Sendable, Hashable {
  var name: String
  /// That of the name.
  var place: SourcePlace
  var value: JSON5Value
}
