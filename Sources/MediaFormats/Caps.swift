/// Capabilities as GStreamer words them (`GstCaps`), copied out of C into a value that can be compared, filtered and
/// tested without GStreamer.

public struct Caps: Sendable, Hashable {
  /// In the order in which the element prefers them.
  public var structures: [CapsStructure]
  /// `ANY`: everything can pass.
  public var isAny: Bool

  public init(_ structures: [CapsStructure] = [], isAny: Bool = false) {
    self.structures = structures
    self.isAny = isAny
  }
}

/// One media type with its fields (`GstStructure` and `GstCapsFeatures`).
public struct CapsStructure: Sendable, Hashable {
  /// The media type, as `video/x-raw`.
  public var name: String
  /// Memory and meta features, as `memory:DMABuf`; system memory is the empty list.
  public var features: [String]
  public var fields: [CapsField]

  public init(_ name: String, features: [String] = [], fields: [CapsField] = []) {
    self.name = name
    self.features = features
    self.fields = fields
  }

  /// The value of the first field of that name.
  public subscript(field: String) -> CapsValue? {
    fields.first { $0.name == field }?.value
  }
}

public struct CapsField: Sendable, Hashable {
  public var name: String
  public var value: CapsValue

  public init(_ name: String, _ value: CapsValue) {
    self.name = name
    self.value = value
  }
}

/// A field's value, fixed or open.
public indirect enum CapsValue: Sendable, Hashable {
  case int(Int)
  /// Inclusive on both ends.
  case intRange(min: Int, max: Int, step: Int)
  case double(Double)
  case bool(Bool)
  case string(String)
  case fraction(Fraction)
  /// Inclusive on both ends. A driver that tells no rate gives 0/1 to 2147483647/1.
  case fractionRange(min: Fraction, max: Fraction)
  /// Any one of these.
  case list([CapsValue])
  /// All of these, in order.
  case array([CapsValue])
  /// A type that Capstan has no use for, as `gst_value_serialize` prints it.
  case other(type: String, text: String)
}

extension Caps: CustomStringConvertible {
  /// In the syntax of `gst_caps_to_string`, which gst-launch-1.0 reads.
  public var description: String {
    if isAny { return "ANY" }
    return structures.isEmpty ? "EMPTY" : structures.map(\.description).joined(separator: "; ")
  }
}

extension CapsStructure: CustomStringConvertible {
  public var description: String {
    let head = features.isEmpty ? name : "\(name)(\(features.joined(separator: ", ")))"
    return ([head] + fields.map { "\($0.name)=\($0.value.typedDescription)" }).joined(separator: ", ")
  }
}

extension CapsValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .int(let value): "\(value)"
    case .intRange(let min, let max, let step): step == 1 ? "[ \(min), \(max) ]" : "[ \(min), \(max), \(step) ]"
    case .double(let value): "\(value)"
    case .bool(let value): value ? "true" : "false"
    case .string(let value): CapsValue.quoted(value)
    case .fraction(let value): "\(value)"
    case .fractionRange(let min, let max): "[ \(min), \(max) ]"
    case .list(let values): "{ \(values.map(\.description).joined(separator: ", ")) }"
    case .array(let values): "< \(values.map(\.description).joined(separator: ", ")) >"
    case .other(_, let text): text
    }
  }

  /// With the type in front: without it, `colorimetry=1:4:5:1` and its like could be taken for something else.
  var typedDescription: String { typeName.map { "(\($0))\(self)" } ?? description }

  private var typeName: String? {
    switch self {
    case .int, .intRange: "int"
    case .double: "double"
    case .bool: "boolean"
    case .string: "string"
    case .fraction, .fractionRange: "fraction"
    case .list(let values), .array(let values): values.first?.typeName
    case .other(let type, _): type
    }
  }

  /// Quotes what `gst_structure_from_string` would not read as one word.
  static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    if plain && !text.isEmpty { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
