/// Picture sizes in pixels: one size, and the sizes that a stepwise or continuous driver offers.

public struct VideoDimensions: Sendable, Hashable, Encodable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var pixels: Int { width * height }

  /// 4:2:0 subsampling halves both sides, so encoders cannot take an odd one.
  public var isEven: Bool { width.isMultiple(of: 2) && height.isMultiple(of: 2) }
}

extension VideoDimensions: CustomStringConvertible {
  public var description: String { "\(width)x\(height)" }

  /// Reads `1280x720`; `nil` for anything else, and for a side that is zero or above 65,535.
  public init?(parsing text: some StringProtocol) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(digits: sides[0]), let height = Int(digits: sides[1]),
      (1...65_535).contains(width), (1...65_535).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// Lengths from `min` to `max`, both included, in steps counted from `min` (`v4l2_frmsize_stepwise`).
public struct SteppedRange: Sendable, Hashable {
  public var min: Int
  public var max: Int
  public var step: Int

  public init(min: Int, max: Int, step: Int = 1) {
    self.min = min
    self.max = Swift.max(min, max)
    self.step = Swift.max(1, step)
  }

  public var isSingle: Bool { min == max }

  /// The member that stands for a value, by these rules:
  /// - below the least member the least one, above the greatest the greatest one. That is the last step from `min`, not
  ///   `max`, where the steps miss it: drivers name maxima that are off their own grid;
  /// - a value that is a member is itself;
  /// - between two members the nearer one, and of two equally near ones the lower; or always the lower or the upper one
  ///   if a direction says so.
  public func snap(_ value: Int, _ direction: SnapDirection = .nearest) -> Int {
    if value <= min { return min }
    let last = min + (max - min) / step * step
    if value >= last { return last }
    let below = min + (value - min) / step * step
    if below == value { return value }
    switch direction {
    case .down: return below
    case .up: return below + step
    case .nearest: return value - below <= step - (value - below) ? below : below + step
    }
  }
}

/// Which member of a stepwise range stands for a value between two.
public enum SnapDirection: Sendable, Hashable { case nearest, down, up }

/// The sizes of one format: a single one for discrete drivers.
public struct DimensionsRange: Sendable, Hashable {
  public var width: SteppedRange
  public var height: SteppedRange

  public init(width: SteppedRange, height: SteppedRange) {
    self.width = width
    self.height = height
  }

  public init(_ dimensions: VideoDimensions) {
    self.init(
      width: SteppedRange(min: dimensions.width, max: dimensions.width),
      height: SteppedRange(min: dimensions.height, max: dimensions.height))
  }

  public var isSingle: Bool { width.isSingle && height.isSingle }

  public var largest: VideoDimensions { VideoDimensions(width: width.snap(.max), height: height.snap(.max)) }

  /// The size on offer that stands for a wish, each side by itself, by the rules of `SteppedRange.snap`. A continuous
  /// range is one with steps of 1. The shape of the picture may change by less than a step.
  public func snap(_ wanted: VideoDimensions, _ direction: SnapDirection = .nearest) -> VideoDimensions {
    VideoDimensions(width: width.snap(wanted.width, direction), height: height.snap(wanted.height, direction))
  }
}

extension DimensionsRange: CustomStringConvertible {
  /// `1280x720`, or `32x32 to 2592x1944 by 2x2`.
  public var description: String {
    let low = VideoDimensions(width: width.min, height: height.min)
    return isSingle ? "\(low)" : "\(low) to \(width.max)x\(height.max) by \(width.step)x\(height.step)"
  }
}
