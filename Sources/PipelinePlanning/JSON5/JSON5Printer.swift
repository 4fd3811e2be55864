/// Prints a JSON5 value: for people with bare keys, trailing commas and remarks, or as plain JSON.

struct JSON5Printer {
  enum Style { case json, json5 }

  let style: Style
  /// What is said behind a member; JSON has no place for it.
  var remark: (JSON5Member) -> String? = { _ in nil }

  /// Ends without a line feed.
  func text(_ value: JSON5Value) -> String { text(value, indent: "") }

  private func text(_ value: JSON5Value, indent: String) -> String {
    switch value.content {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number, let spelling): self.number(number, spelling, value)
    case .string(let text): quoted(text)
    case .array(let items): list(items, indent)
    case .object(let members): object(members, indent)
    }
  }

  /// JSON has no numbers that are none.
  private func number(_ number: Double, _ spelling: String, _ value: JSON5Value) -> String {
    if style == .json5 { return spelling }
    return number.isFinite ? value.text ?? spelling : "null"
  }

  /// Scalars in one line, everything else one item a line.
  private func list(_ items: [JSON5Value], _ indent: String) -> String {
    let inner = indent + "  "
    let texts = items.map { text($0, indent: inner) }
    if items.allSatisfy({ $0.members == nil }) { return "[\(texts.joined(separator: ", "))]" }
    return "[\n\(texts.map { inner + $0 }.joined(separator: ",\n"))\(style == .json ? "" : ",")\n\(indent)]"
  }

  private func object(_ members: [JSON5Member], _ indent: String) -> String {
    guard !members.isEmpty else { return "{}" }
    let inner = indent + "  "
    let lines = members.enumerated().map { place, member in
      let comma = style == .json5 || place + 1 < members.count ? "," : ""
      let said = style == .json5 ? remark(member).map { " // \($0)" } ?? "" : ""
      return "\(inner)\(key(member.name)): \(text(member.value, indent: inner))\(comma)\(said)"
    }
    return "{\n\(lines.joined(separator: "\n"))\n\(indent)}"
  }

  private func key(_ name: String) -> String {
    let scalars = name.unicodeScalars
    let isBare = scalars.first?.startsIdentifier == true && scalars.allSatisfy(\.continuesIdentifier)
    return style == .json5 && isBare ? name : quoted(name)
  }

  private func quoted(_ text: String) -> String {
    let inside = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      case "\0"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}": JSON5Printer.escape(scalar)
      default: String(scalar)
      }
    }
    return "\"\(inside.joined())\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
