/// The wish for one of GStreamer's encoding targets (`.gep`), and what became of it.

public struct EncodingTargetWish: Sendable, Hashable {
  /// `NAME`, `CATEGORY/NAME`, `NAME/PROFILE` or `CATEGORY/NAME/PROFILE`.
  public var name: String
  /// Key paths of the preset (see `PresetKey.path`), as `container`, that go before what the target asks.
  public var saidKeys: Set<String>
  /// What the target has been read as; `nil` until then.
  public var outcome: Outcome?

  public struct Outcome: Sendable, Hashable {
    /// As `file-extension/mp4/default`.
    public var path: String
    /// What it asks, each in a few words.
    public var asked: [String]
    /// What it asks and is not done: each the end of a sentence about the target.
    public var notes: [String]
    /// Keys of the preset that say now what the target asks.
    public var replacedKeys: Set<String>
  }

  public init(_ name: String, saidKeys: Set<String> = []) {
    self.name = name
    self.saidKeys = saidKeys
  }

  /// Whether the preset says a key, or one inside it, itself.
  func says(_ key: String) -> Bool {
    let outer = key.split(separator: ".").first.map(String.init) ?? key
    return saidKeys.contains(key) || saidKeys.contains(outer) || saidKeys.contains { $0.hasPrefix("\(key).") }
  }
}

extension EncodingTargetWish.Outcome {
  /// What is asked, in one line.
  public var words: String { "\(path): \(asked.joined(separator: ", "))" }

  public var text: String { "encoding target \(words)" }

  /// What is not done, for a reader of a plan.
  public var sentences: [String] { notes.map { "the encoding target \(path) \($0)" } }
}
