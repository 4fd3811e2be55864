/// Numbers of JSON5: decimal and hexadecimal ones, with a sign, and those that are none.

extension JSON5Parser {
  mutating func number() throws(ConfigurationError) -> JSON5Value.Content {
    let start = cursor.place
    let sign = cursor.take { $0 == "+" || $0 == "-" }
    guard sign.count <= 1 else { throw error("a number has one sign", at: start) }
    // Identifier characters too, so that 5px is one mistake and not two values.
    let body = cursor.take { $0 == "." || $0.continuesIdentifier } + exponentTail(start)
    guard let magnitude = JSON5Parser.magnitude(body) else { throw error(complaint(sign + body), at: start) }
    return .number(sign == "-" ? -magnitude : magnitude, spelling: sign + body)
  }

  /// The sign of an exponent and what follows: `e` has been taken already.
  private mutating func exponentTail(_ start: SourcePlace) -> String {
    guard cursor.next == "+" || cursor.next == "-" else { return "" }
    let sign = cursor.take { $0 == "+" || $0 == "-" }
    return sign + cursor.take { $0 == "." || $0.continuesIdentifier }
  }

  private func complaint(_ word: String) -> String {
    word.contains { $0.isLetter }
      ? "\"\(word)\" is no number; a text needs quotation marks" : "\"\(word)\" is no number"
  }

  /// JSON5UnsignedNumericLiteral; `nil` for anything else.
  static func magnitude(_ body: String) -> Double? {
    switch body {
    case "Infinity": return .infinity
    case "NaN": return .nan
    case _ where body.hasPrefix("0x") || body.hasPrefix("0X"): return hexadecimal(body.dropFirst(2))
    default: return isDecimal(body) ? Double(body) : nil
    }
  }

  private static func hexadecimal(_ digits: Substring) -> Double? {
    guard !digits.isEmpty, digits.unicodeScalars.allSatisfy(\.isHexDigit) else { return nil }
    return digits.reduce(0.0) { $0 * 16 + Double($1.hexDigitValue ?? 0) }
  }

  /// `0`, `12`, `12.`, `12.5`, `.5`, each with or without an exponent; no zero before other digits.
  private static func isDecimal(_ body: String) -> Bool {
    let parts = body.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    let sides = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.allSatisfy(isDigits), sides.contains(where: { !$0.isEmpty }) else { return false }
    if sides[0].count > 1, sides[0].hasPrefix("0") { return false }
    guard parts.count == 2 else { return true }
    let exponent = parts[1].hasPrefix("+") || parts[1].hasPrefix("-") ? parts[1].dropFirst() : parts[1]
    return !exponent.isEmpty && isDigits(exponent)
  }

  private static func isDigits(_ text: Substring) -> Bool { text.unicodeScalars.allSatisfy(\.isDecimalDigit) }
}
