/// Texts and names of JSON5, with everything that a backslash can mean.

extension JSON5Parser {
  /// From one quotation mark to the next of its kind.
  mutating func string() throws(ConfigurationError) -> String {
    let start = cursor.place
    let quote = cursor.advance()
    var text = String.UnicodeScalarView()
    while let scalar = cursor.next, scalar != quote {
      // U+2028 and U+2029 may stand in a text, other ends of lines may not.
      if scalar == "\n" || scalar == "\r" { break }
      if scalar == "\\" {
        if let escaped = try escape() { text.append(escaped) }
      } else {
        text.append(scalar)
        cursor.advance()
      }
    }
    guard let quote, cursor.skip(quote) else {
      throw error("this text is not closed in its line; a backslash at the end continues it in the next", at: start)
    }
    return String(text)
  }

  mutating func identifier() throws(ConfigurationError) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = cursor.next, scalar == "\\" || scalar.continuesIdentifier {
      let place = cursor.place
      guard scalar == "\\" else {
        name.append(scalar)
        cursor.advance()
        continue
      }
      cursor.advance()
      guard cursor.skip("u") else { throw error("in a key without quotation marks only \\u may be escaped", at: place) }
      let escaped = try codePoint(from: place)
      guard name.isEmpty ? escaped.startsIdentifier : escaped.continuesIdentifier else {
        throw error("\"\(escaped)\" may not stand here in a key without quotation marks", at: place)
      }
      name.append(escaped)
    }
    return String(name)
  }

  /// What a backslash and the characters behind it stand for; `nil` for a continued line.
  private mutating func escape() throws(ConfigurationError) -> Unicode.Scalar? {
    let start = cursor.place
    cursor.advance()
    guard let scalar = cursor.advance() else { throw error("the file ends within a text", at: start) }
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "0" where cursor.next?.isDecimalDigit != true: return "\0"
    case "x": return Unicode.Scalar(UInt8(try hexDigits(2, from: start)))
    case "u": return try codePoint(from: start)
    case "\r":
      _ = cursor.skip("\n")
      return nil
    case _ where scalar.isLineTerminator: return nil
    case _ where scalar.isDecimalDigit: throw error("\\\(scalar) is no escape; \\x and two digits are one", at: start)
    default: return scalar
    }
  }

  /// Four digits, or two times four where a character lies beyond U+FFFF (a surrogate pair).
  private mutating func codePoint(from start: SourcePlace) throws(ConfigurationError) -> Unicode.Scalar {
    let first = try hexDigits(4, from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let halfMessage =
      "\\u\(String(first, radix: 16)) is half a character; the other half, \\uDC00 to \\uDFFF, must follow"
    guard first < 0xDC00, cursor.skip("\\"), cursor.skip("u") else { throw error(halfMessage, at: start) }
    let second = try hexDigits(4, from: start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error(halfMessage, at: start) }
    return scalar
  }

  private mutating func hexDigits(_ count: Int, from start: SourcePlace) throws(ConfigurationError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let scalar = cursor.next, scalar.isHexDigit, let digit = UInt32("\(scalar)", radix: 16) else {
        throw error("this escape needs \(count) hexadecimal digits", at: start)
      }
      value = value << 4 + digit
      cursor.advance()
    }
    return value
  }
}
