/// How far a mode is from a request in size and rate, in octaves, and to which side.

import Foundation

struct ModeDistance {
  /// Added where the driver tells no rate, so that a mode with a known one goes first.
  static let unknownRate = 0.05

  let size: Double
  let rate: Double
  private let isAbove: Bool
  private let isBelow: Bool

  init(from request: FormatRequest, to mode: CaptureMode) {
    size = request.dimensions.map { ModeDistance.octaves(from: $0, to: mode.dimensions) } ?? 0
    let isRateKnown = !mode.format.frameRates.isEmpty
    var order = 0
    if let asked = request.frameRate, isRateKnown, let got = mode.frameRate {
      let isSame = asked.isSameRate(as: got)
      rate = isSame ? 0 : abs(log2(asked.value / got.value))
      order = isSame ? 0 : got < asked ? -1 : 1
    } else {
      rate = request.frameRate == nil || isRateKnown ? 0 : ModeDistance.unknownRate
    }
    let (asked, got) = (request.dimensions ?? mode.dimensions, mode.dimensions)
    isAbove = order > 0 || got.width > asked.width || got.height > asked.height
    isBelow = order < 0 || got.width < asked.width || got.height < asked.height
  }

  /// Rounded, so that sums of logarithms that are equal on paper are equal here.
  var total: Double { ModeDistance.rounded(size + rate) }
  var roundedSize: Double { ModeDistance.rounded(size) }

  /// True where the mode lies on the side that the fallback goes to. A rate that nobody knows lies on none.
  func goes(_ fallback: FallbackStrategy) -> Bool {
    switch fallback {
    case .exact, .nearest: true
    case .lowerOrNearest: !isAbove
    case .higherOrNearest: !isBelow
    }
  }

  private static func octaves(from asked: VideoDimensions, to got: VideoDimensions) -> Double {
    abs(log2(Double(asked.width) / Double(got.width))) + abs(log2(Double(asked.height) / Double(got.height)))
  }

  private static func rounded(_ octaves: Double) -> Double { (octaves * 1e6).rounded() / 1e6 }
}
