/// The JSON5 reader: what json5.org allows is read, what it does not is told with its place, and nothing ends the program.

import Foundation
import Testing

@testable import PipelinePlanning

@Suite struct JSON5Tests {
  private func parse(_ text: String) throws -> JSON5Value {
    try JSON5Parser.parse(Data(text.utf8), file: "f")
  }

  /// Foundation's decoder is the judge of what is read; it reads all of these.
  @Test(arguments: [
    "{}", "[]", "null", "true", "false", "0", "-0", "12", "-7", "+7", "1.5", ".5", "5.", "-.5", "1e3", "1E-3", "2.5e+2",
    "0x1F", "0XabCD", "-0x10", "+0x0", "Infinity", "-Infinity", "+Infinity", "'a'", "\"a\"", "'say \"hi\"'",
    "\"it's\"", #"'it\'s'"#, #""\"\\\/\b\f\n\r\t""#, #"'\x41\x7e'"#, #"'\u00e9\u4E2d'"#,
    #"'\uD83D\uDE00'"#, "'é中😀'",
    "// before\n1", "1 // after", "/* one\n * two */ 2", "/**/3/***/", "\u{FEFF}4", "\t\u{B}\u{C}6\r\n",
    "[1,2,3,]", "[ 'a' , \"b\" ]", "{a:1,}", "{$a:1,_b:2,c3:3}", "{é:1,中:2}", "{null:1,true:2,if:3}",
    "{'a b':1,\"c\":2}", "{a:{b:{c:[{}]}}}", "[[],[[]],{}]",
    """
    // comments
    {
      unquoted: 'and you can quote me on that',
      singleQuotes: 'I can use "double quotes" here',
      hexadecimal: 0xdecaf,
      leadingDecimalPoint: .8675309, andTrailing: 8675309.,
      positiveSign: +1,
      trailingComma: 'in objects', andIn: ['arrays',],
      "backwardsCompatible": "with JSON",
    }
    """,
  ])
  func agreesWithFoundation(_ text: String) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let expected = try decoder.decode(Plain.self, from: Data(text.utf8))
    #expect(Plain(try parse(text)) == expected)
  }

  /// Right by the specification, where Foundation's decoder says no or something else.
  @Test(arguments: [
    ("NaN", "nan"), ("-NaN", "-nan"), (#"'\v\0'"#, "\u{B}\0"), (#"'\a\c\q'"#, "acq"), ("'a\\\nb'", "ab"),
    ("'a\\\r\nb'", "ab"), ("'a\\\rb'", "ab"), ("'tab\there'", "tab\there"), ("\u{A0}5\u{2003}", "5.0"),
    (#"{\u0061b: 1}"#, "{ab: 1.0}"), ("{a\u{200D}b: 1}", "{a\u{200D}b: 1.0}"),
    ("'a\\\u{2028}b'", "ab"), ("'a\u{2029}b'", "a\u{2029}b"), ("\u{2028}1\u{2029}", "1.0"),
    ("1 // ends here \u{2028} , not", ""), ("/a/", ""), ("1e400", "inf"),
  ])
  func beyondFoundation(_ text: String, _ wanted: String) {
    let read = (try? parse(text)).map { "\(Plain($0))" } ?? ""
    #expect(read == wanted)
  }

  @Test(arguments: [
    ("", "f:1:1: a value is wanted here, not the end of the file"),
    ("{", "f:1:1: } is missing: it is open since line 1"),
    ("{\n  a: [1,\n}", "f:3:1: a[1]: a value is wanted here, not \"}\""),
    ("{ a: 1 b: 2 }", "f:1:8: a comma or } is wanted here, not \"b\""),
    ("{ a 1 }", "f:1:5: a: a colon is wanted after the key, not \"1\""),
    ("{ 1a: 2 }", "f:1:3: a key is wanted here, not \"1\""),
    ("{ a: 1,, }", "f:1:8: a key is wanted here, not \",\""),
    ("[,]", "f:1:2: [0]: a value is wanted here, not \",\""),
    ("{ a: x264enc }", "f:1:6: a: a text needs quotation marks: \"x264enc\""),
    ("{ a: 'b }\n", "f:1:6: a: this text is not closed in its line"),
    ("{ a: 'b\nc' }", "f:1:6: a: this text is not closed in its line"),
    ("\r\n\r{ a: 60p }", "f:3:6: a: \"60p\" is no number; a text needs quotation marks"),
    ("010", "f:1:1: \"010\" is no number"), ("1.2.3", "f:1:1: \"1.2.3\" is no number"), ("0x", "f:1:1: \"0x\" is no"),
    ("--1", "f:1:1: a number has one sign"), ("1e", "f:1:1: \"1e\" is no number"), (".", "f:1:1: \".\" is no number"),
    ("- 1", "f:1:1: \"-\" is no number"), ("0b1", "f:1:1: \"0b1\" is no"), ("1_000", "f:1:1: \"1_000\" is no number"),
    (#"'\1'"#, "f:1:2: \\1 is no escape"), (#"'\01'"#, "f:1:2: \\0 is no escape"),
    (#"'\xg1'"#, "f:1:2: this escape needs 2 hex"), (#"'\u12'"#, "f:1:2: this escape needs 4 hexadecimal digits"),
    (#"'\ud800'"#, "f:1:2: \\ud800 is half a character"), (#"'\ud800\u0041'"#, "f:1:2: \\ud800 is half a character"),
    (#"'\udc00'"#, "f:1:2: \\udc00 is half a character"), (#"{ \u0031a: 1 }"#, "f:1:3: \"1\" may not stand here"),
    ("/* open", "f:1:1: this comment is not closed"), ("/ 1", "f:1:1: a comment begins with // or /*"),
    ("1 2", "f:1:3: the file should end here, and \"2\" follows"), ("{}}", "f:1:3: the file should end here"),
    ("{ a: 1,\n  'a': 2 }", "f:2:3: a: this key stands twice, in line 1 already"),
    ("{ a: { b: 1, b: 2 } }", "f:1:14: a.b: this key stands twice"),
    ("True", "f:1:1: a text needs quotation marks: \"True\""), ("undefined", "f:1:1: a text needs quotation marks"),
  ])
  func mistakes(_ text: String, _ message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try parse(text) }
    #expect("\(error)".hasPrefix(message), "\(error)")
  }

  @Test func bytesThatAreNoText() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try JSON5Parser.parse(Data("{ a: '".utf8) + [0xFF] + Data("' }".utf8), file: "f")
    }
    #expect("\(error)" == "f:1:7: these bytes are no UTF-8; save the file as UTF-8")
  }

  @Test func depthIsBounded() throws {
    #expect(throws: Never.self) { try parse(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) }
    let error = try #require(throws: ConfigurationError.self) { try parse(String(repeating: "[", count: 100_000)) }
    #expect(error.problem.contains("nested deeper than 64 times"))
    #expect(throws: ConfigurationError.self) { try parse(String(repeating: "{a:", count: 100_000)) }
  }

  @Test func placesAreThoseOfTheFile() throws {
    let root = try parse("{\r\n  a: 'x',\r\n  b: [\n    1,\r    { c: 2 },\n  ],\n}")
    #expect(root["a"]?.place == SourcePlace(file: "f", line: 2, column: 6))
    guard case .array(let items)? = root["b"]?.content else {
      Issue.record("b is a list")
      return
    }
    #expect(items[1]["c"]?.place == SourcePlace(file: "f", line: 5, column: 10))
  }

  /// Whole numbers keep digits that a Double loses; hexadecimal and signed ones become plain ones.
  @Test(arguments: [
    ("18446744073709551615", "18446744073709551615"), ("+5", "5"), ("0x10", "16"), ("60.0", "60"), ("59.94", "59.94"),
    ("-3", "-3"), (".5", "0.5"),
  ])
  func numbersAsTyped(_ text: String, _ typed: String) throws { #expect(try parse(text).text == typed) }

  /// Bytes changed at random: an answer or an error, and whatever Foundation reads as well is read alike.
  @Test func anyBytesAreAnswered() throws {
    let seed = Array(#"/*c*/{a:[1,-0x2F,+.5e1,'x\u0041\x42\n',"y\\",],b:{"c d":null,e:true,f:Infinity},} // z"#.utf8)
    let alphabet = Array("{}[]:,'\"\\/*+-.0123456789xXeEuabfntrv \n\r\t_$é中".utf8) + [0xFF, 0xC0, 0x80, 0]
    var random = SplitMix(state: 7)
    var compared = 0
    for _ in 0..<8_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
        default: bytes.remove(at: place)
        }
      }
      // Foundation keeps the end of a continued line, against the specification.
      if zip(bytes, bytes.dropFirst()).contains(where: { $0 == UInt8(ascii: "\\") && $1 <= 0x0D }) { continue }
      guard let value = try? JSON5Parser.parse(Data(bytes), file: "f") else { continue }
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      guard let expected = try? decoder.decode(Plain.self, from: Data(bytes)) else { continue }
      compared += 1
      #expect(Plain(value) == expected, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(compared > 500)
  }
}

/// A value without its places, as Foundation decodes one.
private enum Plain: Decodable, Equatable, CustomStringConvertible {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([Plain])
  case object([String: Plain])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([Plain].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: Plain].self))
    }
  }

  init(_ value: JSON5Value) {
    switch value.content {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value, _): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let items): self = .array(items.map(Plain.init))
    case .object(let members):
      self = .object(Dictionary(members.map { ($0.name, Plain($0.value)) }) { first, _ in first })
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    case .array(let items): "\(items)"
    case .object(let members): "{\(members.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))}"
    }
  }
}

/// Vigna's SplitMix64: the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
