/// The JSON Schema of presets, made from the table that they are read by.

public enum PresetSchema {
  /// In JSON, of the dialect 2020-12 (json-schema.org).
  public static var text: String { JSON5Printer(style: .json).text(root) }

  private static var root: JSON5Value {
    let head: [(String, JSON5Value)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "A preset of Capstan"),
      ("description", "What to record and how. A file states only what it means to change."),
    ]
    return .object(head + (Shape.object(Preset.table.shape).schema.members ?? []).map { ($0.name, $0.value) })
  }
}

extension Shape {
  fileprivate var schema: JSON5Value {
    switch self {
    case .scalar(_, let shapes): Shape.anyOf(shapes.map(\.schema))
    case .list(let shape, _, let oneMayStandAlone):
      Shape.anyOf(
        (oneMayStandAlone ? [shape.schema] : []) + [["type": "array", "minItems": 1, "items": shape.schema]])
    case .object(let object): object.schema
    case .map(let shape): ["type": "object", "additionalProperties": Shape.orNull(shape.schema)]
    }
  }

  fileprivate static func anyOf(_ schemas: [JSON5Value]) -> JSON5Value {
    schemas.count == 1 ? schemas[0] : ["anyOf": JSON5Value(.array(schemas))]
  }

  /// A key that is null is as if it were not there.
  fileprivate static func orNull(_ schema: JSON5Value) -> JSON5Value {
    if case .array(let schemas)? = schema["anyOf"]?.content { return anyOf(schemas + [["type": "null"]]) }
    return anyOf([schema, ["type": "null"]])
  }
}

extension ObjectShape {
  fileprivate var schema: JSON5Value {
    var members: [(String, JSON5Value)] = [
      ("type", "object"), ("additionalProperties", false), ("properties", .object(keys.map { ($0.name, $0.schema) })),
    ]
    let exclusions = alternatives.flatMap(exclusions)
    if !exclusions.isEmpty { members.append(("allOf", JSON5Value(.array(exclusions)))) }
    return .object(members)
  }

  /// No two of a group, unless one is null or says nothing.
  private func exclusions(of group: [String]) -> [JSON5Value] {
    group.indices.flatMap { first in
      group.indices.dropFirst(first + 1).map { second in
        let pair = [group[first], group[second]]
        return [
          "not": [
            "required": JSON5Value(.array(pair.map { JSON5Value(.string($0)) })),
            "properties": .object(pair.map { ($0, ["not": silence($0)]) }),
          ]
        ]
      }
    }
  }

  private func silence(_ name: String) -> JSON5Value {
    let mayBeFalse = keys.first { $0.name == name }?.initial == "false"
    return mayBeFalse ? ["enum": [JSON5Value(.null), false]] : ["type": "null"]
  }
}

extension KeyShape {
  fileprivate var schema: JSON5Value {
    var members: [(String, JSON5Value)] = [("description", JSON5Value(.string(meaning)))]
    if let initialValue { members.append(("default", initialValue)) }
    return .object(members + (Shape.orNull(shape.schema).members ?? []).map { ($0.name, $0.value) })
  }
}

extension ScalarShape {
  fileprivate var schema: JSON5Value {
    switch self {
    case .boolean: ["type": "boolean"]
    case .number(let range):
      [
        "type": "number", "minimum": .init(floatLiteral: range.lowerBound),
        "maximum": .init(floatLiteral: range.upperBound),
      ]
    case .integer(let range):
      [
        "type": "integer", "minimum": .init(integerLiteral: range.lowerBound),
        "maximum": .init(integerLiteral: range.upperBound),
      ]
    case .oneOf(let numbers): ["enum": JSON5Value(.array(numbers.map { JSON5Value(integerLiteral: $0) }))]
    case .words(let words): ["enum": JSON5Value(.array(words.map { JSON5Value(.string($0)) }))]
    case .text(let pattern): ["type": "string", "pattern": JSON5Value(.string(pattern))]
    }
  }
}
