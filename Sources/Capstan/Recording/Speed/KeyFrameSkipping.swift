/// The last resort where coded frames build on one another and come faster than they can be decoded: all of them up to
/// the next key frame are left out, which is known and whole, instead of some that the camera finds no room for, which
/// would spoil every picture up to that key frame too.

struct KeyFrameSkipping: Sendable, Hashable {
  /// A share of what may wait: leaving pictures out behind the decoder comes long before.
  static let start = 0.95

  private(set) var isOn = false
  /// There are cameras that send one at the start and none after it.
  private var keyFrames = 0

  /// Whether the next frame is to be decoded.
  /// - Parameters:
  ///   - isDelta: whether it builds on others.
  ///   - fill: how full the queue behind the camera is, 0 to 1; is asked for only where it matters.
  mutating func passes(isDelta: Bool, fill: () -> Double) -> Bool {
    guard isDelta else {
      (isOn, keyFrames) = (false, keyFrames + 1)
      return true
    }
    isOn = isOn || keyFrames > 1 && fill() >= KeyFrameSkipping.start
    return !isOn
  }
}
