/// What histograms say of a range: no lie is told of without evidence.

import MediaFormats
import Testing

@testable import MediaInspection

@Suite struct LevelCountTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Codes and how many samples have them.
    let parts: [(ClosedRange<Int>, Int)]
    let evidence: LevelCount.Evidence
  }

  static let rows = [
    Row(testDescription: "black file, full", parts: [(0...0, 100_000)], evidence: .full),
    Row(testDescription: "black file, limited", parts: [(16...16, 100_000)], evidence: .none),
    Row(testDescription: "flat grey", parts: [(126...130, 20_000)], evidence: .none),
    Row(
      testDescription: "limited chart", parts: [(16...16, 9_000), (17...234, 100), (235...235, 9_000)],
      evidence: .limited),
    Row(
      testDescription: "limited chart that rings", parts: [(10...15, 30), (16...235, 500), (236...241, 30)],
      evidence: .limited),
    Row(testDescription: "full chart", parts: [(0...255, 400)], evidence: .full),
    Row(testDescription: "dark limited scene", parts: [(16...60, 2_000)], evidence: .none),
    Row(testDescription: "bright limited scene without black", parts: [(80...235, 600)], evidence: .none),
    Row(
      testDescription: "limited with highlights above white", parts: [(16...20, 500), (21...254, 400)], evidence: .none),
    Row(testDescription: "full, bright, without black", parts: [(60...255, 500)], evidence: .full),
    Row(testDescription: "full, dark", parts: [(0...90, 900)], evidence: .full),
    Row(testDescription: "limited with three dead pixels", parts: [(0...0, 3), (16...235, 500)], evidence: .limited),
    Row(testDescription: "nothing", parts: [], evidence: .none),
  ]

  @Test(arguments: rows) func evidence(_ row: Row) {
    var counts = [Int](repeating: 0, count: 256)
    for (codes, samples) in row.parts { for code in codes { counts[code] += samples } }
    #expect(LevelCount(luma: counts, pictures: 1).evidence == row.evidence)
  }

  @Test(
    arguments: [
      (ColorRange.full, LevelCount.Evidence.full, RangeVerdict.fullRangeConfirmed),
      (.full, .limited, .limitedPixelsTaggedFull),
      (.full, .none, .undetermined), (.limited, .full, .fullPixelsTaggedLimited),
      (.limited, .limited, .limitedConfirmed),
      (.limited, .none, .undetermined), (nil, .full, .fullPixelsTaggedLimited), (nil, .limited, .limitedConfirmed),
    ] as [(ColorRange?, LevelCount.Evidence, RangeVerdict)])
  func verdicts(tag: ColorRange?, evidence: LevelCount.Evidence, verdict: RangeVerdict) {
    #expect(RangeVerdict(tag: tag, evidence: evidence, signalsDisagree: false) == verdict)
    #expect(RangeVerdict(tag: tag, evidence: evidence, signalsDisagree: true) == .signalsDisagree)
  }

  @Test func timing() {
    func frames(_ times: [Int64], keys: Set<Int> = [0]) -> [MediaFile.Frame] {
      times.enumerated().map { MediaFile.Frame(time: $1, duration: nil, isKey: keys.contains($0), offset: 0, size: 1) }
    }
    let even = FrameTiming(frames([0, 100, 200, 300], keys: [0, 2]), timescale: 1000)
    #expect(even.rate == 10 && even.gaps.isEmpty && even.duration == 0.4 && even.keyFrameDistance == 0.2)
    let holed = FrameTiming(frames([0, 100, 200, 500, 600, 600]), timescale: 1000)
    #expect(holed.gaps == [FrameTiming.Gap(time: 0.2, length: 0.3)] && holed.disordered == 1)
    // Milliseconds of a 60 fps Matroska file.
    let wobbling = FrameTiming(frames([0, 17, 33, 50, 67, 83, 100]), timescale: 1000)
    #expect(wobbling.gaps.isEmpty)
    let none = FrameTiming([], timescale: 1000)
    #expect(none.count == 0 && none.rate == nil && none.duration == 0)
  }
}
