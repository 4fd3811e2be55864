/// When a recording begins its next file, and which of the finished ones are kept.

/// Whichever comes first begins the next file, always on a key frame, without a frame missing or doubled between them.
public struct SegmentRule: Sendable, Hashable {
  /// From a file's first frame, above zero: 2 s at 60 fps are 120 frames. `nil` for no such limit.
  public var duration: Duration?
  /// What a file grows to, above zero. `nil` for no such limit.
  public var bytes: Int64?
  public var keep: KeepRule

  /// With neither, files change only when they are told to.
  public init(duration: Duration? = nil, bytes: Int64? = nil, keep: KeepRule = KeepRule()) {
    self.duration = duration
    self.bytes = bytes
    self.keep = keep
  }
}

/// What is kept of the files that a recording has finished; the oldest go first. Without any limit, all of them.
public struct KeepRule: Sendable, Hashable {
  /// At least 1.
  public var files: Int?
  /// Since a file was finished.
  public var age: Duration?
  /// Of all of them together.
  public var bytes: Int64?

  public init(files: Int? = nil, age: Duration? = nil, bytes: Int64? = nil) {
    self.files = files
    self.age = age
    self.bytes = bytes
  }

  /// Reads a number of files (`10`), a time (`1h`), or a size (`5G`); `nil` for anything else.
  public init?(parsing text: String) {
    if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      guard let files = Int(text), files > 0 else { return nil }
      self.init(files: files)
    } else if let bytes = ByteCount(parsing: text) {
      self.init(bytes: bytes.bytes)
    } else if let age = Duration(parsing: text), age > .zero {
      self.init(age: age)
    } else {
      return nil
    }
  }

  /// - Parameter finished: the oldest first.
  /// - Returns: how many of them, from the first on, are too many.
  public func surplus(of finished: [(bytes: Int64, age: Duration)]) -> Int {
    var surplus = max(0, finished.count - (files ?? finished.count))
    if let age { surplus = max(surplus, finished.prefix { $0.age > age }.count) }
    if let bytes {
      var total = finished.reduce(0) { $0 + $1.bytes }
      var place = 0
      while total > bytes, place < finished.count {
        total -= finished[place].bytes
        place += 1
      }
      surplus = max(surplus, place)
    }
    return surplus
  }
}

/// Bytes as people write them.
public struct ByteCount: Sendable, Hashable {
  public var bytes: Int64

  public init(bytes: Int64) { self.bytes = bytes }

  /// Reads `500M`, `2.5G`, `2GB` (powers of a thousand), `512Mi` and `512MiB` (powers of 1,024), and `1000000B`; `nil`
  /// for anything else, also a number without a unit and a unit in small letters, as `m` are minutes.
  public init?(parsing text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var unit = String(text.dropFirst(digits.count))
    guard let number = Double(digits), number > 0, !unit.isEmpty else { return nil }
    if unit.hasSuffix("B") { unit.removeLast() }
    let powers = ["": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4]
    let isBinary = unit.hasSuffix("i")
    guard let power = powers[isBinary ? String(unit.dropLast()) : unit], !isBinary || power > 0 else { return nil }
    let factor = (0..<power).reduce(1.0) { product, _ in product * (isBinary ? 1024 : 1000) }
    guard number * factor >= 1, number * factor < 9e18 else { return nil }
    self.init(bytes: Int64((number * factor).rounded()))
  }
}
