/// The keys of presets in words: what each may be, what stands for it where it is left out, and what it means.

public struct PresetKey: Sendable, Hashable {
  /// As `request.size`.
  public let path: String
  /// In words.
  public let wanted: String
  /// In JSON5; `nil` where nothing stands for what is left out.
  public let initial: String?
  public let meaning: String

  /// All of them, in the order of the table that presets are read by.
  public static var all: [PresetKey] { keys(of: Preset.table.shape, below: "") }

  private static func keys(of object: ObjectShape, below keyPath: String) -> [PresetKey] {
    object.keys.flatMap { key in
      let path = keyPath.appendingKey(key.name)
      let own = PresetKey(path: path, wanted: key.shape.wanted, initial: key.initial, meaning: key.meaning)
      return [own] + (key.shape.objectInside.map { keys(of: $0, below: path) } ?? [])
    }
  }
}

extension Shape {
  fileprivate var wanted: String {
    switch self {
    case .scalar(let wanted, _): wanted
    case .list(let shape, _, oneMayStandAlone: true): "\(shape.wanted), or a list of them"
    case .list(let shape, _, oneMayStandAlone: false): "a list, each \(shape.wanted)"
    case .object: "an object"
    case .map(let shape): "an object, each value \(shape.wanted)"
    }
  }
}
