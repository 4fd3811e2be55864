/// What modes cost, against figures worked out by hand.

import Foundation
import MediaFormats
import PipelinePlanning
import Testing

@Suite struct ModeCostTests {
  private static func mode(_ code: String, _ size: String, _ rate: String?) -> CaptureMode {
    let (payload, dimensions) = (Payload(fourCC: FourCC(code))!, VideoDimensions(parsing: size)!)
    let rate = rate.flatMap { Fraction(parsing: $0) }
    let format = DeviceFormat(
      payload: payload, dimensions: DimensionsRange(dimensions), frameRates: rate.map { [FrameRateRange($0)] } ?? [])
    return CaptureMode(format: format, dimensions: dimensions, frameRate: rate)
  }

  private static func cost(_ mode: CaptureMode, encoder: String? = "x264enc", freeBytes: Int64? = nil) throws
    -> ModeCost
  {
    let profiles = try ProfileLibrary(folders: [ProfileLibrary.bundled]).encoders()
    return ModeCost(
      of: mode, bitRate: BitRate(bitsPerSecond: 8_000_000), encoder: profiles.first { $0.element == encoder }, cores: 2,
      freeBytes: freeBytes)
  }

  @Test(arguments: [
    ("YUYV", "1280x720", "10", 147.456, false), ("YUYV", "1280x720", "60", 884.736, false),
    ("NV12", "1920x1080", "30", 746.496, false), ("RGB3", "640x480", "30", 221.184, false),
    ("GREY", "640x480", "15/2", 18.432, false), ("MJPG", "1280x720", "60", 110.592, true),
    ("H264", "1280x720", "60", 5.5296, true),
  ])
  func bandwidth(_ code: String, _ size: String, _ rate: String, _ megabits: Double, _ isEstimate: Bool) throws {
    let cost = try Self.cost(Self.mode(code, size, rate))
    #expect(abs((try #require(cost.busBitsPerSecond)) / 1e6 - megabits) < 1e-9)
    #expect(cost.isBusEstimated == isEstimate)
    #expect(cost.storageBitsPerSecond == 8_000_000)
    var preset = Preset(name: "p")
    #expect(preset.heldBitRate == preset.bitRate)
    preset.lossless = true
    #expect(preset.heldBitRate == nil)
  }

  @Test func anUnknownRateHasNoBandwidth() throws {
    #expect(try Self.cost(Self.mode("YUYV", "640x480", nil)).busBitsPerSecond == nil)
  }

  @Test(arguments: [
    ("YUYV", "1280x720", "60", CostClass.none, CostClass.medium), ("MJPG", "1280x720", "60", .light, .medium),
    ("MJPG", "1920x1080", "60", .medium, .medium), ("MJPG", "3840x2160", "60", .heavy, .heavy),
    ("H264", "640x480", "30", .light, .medium), ("MJPG", "160x120", "9", .light, .light),
  ])
  func classes(_ code: String, _ size: String, _ rate: String, _ decode: CostClass, _ encode: CostClass) throws {
    let cost = try Self.cost(Self.mode(code, size, rate))
    #expect(cost.decode == decode && cost.encode == encode, "\(cost)")
    #expect(try Self.cost(Self.mode(code, size, rate), encoder: nil).encode == .none)
  }

  @Test(arguments: [(0.0, CostClass.none), (0.1, .light), (0.25, .medium), (0.99, .medium), (1.0, .heavy)])
  func classesHaveBounds(_ cores: Double, _ expected: CostClass) {
    #expect(CostClass(cores: cores) == expected)
  }

  @Test(arguments: [
    (Int64(60_000_000), 8e6, 60.0), (0, 8e6, 0), (-5, 8e6, 0), (1_000_000_000, 8e6, 1_000),
    (.max, 1, 100 * 365 * 86_400),
  ])
  func diskTime(_ bytes: Int64, _ rate: Double, _ seconds: Double) {
    #expect(ModeCost.diskTime(freeBytes: bytes, bitsPerSecond: rate) == .seconds(seconds))
    #expect(ModeCost.diskTime(freeBytes: bytes, bitsPerSecond: 0) == nil)
  }

  @Test func freeBytesAreGivenByTheCaller() throws {
    #expect(try Self.cost(Self.mode("MJPG", "1280x720", "60")).diskTime == nil)
    #expect(try Self.cost(Self.mode("MJPG", "1280x720", "60"), freeBytes: 60_000_000).diskTime == .seconds(60))
  }
}
