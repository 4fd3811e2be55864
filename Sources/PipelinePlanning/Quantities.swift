/// Bit rates and times as people write them.

extension Duration {
  /// Reads `10s`, `500ms`, `2min`, `2m`, `1h`, `1:30`, `1:02:03`, and a plain number of seconds with or without
  /// decimals; `nil` for anything else.
  public init?(parsing text: String) {
    if text.contains(":") {
      guard let seconds = Duration.clockSeconds(text) else { return nil }
      self = .seconds(seconds)
      return
    }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).lowercased()
    let factors = ["": 1.0, "s": 1, "sec": 1, "ms": 0.001, "us": 0.000_001, "min": 60, "m": 60, "h": 3600]
    guard let factor = factors[unit], let number = Double(digits), number * factor < 1e9 else { return nil }
    self = .nanoseconds(Int64((number * factor * 1e9).rounded()))
  }

  private static func clockSeconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (place, part) in parts.enumerated() {
      let plain = part.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard plain, let number = Double(part), place == 0 || number < 60 else { return nil }
      total = total * 60 + number
    }
    return total < 1e9 ? total : nil
  }

  /// Whole nanoseconds; times that are too long end at the largest.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }

  public var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// Bits a second.
public struct BitRate: Sendable, Hashable, CustomStringConvertible {
  public var bitsPerSecond: Int

  public init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

  /// Reads `8M`, `800k`, `2.5M` and plain bits a second; `nil` for anything else, below 1 kbit/s, where a unit was
  /// forgotten, and from 10 Gbit/s on.
  public init?(parsing text: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6, "g": 1e9, "G": 1e9]
    let factor = text.last.flatMap { units[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits)
    else { return nil }
    let bits = number * (factor ?? 1)
    guard bits >= 1000, bits < 1e10 else { return nil }
    self.init(bitsPerSecond: Int(bits.rounded()))
  }

  public var description: String {
    switch bitsPerSecond {
    case 1_000_000...: "\(BitRate.rounded(Double(bitsPerSecond) / 1e6)) Mbit/s"
    case 1_000...: "\(BitRate.rounded(Double(bitsPerSecond) / 1e3)) kbit/s"
    default: "\(bitsPerSecond) bit/s"
    }
  }

  private static func rounded(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
