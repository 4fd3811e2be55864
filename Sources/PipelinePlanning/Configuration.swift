/// Reads objects of JSON5 files strictly: an unknown key, a wrong type or an impossible value is an error that names the
/// file, the line, the place in it, and what would be right.

import Foundation
import MediaFormats

/// One object of a file, with the keys that it may have. A key that is `null` is as if it were not there.
struct ConfigurationObject: Sendable {
  let keyPath: String
  private let place: SourcePlace
  private let members: [JSON5Member]

  /// Reads a whole file; where no keys are given, any may be there.
  init(contentsOf data: Data, file: String, keys: [String]?) throws(ConfigurationError) {
    try self.init(try JSON5Parser.parse(data, file: file), keyPath: "", keys: keys)
  }

  private init(_ value: JSON5Value, keyPath: String, keys: [String]?) throws(ConfigurationError) {
    guard let members = value.members else {
      throw ConfigurationError(
        at: value.place, keyPath: keyPath, problem: "an object { ... } is wanted, not \(value.kind)")
    }
    self.keyPath = keyPath
    place = value.place
    self.members = members.filter { !$0.value.isNull }
    guard let keys, let unknown = members.first(where: { !keys.contains($0.name) }) else { return }
    throw ConfigurationError(unknownKey: unknown, in: keyPath, allowed: keys)
  }

  /// In the order of the alphabet.
  var keys: [String] { names.sorted() }

  /// In the file's order.
  var names: [String] { members.map(\.name) }

  private subscript(key: String) -> JSON5Value? { members.first { $0.name == key }?.value }

  func error(_ key: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(at: self[key]?.place ?? place, keyPath: keyPath.appendingKey(key), problem: problem)
  }

  func object(_ key: String, keys: [String]? = nil) throws(ConfigurationError) -> ConfigurationObject? {
    guard let value = self[key] else { return nil }
    return try ConfigurationObject(value, keyPath: keyPath.appendingKey(key), keys: keys)
  }

  /// A list of objects; empty where the key is missing.
  func objects(_ key: String, keys: [String]) throws(ConfigurationError) -> [ConfigurationObject] {
    guard let value = self[key] else { return [] }
    guard case .array(let items) = value.content else {
      throw error(key, "a list of objects is wanted, not \(value.kind)")
    }
    var objects: [ConfigurationObject] = []
    for (place, item) in items.enumerated() {
      objects.append(try ConfigurationObject(item, keyPath: "\(keyPath.appendingKey(key))[\(place)]", keys: keys))
    }
    return objects
  }

  /// True where the key is there and no object.
  func isText(_ key: String) -> Bool { self[key].map { $0.members == nil } ?? false }

  func text(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.text else { throw error(key, "a text is wanted, not \(value.kind)") }
    return text
  }

  func bool(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .bool(let flag) = value.content else {
      throw error(key, "true or false is wanted, not \(value.kind)")
    }
    return flag
  }

  /// What a property of an element is set to: a text, a number, true or false, as one would type it.
  func propertyText(_ key: String) throws(ConfigurationError) -> String? {
    if case .bool(let flag)? = self[key]?.content { return flag ? "true" : "false" }
    return try text(key)
  }

  /// What an element's properties are set to; empty where the key is missing.
  func propertyTexts(_ key: String) throws(ConfigurationError) -> [String: String] {
    guard let object = try object(key) else { return [:] }
    var texts: [String: String] = [:]
    for name in object.keys { texts[name] = try object.propertyText(name) }
    return texts
  }

  func number(_ key: String) throws(ConfigurationError) -> Double? {
    guard let value = self[key] else { return nil }
    guard case .number(let number, _) = value.content else {
      throw error(key, "a number is wanted, not \(value.kind)")
    }
    guard number.isFinite else { throw error(key, "a finite number is wanted") }
    return number
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let integer = Int(exactly: number), range.contains(integer) else {
      throw error(key, "a whole number from \(range.lowerBound) to \(range.upperBound) is wanted")
    }
    return integer
  }

  /// A list of texts; one text stands for a list of one.
  func texts(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let value = self[key] else { return nil }
    if let text = value.text { return [text] }
    guard case .array(let items) = value.content else {
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

  func required<Value>(_ key: String, _ value: Value?) throws(ConfigurationError) -> Value {
    guard let value else { throw error(key, "this key is missing") }
    return value
  }
}

extension ConfigurationError {
  init(unknownKey member: JSON5Member, in keyPath: String, allowed: [String]) {
    let hint = Spelling.nearest(to: member.name, among: allowed).map { "; \($0) is near" } ?? ""
    self.init(
      at: member.place, keyPath: keyPath.appendingKey(member.name),
      problem: "there is no such key\(hint) (allowed: \(allowed.joined(separator: ", ")))")
  }
}

extension String {
  /// A key path with one more key.
  func appendingKey(_ key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}
