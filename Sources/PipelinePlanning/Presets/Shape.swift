/// What may stand at a place of a file: checked when a file is read, and printed as JSON Schema.

import MediaFormats

indirect enum Shape: Sendable, Hashable {
  /// One of several kinds of scalar. The words complete "this is not ..." and "... is wanted".
  case scalar(wanted: String, [ScalarShape])
  /// A list of at least one item. Where one may stand for a list of one, the brackets can be left out.
  case list(of: Shape, item: String, oneMayStandAlone: Bool)
  case object(ObjectShape)
  /// An object whose keys are names that somebody else gives.
  case map(of: Shape)
}

enum ScalarShape: Sendable, Hashable {
  case boolean
  case number(ClosedRange<Double>)
  case integer(ClosedRange<Int>)
  /// One of a few whole numbers.
  case oneOf([Int])
  /// One of a few texts, letter by letter.
  case words([String])
  /// A text that a regular expression fits from end to end, in the words that ECMAScript, Swift and Python share.
  case text(pattern: String)
}

struct ObjectShape: Sendable, Hashable {
  var keys: [KeyShape]
  /// Groups of keys of which an object has one at most.
  var alternatives: [[String]] = []
}

struct KeyShape: Sendable, Hashable {
  var name: String
  /// One sentence; units included.
  var meaning: String
  var shape: Shape
  /// In JSON5; `nil` where nothing stands for what is left out.
  var initial: String?
  /// True for an object that is not there at all where it is left out.
  var isOptional = false
}

// MARK: Checking

extension Shape {
  /// - Throws: the first thing that is wrong, in the order of the file.
  func check(_ value: JSON5Value, at keyPath: String) throws(ConfigurationError) {
    if let first = mistakes(in: value, at: keyPath).first { throw first }
  }

  /// Everything that is wrong, in the order of the file.
  func mistakes(in value: JSON5Value, at keyPath: String) -> [ConfigurationError] {
    switch self {
    case .scalar(let wanted, let shapes):
      guard !shapes.contains(where: { $0.holds(value.content) }) else { return [] }
      return [
        ConfigurationError(at: value.place, keyPath: keyPath, problem: Shape.refusal(of: value, wanted, shapes))
      ]
    case .list(let shape, let item, let oneMayStandAlone):
      return Shape.listMistakes(in: value, at: keyPath, of: shape, item, oneMayStandAlone)
    case .object(let object): return object.mistakes(in: value, at: keyPath)
    case .map(let shape):
      guard let members = value.members else { return [ObjectShape.noObject(value, at: keyPath)] }
      return members.filter { !$0.value.isNull }.flatMap {
        shape.mistakes(in: $0.value, at: keyPath.appendingKey($0.name))
      }
    }
  }

  private static func refusal(of value: JSON5Value, _ wanted: String, _ shapes: [ScalarShape]) -> String {
    let isOfKind = shapes.contains { $0.isOfKind(value.content) }
    guard isOfKind, let text = value.text else { return "\(wanted) is wanted, not \(value.kind)" }
    let words = shapes.flatMap(\.knownWords)
    let hint = Spelling.nearest(to: text, among: words).map { "; \"\($0)\" is near" } ?? ""
    return "\"\(text)\" is not \(wanted)\(hint)"
  }

  private static func listMistakes(
    in value: JSON5Value, at keyPath: String, of shape: Shape, _ item: String, _ oneMayStandAlone: Bool
  ) -> [ConfigurationError] {
    let wanted = "a list of at least one \(item) is wanted"
    guard case .array(let items) = value.content else {
      if oneMayStandAlone { return shape.mistakes(in: value, at: keyPath) }
      return [ConfigurationError(at: value.place, keyPath: keyPath, problem: "\(wanted), not \(value.kind)")]
    }
    if items.isEmpty { return [ConfigurationError(at: value.place, keyPath: keyPath, problem: wanted)] }
    return items.enumerated().flatMap { place, item in shape.mistakes(in: item, at: "\(keyPath)[\(place)]") }
  }
}

extension ObjectShape {
  /// Whether a key excludes others: not where it is null, or false where false stands for what is left out.
  func says(_ member: JSON5Member) -> Bool {
    guard member.value.content == .bool(false) else { return !member.value.isNull }
    return keys.first { $0.name == member.name }?.initial != "false"
  }

  fileprivate static func noObject(_ value: JSON5Value, at keyPath: String) -> ConfigurationError {
    ConfigurationError(at: value.place, keyPath: keyPath, problem: "an object { ... } is wanted, not \(value.kind)")
  }

  /// - Throws: the first thing that is wrong.
  func check(_ value: JSON5Value, at keyPath: String) throws(ConfigurationError) {
    try Shape.object(self).check(value, at: keyPath)
  }

  func mistakes(in value: JSON5Value, at keyPath: String) -> [ConfigurationError] {
    guard let members = value.members else { return [ObjectShape.noObject(value, at: keyPath)] }
    let inside = members.flatMap { member -> [ConfigurationError] in
      guard let key = keys.first(where: { $0.name == member.name }) else {
        return [ConfigurationError(unknownKey: member, in: keyPath, allowed: keys.map(\.name))]
      }
      return member.value.isNull ? [] : key.shape.mistakes(in: member.value, at: keyPath.appendingKey(member.name))
    }
    return inside + alternatives.compactMap { exclusion(in: members, of: $0, at: keyPath) }
  }

  /// The second key of a group of which only one may be there.
  private func exclusion(
    in members: [JSON5Member], of group: [String], at keyPath: String
  ) -> ConfigurationError? {
    let named = members.filter { says($0) && group.contains($0.name) }
    guard named.count > 1 else { return nil }
    return ConfigurationError(
      at: named[1].place, keyPath: keyPath.appendingKey(named[1].name),
      problem: "\(named[0].name) is there too, and one excludes the other; keep one of them")
  }
}

extension ScalarShape {
  func holds(_ content: JSON5Value.Content) -> Bool {
    switch (self, content) {
    case (.boolean, .bool): true
    case (.number(let range), .number(let number, _)): range.contains(number)
    case (.integer(let range), .number(let number, _)): Int(exactly: number).map(range.contains) ?? false
    case (.oneOf(let numbers), .number(let number, _)): Int(exactly: number).map(numbers.contains) ?? false
    case (.words(let words), .string(let text)): words.contains(text)
    case (.text(let pattern), .string(let text)): ScalarShape.fits(text, pattern)
    default: false
    }
  }

  var knownWords: [String] {
    if case .words(let words) = self { words } else { [] }
  }

  /// True where the kind is right, whatever the value.
  func isOfKind(_ content: JSON5Value.Content) -> Bool {
    switch (self, content) {
    case (.boolean, .bool), (.number, .number), (.integer, .number), (.oneOf, .number), (.words, .string),
      (.text, .string):
      true
    default: false
    }
  }

  private static func fits(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
    return (try? expression.wholeMatch(in: text)) != nil
  }
}
