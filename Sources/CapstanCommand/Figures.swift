/// Numbers as people read them, the same in every locale.

import Capstan

enum Figures {
  /// With this many decimals, `59.94`.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { power, _ in power * 10 }
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    let parts = Int((abs(value) * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
    let sign = value < 0 && (parts.quotient, parts.remainder) != (0, 0) ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(parts.quotient)" }
    return "\(sign)\(parts.quotient).\(String(parts.remainder + scale).dropFirst())"
  }

  /// `00:01:23.4`.
  static func clock(_ time: Duration) -> String {
    let tenths = max(0, time.nanoseconds / 100_000_000)
    let seconds = tenths / 10
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(tenths % 10)"
  }

  /// `7.9 Mb/s`, `640 kb/s`.
  static func bitRate(_ bitsPerSecond: Double) -> String {
    switch bitsPerSecond {
    case 999_950_000...: "\(fixed(bitsPerSecond / 1e9, decimals: 1)) Gb/s"
    case 999_500...: "\(fixed(bitsPerSecond / 1e6, decimals: 1)) Mb/s"
    default: "\(fixed(bitsPerSecond / 1e3, decimals: 0)) kb/s"
    }
  }

  /// `82 MB`, `1.2 GB`; thousands, as disks are sold.
  static func bytes(_ count: Int64) -> String {
    let value = Double(count)
    return switch count {
    case 999_950_000_000...: "\(fixed(value / 1e12, decimals: 1)) TB"
    case 999_500_000...: "\(fixed(value / 1e9, decimals: 1)) GB"
    case 9_950_000...: "\(fixed(value / 1e6, decimals: 0)) MB"
    case 999_500...: "\(fixed(value / 1e6, decimals: 1)) MB"
    default: "\(fixed(value / 1e3, decimals: 0)) kB"
    }
  }

  /// How long something lasts, in its two greatest units: `3 h 12 m`.
  static func span(_ time: Duration) -> String {
    let seconds = max(0, time.components.seconds)
    return switch seconds {
    case (365 * 86_400)...: "over a year"
    case 86_400...: "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
    case 3600...: "\(seconds / 3600) h \(seconds / 60 % 60) m"
    case 60...: "\(seconds / 60) m"
    default: "\(seconds) s"
    }
  }

  /// `1 frame`, `600 frames`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
