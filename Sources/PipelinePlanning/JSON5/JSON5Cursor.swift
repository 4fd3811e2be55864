/// Walks over the characters of a JSON5 text, skips white space and comments, and knows the line and the column.

import Foundation

struct JSON5Cursor {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// - Throws: for bytes that are no UTF-8.
  init(_ data: Data, file: String) throws(ConfigurationError) {
    self.file = file
    var scalars: [Unicode.Scalar] = []
    var decoder = Unicode.UTF8.ForwardParser()
    var bytes = data.makeIterator()
    var isBroken = false
    decoding: while true {
      switch decoder.parseScalar(from: &bytes) {
      case .valid(let encoded): scalars.append(Unicode.UTF8.decode(encoded))
      case .emptyInput: break decoding
      case .error:
        isBroken = true
        break decoding
      }
    }
    self.scalars = scalars
    guard isBroken else { return }
    while next != nil { advance() }
    throw error("these bytes are no UTF-8; save the file as UTF-8")
  }

  var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  var place: SourcePlace { SourcePlace(file: file, line: line, column: offset - lineStart + 1) }

  func error(_ problem: String, at place: SourcePlace? = nil) -> ConfigurationError {
    ConfigurationError(at: place ?? self.place, problem: problem)
  }

  @discardableResult mutating func advance() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    offset += 1
    // A carriage return before a line feed is one end of a line with it.
    if scalar == "\n" || (scalar == "\r" && next != "\n") {
      line += 1
      lineStart = offset
    }
    return scalar
  }

  /// Steps over a character if it is the next one.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  /// The characters from here on that meet a condition.
  mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    var taken = String.UnicodeScalarView()
    while let scalar = next, condition(scalar) {
      taken.append(scalar)
      advance()
    }
    return String(taken)
  }

  /// What stands here, for a message: a character, or the end.
  var found: String {
    switch next {
    case nil: "the end of the file"
    case .some(let scalar) where scalar.isLineTerminator: "the end of the line"
    case .some(let scalar): "\"\(scalar)\""
    }
  }

  // MARK: White space

  mutating func skipSpace() throws(ConfigurationError) {
    while let scalar = next {
      if scalar.isJSON5Space {
        advance()
      } else if scalar == "/" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(ConfigurationError) {
    let start = place
    advance()
    if skip("/") {
      while let scalar = next, !scalar.isLineTerminator { advance() }
    } else if skip("*") {
      while !(skip("*") && next == "/") {
        if next == nil { throw error("this comment is not closed; */ closes it", at: start) }
        if next != "*" { advance() }
      }
      advance()
    } else {
      throw error("a comment begins with // or /*", at: start)
    }
  }
}

extension Unicode.Scalar {
  /// LineTerminator of ECMAScript 5.1, section 7.3.
  var isLineTerminator: Bool { ["\n", "\r", "\u{2028}", "\u{2029}"].contains(self) }

  /// JSON5WhiteSpace: ECMAScript's white space and ends of lines.
  var isJSON5Space: Bool {
    switch self {
    case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
    default: isLineTerminator || properties.generalCategory == .spaceSeparator
    }
  }

  /// IdentifierStart of ECMAScript 5.1, section 7.6, escapes left out.
  var startsIdentifier: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
    default: self == "$" || self == "_"
    }
  }

  /// IdentifierPart of ECMAScript 5.1, section 7.6, escapes left out.
  var continuesIdentifier: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
    default: startsIdentifier || self == "\u{200C}" || self == "\u{200D}"
    }
  }

  var isDecimalDigit: Bool { ("0"..."9").contains(self) }
  var isHexDigit: Bool { isDecimalDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self) }
}
