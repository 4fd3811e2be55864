/// Leaves frames out evenly while a machine that has no faster speed left does not keep up: every second one, and where
/// that is not enough two of three, three of four. An even loss is a lower rate for a while; one that takes what happens
/// to come is a picture that stands still.

struct FrameThinning: Sendable, Hashable {
  /// Shares of what may wait before decoding.
  static let start = 0.5
  static let end = 0.25
  /// Not even a speed that has just been changed may still turn it; what is left out is not enough.
  static let late = 0.75

  /// One of so many frames goes on.
  private(set) var stride = 1
  private var lastFill = 0.0
  private var leftOut = 0

  var isOn: Bool { stride > 1 }

  /// - Parameters:
  ///   - fill: how full the queue before the decoder is, 0 to 1.
  ///   - hasFaster: whether a faster speed is left, or has been gone to just now.
  /// - Returns: true where thinning has just begun.
  mutating func look(fill: Double, hasFaster: Bool) -> Bool {
    defer { lastFill = fill }
    let isFalling = fill < lastFill
    if isOn {
      if fill < FrameThinning.end { end() } else if fill >= FrameThinning.late, !isFalling { stride += 1 }
      return false
    }
    let isDue = fill >= FrameThinning.start && !hasFaster && !isFalling
    if isDue || fill >= FrameThinning.late { stride = 2 }
    return isOn
  }

  mutating func end() { stride = 1 }

  /// Whether the next frame goes on.
  mutating func passes() -> Bool {
    leftOut += 1
    guard leftOut >= stride else { return false }
    leftOut = 0
    return true
  }
}
