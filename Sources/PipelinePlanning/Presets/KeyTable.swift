/// A table of the keys that an object may have: the one place that says what each means, what it may be, and what it
/// changes. Reading, the JSON Schema and the list of keys come from it.

struct KeyTable<Root: Sendable>: Sendable {
  struct Key: Sendable {
    let shape: KeyShape
    /// Given a value of that shape.
    let take: @Sendable (CheckedValue, inout Root) throws(ConfigurationError) -> Void

    /// - Parameters:
    ///   - initial: in JSON5, what stands for a key that is left out.
    ///   - isOptional: true for an object that is not there at all where it is left out.
    ///   - meaning: one sentence.
    init(
      _ name: String, _ shape: Shape, initial: String? = nil, isOptional: Bool = false, _ meaning: String,
      _ take: @escaping @Sendable (CheckedValue, inout Root) throws(ConfigurationError) -> Void
    ) {
      self.shape = KeyShape(name: name, meaning: meaning, shape: shape, initial: initial, isOptional: isOptional)
      self.take = take
    }
  }

  let keys: [Key]
  var alternatives: [[String]] = []

  var shape: ObjectShape { ObjectShape(keys: keys.map(\.shape), alternatives: alternatives) }

  /// - Parameter value: one that has been checked against `shape`.
  func read(_ value: CheckedValue, into root: inout Root) throws(ConfigurationError) {
    for (name, member) in value.members {
      guard let key = keys.first(where: { $0.shape.name == name }) else { continue }
      try key.take(member, &root)
    }
  }
}

/// A value of the right shape, and where it stands.
struct CheckedValue: Sendable {
  let value: JSON5Value
  let keyPath: String

  /// A text, or a number in digits.
  var text: String { value.text ?? "" }

  var flag: Bool { value.content == .bool(true) }

  var number: Double? {
    if case .number(let number, _) = value.content { number } else { nil }
  }

  /// What an element's property is set to, as one would type it.
  var propertyText: String {
    if case .bool(let flag) = value.content { flag ? "true" : "false" } else { text }
  }

  /// One value stands for a list of one.
  var items: [CheckedValue] {
    guard case .array(let items) = value.content else { return [self] }
    return items.enumerated().map { CheckedValue(value: $1, keyPath: "\(keyPath)[\($0)]") }
  }

  /// Those that say something.
  var members: [(String, CheckedValue)] {
    (value.members ?? []).filter { !$0.value.isNull }.map {
      ($0.name, CheckedValue(value: $0.value, keyPath: keyPath.appendingKey($0.name)))
    }
  }

  /// What the text stands for.
  func parsed<Parsed>(_ parse: (String) -> Parsed?) throws(ConfigurationError) -> Parsed {
    if let parsed = parse(text) { return parsed }
    throw ConfigurationError(at: value.place, keyPath: keyPath, problem: "\"\(text)\" cannot stand here")
  }
}
