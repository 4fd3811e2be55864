/// Leaves frames out evenly while a machine that has no faster speed left does not keep up: an even loss is a lower rate
/// for a while, one that takes what happens to come is a picture that stands still.

/// Of each so many frames one goes on. As long as there is room nothing is left out, so that a load which passes costs
/// nothing; then one of two, and one of one more each time that the queue gets fuller by a step. Below the end it is one
/// of one fewer for each step that it gets emptier. Between the two it stays: that is where a lasting load is met, with
/// one of `n` and one of `n - 1` for seconds each, and an encoder that always has something to do.
struct FrameThinning: Sendable, Hashable {
  /// Shares of what may wait before decoding.
  static let start = 0.85
  static let end = 0.75
  static let step = 0.02
  /// As good as full, also for a few large pictures.
  static let full = 0.93

  /// One of so many goes on.
  private(set) var interval = 1
  private var leftOut = 0
  /// How full it was at the last change; `nil` where it has been between start and end since.
  private var mark: Double?
  private var lastFill = 0.0

  var isOn: Bool { interval > 1 }

  /// Now and then.
  /// - Parameters:
  ///   - fill: how full the queue behind the camera is, 0 to 1.
  ///   - hasFaster: whether a faster speed is left, or has been gone to just now.
  /// - Returns: true where thinning has just begun.
  mutating func look(fill: Double, hasFaster: Bool) -> Bool {
    defer { lastFill = fill }
    // One that gets emptier by itself needs no help.
    guard !isOn, !hasFaster, fill >= FrameThinning.start, fill >= lastFill else { return false }
    (interval, leftOut, mark) = (2, 0, fill)
    return true
  }

  mutating func end() { interval = 1 }

  /// Whether the next frame goes on.
  /// - Parameter fill: is asked for only where it matters.
  mutating func passes(fill: () -> Double) -> Bool {
    // The first of them, before room is made.
    if isOn, leftOut == 0 { adapt(to: fill()) }
    leftOut += 1
    if leftOut < interval { return false }
    leftOut = 0
    return true
  }

  private mutating func adapt(to fill: Double) {
    if fill >= FrameThinning.start {
      if let mark, fill < min(mark + FrameThinning.step, FrameThinning.full) { return }
      interval += 1
    } else if fill < FrameThinning.end {
      if let mark, fill > mark - FrameThinning.step { return }
      interval -= 1
    } else {
      mark = nil
      return
    }
    mark = fill
  }
}
