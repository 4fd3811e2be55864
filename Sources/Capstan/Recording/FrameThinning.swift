/// Leaves out every second frame while a machine that has no faster speed left does not keep up: an even loss is half
/// the rate for a while, one that takes what happens to come is a picture that stands still.

import Synchronization

struct FrameThinning: Sendable, Hashable {
  /// Shares of what may wait before decoding.
  static let start = 0.5
  static let end = 0.25
  /// Not even a speed that has just been changed may still turn it.
  static let late = 0.75

  private(set) var isOn = false
  private var lastFill = 0.0
  private var passedLast = false

  /// - Parameters:
  ///   - fill: how full the queue before the decoder is, 0 to 1.
  ///   - hasFaster: whether a faster speed is left, or has been gone to just now.
  /// - Returns: true where thinning has just begun.
  mutating func look(fill: Double, hasFaster: Bool) -> Bool {
    defer { lastFill = fill }
    if isOn {
      isOn = fill >= FrameThinning.end
      return false
    }
    let isDue = fill >= FrameThinning.start && !hasFaster && fill >= lastFill
    isOn = isDue || fill >= FrameThinning.late
    return isOn
  }

  mutating func end() { isOn = false }

  /// Whether the next frame goes on.
  mutating func passes() -> Bool {
    passedLast = !(isOn && passedLast)
    return passedLast
  }
}
