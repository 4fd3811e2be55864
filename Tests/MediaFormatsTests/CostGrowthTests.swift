/// The cost of listing and selecting grows with the number of modes, not with its square.

import MediaFormats
import Testing

@Suite(.serialized) struct CostGrowthTests {
  /// So many modes as a driver's caps would word them: one structure a size, four rates in each.
  private static func caps(_ modes: Int) -> Caps {
    let rates = CapsValue.list([60, 30, 15, 10].map { .fraction(Fraction($0)) })
    return Caps(
      (0..<modes / 4).map { number in
        CapsStructure(
          number % 2 == 0 ? "image/jpeg" : "video/x-raw",
          fields: [
            CapsField("format", .string("NV12")), CapsField("width", .int(160 + 2 * number)),
            CapsField("height", .int(120 + 2 * (number % 97))), CapsField("framerate", rates),
          ])
      })
  }

  /// Seconds a mode, the median of several runs.
  private static func cost(_ modes: Int, _ runs: Int, _ work: (Int) -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<runs).map { _ in clock.measure { work(modes) } / .seconds(1) }.sorted()
    return times[runs / 2] / Double(modes)
  }

  private static let steps: [(name: String, work: @Sendable (Int) -> Void)] = [
    ("listing", { _ = FormatListing(CapsFlattener().flatten(caps($0))).description }),
    (
      "selecting",
      { modes in
        var request = FormatRequest(
          dimensions: VideoDimensions(width: 640, height: 480), frameRate: Fraction(60), range: .full)
        let rows = CapsFlattener().flatten(caps(modes))
        for fallback in FallbackStrategy.allCases {
          request.fallback = fallback
          _ = FormatSelector(request).select(from: rows)
        }
      }
    ),
  ]

  /// A busy machine may spoil a run, so the best of five attempts counts.
  @Test(arguments: 0..<2) func twoThousandModesCostNoMoreEachThanTwiceAHundred(_ step: Int) {
    let (name, work) = Self.steps[step]
    work(100)
    work(2_000)
    var ratios: [Double] = []
    for _ in 0..<5 {
      let small = Self.cost(100, 15, work)
      ratios.append(Self.cost(2_000, 5, work) / small)
      if ratios.last! <= 2 { return }
    }
    Issue.record("\(name): each of 2,000 modes costs \(ratios) times as much as each of 100")
  }
}
