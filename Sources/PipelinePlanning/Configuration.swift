/// Reads JSON5 files strictly: an unknown key, a wrong type or an impossible value is an error that names the file,
/// the place in it, and what would be right.

import Foundation
import MediaFormats

/// What is wrong with a preset, an encoder or a container file.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  public var file: String
  /// As `request.size`; empty for the whole file.
  public var keyPath: String
  public var problem: String

  public var description: String { keyPath.isEmpty ? "\(file): \(problem)" : "\(file): \(keyPath): \(problem)" }
}

/// Any JSON value.
enum JSONValue: Decodable, Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

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
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A text, or a number as one would have typed it.
  var text: String? {
    switch self {
    case .string(let value): value
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    default: nil
    }
  }
}

/// One object of a file, with the keys that it may have.
struct ConfigurationObject: Sendable {
  let file: String
  let keyPath: String
  private let values: [String: JSONValue]

  /// Reads a whole file; where no keys are given, any may be there.
  init(contentsOf data: Data, file: String, keys: [String]?) throws(ConfigurationError) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let value: JSONValue
    do {
      value = try decoder.decode(JSONValue.self, from: data)
    } catch {
      let reason = ConfigurationObject.reason(error)
      throw ConfigurationError(file: file, keyPath: "", problem: "this is not JSON5: \(reason)")
    }
    try self.init(value, file: file, keyPath: "", keys: keys)
  }

  private init(_ value: JSONValue, file: String, keyPath: String, keys: [String]?) throws(ConfigurationError) {
    guard case .object(let values) = value else {
      throw ConfigurationError(file: file, keyPath: keyPath, problem: "an object { ... } is wanted, not \(value.kind)")
    }
    self.file = file
    self.keyPath = keyPath
    self.values = values
    guard let keys, let unknown = values.keys.sorted().first(where: { !keys.contains($0) }) else { return }
    let hint = Spelling.nearest(to: unknown, among: keys).map { "; \($0) is near" } ?? ""
    throw error(unknown, "there is no such key\(hint) (allowed: \(keys.joined(separator: ", ")))")
  }

  var keys: [String] { values.keys.sorted() }

  func error(_ key: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(file: file, keyPath: keyPath.isEmpty ? key : "\(keyPath).\(key)", problem: problem)
  }

  func object(_ key: String, keys: [String]? = nil) throws(ConfigurationError) -> ConfigurationObject? {
    guard let value = values[key] else { return nil }
    return try ConfigurationObject(value, file: file, keyPath: keyPath.isEmpty ? key : "\(keyPath).\(key)", keys: keys)
  }

  /// A list of objects; empty where the key is missing.
  func objects(_ key: String, keys: [String]) throws(ConfigurationError) -> [ConfigurationObject] {
    guard let value = values[key] else { return [] }
    guard case .array(let items) = value else { throw error(key, "a list of objects is wanted, not \(value.kind)") }
    let path = keyPath.isEmpty ? key : "\(keyPath).\(key)"
    var objects: [ConfigurationObject] = []
    for (index, item) in items.enumerated() {
      objects.append(try ConfigurationObject(item, file: file, keyPath: "\(path)[\(index)]", keys: keys))
    }
    return objects
  }

  /// A list of objects; one object stands for a list of one.
  func objects(_ key: String, keys: [String]) throws(ConfigurationError) -> [ConfigurationObject]? {
    guard case .array(let items)? = values[key] else { return try object(key, keys: keys).map { [$0] } }
    guard !items.isEmpty else { throw error(key, "a list of at least one object { ... } is wanted") }
    let path = keyPath.isEmpty ? key : "\(keyPath).\(key)"
    var objects: [ConfigurationObject] = []
    for (place, item) in items.enumerated() {
      objects.append(try ConfigurationObject(item, file: file, keyPath: "\(path)[\(place)]", keys: keys))
    }
    return objects
  }

  func text(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = values[key] else { return nil }
    guard let text = value.text else { throw error(key, "a text is wanted, not \(value.kind)") }
    return text
  }

  func bool(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = values[key] else { return nil }
    guard case .bool(let flag) = value else { throw error(key, "true or false is wanted, not \(value.kind)") }
    return flag
  }

  /// What a property of an element is set to: a text, a number, true or false, as one would type it.
  func propertyText(_ key: String) throws(ConfigurationError) -> String? {
    if case .bool(let flag)? = values[key] { return flag ? "true" : "false" }
    return try text(key)
  }

  func number(_ key: String) throws(ConfigurationError) -> Double? {
    guard let value = values[key] else { return nil }
    guard case .number(let number) = value else { throw error(key, "a number is wanted, not \(value.kind)") }
    return number
  }

  /// A list of texts; one text stands for a list of one.
  func texts(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let value = values[key] else { return nil }
    if let text = value.text { return [text] }
    guard case .array(let items) = value else {
      throw error(key, "a text or a list of texts is wanted, not \(value.kind)")
    }
    let texts = items.compactMap(\.text)
    guard texts.count == items.count, !texts.isEmpty else { throw error(key, "a list of at least one text is wanted") }
    return texts
  }

  /// A value that a text stands for.
  func parsed<Value>(
    _ key: String, wanted: String, _ parse: (String) -> Value?
  ) throws(ConfigurationError) -> Value? {
    guard let text = try text(key) else { return nil }
    guard let value = parse(text) else { throw error(key, "\"\(text)\" is not \(wanted)") }
    return value
  }

  /// A value where `any` is an answer too.
  struct Choice<Value> {
    /// `nil` for `any`.
    var value: Value?
  }

  /// `nil` where the key is not there.
  func choice<Value>(
    _ key: String, wanted: String, _ parse: (String) -> Value?
  ) throws(ConfigurationError) -> Choice<Value>? {
    if try text(key) == "any" { return Choice(value: nil) }
    return try parsed(key, wanted: wanted, parse).map { Choice(value: $0) }
  }

  func required<Value>(_ key: String, _ value: Value?) throws(ConfigurationError) -> Value {
    guard let value else { throw error(key, "this key is missing") }
    return value
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error,
      let underlying = context.underlyingError as NSError?,
      let detail = underlying.userInfo["NSDebugDescription"] as? String
    else { return "a bracket, comma or quotation mark may be missing" }
    return detail
  }
}
