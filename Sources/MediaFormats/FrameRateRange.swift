/// The frame rates of one format, in frames a second: a single one for discrete drivers.

public struct FrameRateRange: Sendable, Hashable {
  public var min: Fraction
  public var max: Fraction

  public init(min: Fraction, max: Fraction) {
    self.min = min
    self.max = Swift.max(min, max)
  }

  public init(_ rate: Fraction) { self.init(min: rate, max: rate) }

  public var isSingle: Bool { min == max }

  /// The rate on offer that is nearest to the wish: an end of the range, in the device's own spelling, where the wish
  /// names the same rate or lies beyond it; the wish itself between the ends. Steps that drivers name for rates are
  /// taken for continuous: they are steps of time, which no rate of a request is a multiple of, and the driver rounds.
  public func snap(_ wanted: Fraction) -> Fraction {
    if wanted.isSameRate(as: min) { return min }
    if wanted.isSameRate(as: max) { return max }
    return Swift.min(Swift.max(wanted, min), max)
  }
}

extension FrameRateRange: CustomStringConvertible {
  public var description: String { isSingle ? min.decimal : "\(min.decimal)-\(max.decimal)" }
}
