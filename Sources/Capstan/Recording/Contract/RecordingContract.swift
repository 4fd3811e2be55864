/// What was asked of a recording, what camera and container say, and what the finished files hold, side by side.

public struct RecordingContract: Sendable, Hashable {
  /// One property in three places; `nil` where a place says nothing.
  public struct Term<Value: Sendable & Hashable & Encodable>: Sendable, Hashable, Encodable {
    public var asked: Value?
    public var declared: Value?
    public var measured: Value?
    /// Who declares it: `camera`, `encoder`, `recorder`, `stream`, `container`.
    public var declaredBy: String
    /// What it was measured by: the `index` of the files, the `stream`'s own header, or decoded `pictures`.
    public var measuredBy: String

    init(_ declaredBy: String, _ measuredBy: String, asked: Value?, declared: Value?, measured: Value?) {
      (self.declaredBy, self.measuredBy) = (declaredBy, measuredBy)
      (self.asked, self.declared, self.measured) = (asked, declared, measured)
    }
  }

  /// Of the recorded picture.
  public var size: Term<VideoDimensions>
  /// Frames a second.
  public var rate: Term<Double>
  /// `full` or `limited`.
  public var range: Term<String>
  public var codec: Term<String>
  /// Bits a second.
  public var bitRate: Term<Int>
  /// Nanoseconds.
  public var duration: Term<Int64>
  public var frames: Term<Int>
  /// What the files are, each read from its own bytes.
  public var files: [MeasuredFile]
  /// What the recording took away itself to make room, which no term was measured on; `nil` for nothing.
  public var removed: RemovedFiles?
  /// Where what was got is not what was asked; empty for a contract that was kept.
  public var breaches: [ContractBreach] = []
  /// True where a breach makes the recording a failure: `MovieFileOutput.isStrict`.
  public var isBinding = false
}

/// A difference between what was asked and what was got.
public struct ContractBreach: Sendable, Hashable, Encodable, CustomStringConvertible {
  public enum Term: String, Sendable, Hashable, CaseIterable, Encodable {
    case size, rate, range, codec, bitRate, duration, frames, lost, recoveryPoint
  }

  public var what: Term
  /// In words, with units.
  public var asked: String
  public var got: String

  public init(_ what: Term, asked: String, got: String) {
    (self.what, self.asked, self.got) = (what, asked, got)
  }

  /// `rate: 60 fps were asked, 57.2 fps are there`.
  public var description: String { "\(what.rawValue): asked was \(asked), got \(got)" }
}

extension RecordingContract: Encodable {
  private enum CodingKeys: CodingKey {
    case size, rate, range, codec, bitRate, duration, frames, files, removed, binding
  }

  /// Breaches stand by themselves in a report.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try container.encode(rate, forKey: .rate)
    try container.encode(range, forKey: .range)
    try container.encode(codec, forKey: .codec)
    try container.encode(bitRate, forKey: .bitRate)
    try container.encode(duration, forKey: .duration)
    try container.encode(frames, forKey: .frames)
    try container.encode(files, forKey: .files)
    try container.encodeIfPresent(removed, forKey: .removed)
    try container.encode(isBinding, forKey: .binding)
  }
}
