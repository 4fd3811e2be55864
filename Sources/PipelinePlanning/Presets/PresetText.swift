/// A preset as text: with all that it inherits and all that stands for what nobody said, and where each value is from.

import Foundation

extension ResolvedPreset {
  /// JSON5 that says behind each value which file it is from; it can be saved as a preset and means the same.
  public var json5: String { json5(notes: [], leavingOut: []) }

  /// - Parameters:
  ///   - notes: lines that are put at its head, as comments.
  ///   - silent: key paths of values that have no effect and are left out: in a file by itself they would have one.
  public func json5(notes: [String], leavingOut silent: Set<String>) -> String {
    let names = files.map { URL(filePath: $0).lastPathComponent }
    let printer = JSON5Printer(style: .json5) { member in
      guard member.value.isOneValue else { return nil }
      return member.value.place.isNowhere ? "default" : ResolvedPreset.short(member.value.place, among: names)
    }
    let head = files.enumerated().map { "// \($0 == 0 ? preset.name : "  extends") \($1)\n" }.joined()
    return head + notes.map { "// \($0)\n" }.joined() + printer.text(complete.without(silent, below: ""))
  }

  /// JSON for programs: name, files, values, and the origin of each value by its key path.
  public var json: String { json(leavingOut: []) }

  /// - Parameter silent: key paths of values that have no effect and are left out.
  public func json(leavingOut silent: Set<String>) -> String {
    let origins = self.origins.sorted { $0.key < $1.key }
    let answer: JSON5Value = [
      "name": JSON5Value(.string(preset.name)),
      "files": JSON5Value(.array(files.map { JSON5Value(.string($0)) })),
      "values": complete.without(silent, below: ""),
      "origins": .object(origins.map { ($0.key, JSON5Value(.string($0.value.description))) }),
    ]
    return JSON5Printer(style: .json).text(answer)
  }

  private var complete: JSON5Value { Preset.table.shape.completed(root.without(["extends", "$schema"])) }

  /// The file's name and the line; the whole path where two files have the same name.
  private static func short(_ place: SourcePlace, among names: [String]) -> String {
    let name = URL(filePath: place.file).lastPathComponent
    return "\(names.filter { $0 == name }.count > 1 ? place.file : name):\(place.line)"
  }
}

extension JSON5Value {
  /// No object, no list with objects in it.
  fileprivate var isOneValue: Bool {
    if case .array(let items) = content { return items.allSatisfy { $0.members == nil } }
    return members == nil
  }
}

extension JSON5Value {
  fileprivate func without(_ keyPaths: Set<String>, below path: String) -> JSON5Value {
    guard let members, !keyPaths.isEmpty else { return self }
    let left = members.filter { !keyPaths.contains(path.appendingKey($0.name)) }.map { member in
      JSON5Member(
        name: member.name, place: member.place,
        value: member.value.without(keyPaths, below: path.appendingKey(member.name)))
    }
    return JSON5Value(content: .object(left), place: place)
  }
}

extension SourcePlace {
  /// Of what stands for a value that nobody gave.
  fileprivate var isNowhere: Bool { line == 0 }
}

extension KeyShape {
  /// What stands for the key where it is left out, without a place.
  var initialValue: JSON5Value? {
    guard let initial, let value = try? JSON5Parser.parse(Data(initial.utf8), file: name) else { return nil }
    return JSON5Value(value.content)
  }
}

extension ObjectShape {
  /// With what stands for the keys that are left out, those that exclude a given one excepted.
  fileprivate func completed(_ value: JSON5Value) -> JSON5Value {
    let given = (value.members ?? []).filter { !$0.value.isNull }
    let saying = given.filter(says).map(\.name)
    var completed: [JSON5Member] = []
    for key in keys {
      if let member = given.first(where: { $0.name == key.name }) {
        completed.append(JSON5Member(name: key.name, place: member.place, value: key.shape.completed(member.value)))
      } else if !key.isOptional, !isExcluded(key.name, by: saying),
        let initial = key.shape.initial(or: key.initialValue)
      {
        completed.append(JSON5Member(name: key.name, place: initial.place, value: initial))
      }
    }
    return JSON5Value(content: .object(completed), place: value.place)
  }

  private func isExcluded(_ name: String, by given: [String]) -> Bool {
    alternatives.contains { $0.contains(name) && !Set($0).isDisjoint(with: given) }
  }
}

extension Shape {
  fileprivate func completed(_ value: JSON5Value) -> JSON5Value {
    switch (self, value.content) {
    case (.object(let object), _): object.completed(value)
    case (.list(let item, _, _), .array(let items)):
      JSON5Value(content: .array(items.map(item.completed)), place: value.place)
    case (.list(let item, _, oneMayStandAlone: true), _): item.completed(value)
    default: value
    }
  }

  /// The key's own, or for an object that of its keys together.
  fileprivate func initial(or own: JSON5Value?) -> JSON5Value? {
    if let own { return own }
    let made: JSON5Value? =
      switch self {
      case .object(let object): object.completed([:] as JSON5Value)
      case .list(.object(let object), _, oneMayStandAlone: true): object.completed([:] as JSON5Value)
      default: nil
      }
    return made.flatMap { $0.members?.isEmpty == false ? $0 : nil }
  }
}
