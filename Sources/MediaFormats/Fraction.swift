/// An exact ratio of two integers, in lowest terms: how drivers, caps and containers write frame rates.

public struct Fraction: Sendable, Hashable {
  public let numerator: Int
  public let denominator: Int

  /// `nil` where the denominator is zero or a part cannot be negated.
  public init?(checking numerator: Int, over denominator: Int) {
    guard denominator != 0, numerator != .min, denominator != .min else { return nil }
    let divisor = Fraction.greatestCommonDivisor(abs(numerator), abs(denominator))
    let sign = denominator < 0 ? -1 : 1
    self.numerator = sign * numerator / divisor
    self.denominator = sign * denominator / divisor
  }

  /// - Precondition: `denominator` is not zero.
  public init(_ numerator: Int, _ denominator: Int = 1) {
    guard let fraction = Fraction(checking: numerator, over: denominator) else {
      preconditionFailure("\(numerator)/\(denominator) is not a fraction")
    }
    self = fraction
  }

  public var value: Double { Double(numerator) / Double(denominator) }

  /// Seconds a frame for a rate and the other way round; `nil` for zero.
  public var reciprocal: Fraction? { Fraction(checking: denominator, over: numerator) }

  /// How far two spellings of one rate may part. The widest real gap is that of USB cameras, whose 100 ns intervals
  /// make 59.94 into 7013/117 or 4975/83 (4 parts in a million); the closest different rates, 60 and 59.94,
  /// are 1 part in a thousand apart.
  public static let rateTolerance = 0.0003

  /// True where both name one rate, as 60000/1001, 5994/100 and 7013/117 do.
  public func isSameRate(as other: Fraction) -> Bool {
    abs(value - other.value) <= Fraction.rateTolerance * max(abs(value), abs(other.value))
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? max(a, 1) : greatestCommonDivisor(b, a % b)
  }
}

extension Fraction: Comparable {
  public static func < (left: Fraction, right: Fraction) -> Bool {
    let (a, overflowA) = left.numerator.multipliedReportingOverflow(by: right.denominator)
    let (b, overflowB) = right.numerator.multipliedReportingOverflow(by: left.denominator)
    return overflowA || overflowB ? left.value < right.value : a < b
  }
}

extension Fraction: CustomStringConvertible {
  /// `60/1`, as in caps.
  public var description: String { "\(numerator)/\(denominator)" }

  /// As people write it: `60`, `59.94`, `7.5`; at most three decimals.
  public var decimal: String {
    if denominator == 1 { return "\(numerator)" }
    let thousandths = Int((abs(value) * 1000).rounded())
    var digits = String(thousandths % 1000 + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    let sign = numerator < 0 ? "-" : ""
    return sign + (digits.isEmpty ? "\(thousandths / 1000)" : "\(thousandths / 1000).\(digits)")
  }
}

extension Fraction {
  /// Reads `60`, `59.94`, `60000/1001` and `7.5`; `nil` for anything else, and for parts that caps, which have 32 bits
  /// for each, cannot hold.
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1:
      guard let fraction = Fraction(decimal: parts[0]) else { return nil }
      self = fraction
    case 2:
      guard let numerator = Int(digits: parts[0]), let denominator = Int(digits: parts[1]),
        let fraction = Fraction(checking: numerator, over: denominator)
      else { return nil }
      self = fraction
    default: return nil
    }
    guard max(self.numerator, self.denominator) <= Int(Int32.max) else { return nil }
  }

  private init?(decimal text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int(digits: parts[0]), whole <= 1_000_000_000 else { return nil }
    guard parts.count == 2 else {
      self.init(whole)
      return
    }
    guard parts[1].count <= 9, let decimals = Int(digits: parts[1]) else { return nil }
    let scale = (0..<parts[1].count).reduce(1) { power, _ in power * 10 }
    self.init(whole * scale + decimals, scale)
  }
}

extension Int {
  /// A number of plain digits only: no sign, no space, no separator.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
