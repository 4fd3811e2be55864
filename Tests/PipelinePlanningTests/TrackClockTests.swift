/// Clocks of tracks: a day and a half fits into 32 bits, and the muxer's own is left where it does.

import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct TrackClockTests {
  @Test(
    arguments: [
      (Fraction(60), nil), (Fraction(30000, 1001), nil), (Fraction(15, 2), nil), (Fraction(120), nil),
      (Fraction(60000, 1001), 30000), (Fraction(7013, 117), 30000), (Fraction(120_000, 1001), 30000),
      (Fraction(500), 25000), (Fraction(1000), 25000),
    ] as [(Fraction, Int?)])
  func aDayAndAHalfFits(_ rate: Fraction, _ units: Int?) {
    #expect(TrackClock.unitsPerSecond(at: rate) == units)
  }

  /// Only the muxers that need it are set.
  @Test(arguments: [("mp4", true), ("mov", true), ("mkv", false), ("webm", false)])
  func theMuxerIsSet(_ name: String, _ isSet: Bool) throws {
    let containers = try ProfileLibrary(folders: [ProfileLibrary.bundled]).containers()
    let container = try #require(containers.first { $0.name == name })
    let settings = container.settings(fragment: .milliseconds(500), rate: Fraction(60000, 1001))
    #expect(settings.contains { $0.name == "trak-timescale" && $0.value == .int(30000) } == isSet)
    #expect(
      !container.settings(fragment: .milliseconds(500), rate: Fraction(60)).contains { $0.name == "trak-timescale" })
  }
}
