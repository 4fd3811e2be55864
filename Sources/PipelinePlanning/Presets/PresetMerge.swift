/// Lays one preset's file over another: what `extends` means.

extension JSON5Value {
  /// Objects are merged key by key, everything else is replaced, and null takes a value away (RFC 7396). Of keys that
  /// exclude one another, the one in `upper` stays.
  func overlaid(by upper: JSON5Value, shape: ObjectShape?) -> JSON5Value {
    guard let lowerMembers = members, let upperMembers = upper.members else { return upper }
    let added = upperMembers.filter { !$0.value.isNull }
    let excluded = shape.map { shape in shape.excluded(by: added.filter(shape.says).map(\.name)) } ?? []
    let gone = Set(upperMembers.filter(\.value.isNull).map(\.name) + excluded)
    var merged = lowerMembers.filter { !gone.contains($0.name) }
    for member in added {
      guard let place = merged.firstIndex(where: { $0.name == member.name }) else {
        merged.append(member)
        continue
      }
      let inner = shape?.keys.first { $0.name == member.name }?.shape.objectInside
      merged[place] = JSON5Member(
        name: member.name, place: member.place, value: merged[place].value.overlaid(by: member.value, shape: inner))
    }
    return JSON5Value(content: .object(merged), place: upper.place)
  }

  func without(_ names: [String]) -> JSON5Value {
    guard let members else { return self }
    return JSON5Value(content: .object(members.filter { !names.contains($0.name) }), place: place)
  }
}

extension ObjectShape {
  /// The others in the groups of these keys.
  fileprivate func excluded(by names: [String]) -> [String] {
    alternatives.filter { !Set($0).isDisjoint(with: names) }.flatMap { $0.filter { !names.contains($0) } }
  }
}

extension Shape {
  /// What an object that stands here may have.
  var objectInside: ObjectShape? {
    switch self {
    case .object(let object): object
    case .list(let item, _, oneMayStandAlone: true): item.objectInside
    case .list, .scalar, .map: nil
    }
  }
}

extension Preset {
  /// A file's values over those that it inherits. Speed, profile and options are in one encoder's words, so that another
  /// encoder leaves them behind.
  static func merged(_ upper: JSON5Value, over lower: JSON5Value) -> JSON5Value {
    var inherited = lower.without(ownKeys)
    let known = lower["encoder"]?.firstText ?? Preset(name: "").encoders.first
    if let wanted = upper["encoder"]?.firstText, wanted != known {
      inherited = inherited.without(["speed", "profile", "elementPreset", "encoderOptions"])
    }
    return inherited.overlaid(by: upper, shape: table.shape)
  }
}

extension JSON5Value {
  fileprivate var firstText: String? {
    if case .array(let items) = content { items.first?.text } else { text }
  }
}
