/// Choosing on the whole: cameras by table, each with the mode that it must be run in.

import MediaFormats
import Testing

@Suite struct FormatSelectorTests {
  private static func row(_ code: String, _ size: String, _ rates: [String], range: ColorRange? = .limited)
    -> DeviceFormat
  {
    let payload: Payload =
      switch code {
      case "MJPG": .jpeg
      case "H264": .h264
      case "RG10", "Z16": .unsupported(FourCC(code))
      case "YUYV": .raw(.yuy2)
      case "GREY": .raw(PixelFormat(named: "GRAY8"))
      default: .raw(PixelFormat(named: code))
      }
    return DeviceFormat(
      payload: payload, dimensions: DimensionsRange(VideoDimensions(parsing: size)!),
      frameRates: rates.map { FrameRateRange(Fraction(parsing: $0)!) }, colorimetry: Colorimetry(range: range))
  }

  private static func numbered(_ rows: [DeviceFormat]) -> [DeviceFormat] {
    rows.enumerated().map { index, row in
      var row = row
      row.index = index
      return row
    }
  }

  private func select(
    _ rows: [DeviceFormat], _ size: String?, _ rate: String?, _ range: ColorRange? = nil,
    payload: PayloadChoice = .automatic, strict: Bool = false
  ) -> FormatSelection {
    let request = FormatRequest(
      dimensions: size.flatMap { VideoDimensions(parsing: $0) }, frameRate: rate.flatMap { Fraction(parsing: $0) },
      range: range, payload: payload, fallback: strict ? .exact : .nearest)
    return FormatSelector(request).select(from: Self.numbered(rows))
  }

  private let webcam = [
    row("YUYV", "640x480", ["30"]), row("YUYV", "1280x720", ["10", "5"]), row("MJPG", "640x480", ["60", "30"]),
    row("MJPG", "1280x720", ["60", "30"]),
  ]

  @Test func motionJPEGWhereRawHasTenFrames() {
    let selection = select(webcam, "1280x720", "60", .full)
    #expect(selection.outcome == "exact")
    #expect(selection.mode?.format.index == 3)
  }

  @Test func rawWhereItHoldsTheRate() {
    #expect(select(webcam, "640x480", "30", .limited).mode?.format.index == 0)
    #expect(select(webcam, "640x480", "30").mode?.format.index == 0)
  }

  @Test func cameraH264AfterMotionJPEG() {
    let rows = [Self.row("H264", "1280x720", ["60"]), Self.row("MJPG", "1280x720", ["60"])]
    #expect(select(rows, "1280x720", "60").mode?.format.index == 1)
    #expect(select([rows[0]], "1280x720", "60").mode?.format.payload == .h264)
  }

  @Test func nativeRangeBeforeConvertedOne() {
    let rows = [
      Self.row("NV12", "1280x720", ["60"], range: .limited), Self.row("NV12", "1280x720", ["60"], range: .full),
    ]
    #expect(select(rows, "1280x720", "60", .full).mode?.format.index == 1)
    #expect(select(rows, "1280x720", "60", .limited).mode?.format.index == 0)
    let converted = select([rows[0]], "1280x720", "60", .full)
    #expect(converted.deviations == [.range(asked: .full, got: .limited)])
  }

  @Test func coarseRGBIsNotTakenForItsRange() {
    let rows = [Self.row("RGB16", "720x576", ["25"], range: nil), Self.row("YUYV", "720x576", ["25"])]
    #expect(select(rows, "720x576", "25", .full).mode?.format.index == 1)
    #expect(select(rows, "720x576", "25", .full, strict: true).mode?.format.index == 0, "it is exact all the same")
  }

  @Test func eightBitRGBHasTheRange() {
    let rows = [Self.row("YUYV", "1280x720", ["60"]), Self.row("BGR", "1280x720", ["60"], range: nil)]
    #expect(select(rows, "1280x720", "60", .full).mode?.format.index == 1)
    #expect(select(rows, "1280x720", "60").mode?.format.index == 0)
  }

  @Test func deviceSpellingOfTheRateIsKept() {
    let rows = [Self.row("YUYV", "1920x1080", ["7013/117"])]
    let selection = select(rows, "1920x1080", "59.94")
    #expect(selection.outcome == "exact")
    #expect(selection.mode?.frameRate == Fraction(7013, 117))
    #expect(
      select(rows, "1920x1080", "60").deviations == [.frameRate(asked: Fraction(60), got: Fraction(7013, 117))])
  }

  @Test func strictTurnsAdjustedIntoImpossible() {
    guard case .impossible(let reason, let nearest) = select(webcam, "1920x1080", "60", .full, strict: true) else {
      Issue.record("1080p is not on offer")
      return
    }
    #expect(reason.contains("size 1280x720 instead of 1920x1080"))
    #expect(nearest.first?.format.index == 3)
  }

  /// Deviation is weighed in octaves, and the size is kept where both weigh the same.
  @Test(arguments: [
    (["1280x720": "30", "640x480": "60"], "1280x720"), (["1280x720": "10", "640x480": "60"], "640x480"),
    (["1280x720": "10", "1280x800": "60"], "1280x800"),
  ])
  func rateAgainstSize(_ offers: [String: String], _ chosen: String) {
    let rows = offers.sorted { $0.key < $1.key }.map { Self.row("YUYV", $0.key, [$0.value]) }
    #expect(select(rows, "1280x720", "60").mode?.dimensions.description == chosen)
  }

  @Test func greyAndDepthOnlyWhereThereIsNothingElse() {
    let rows = [Self.row("GREY", "1280x720", ["60"]), Self.row("YUYV", "640x480", ["30"])]
    #expect(select(rows, "1280x720", "60").mode?.format.index == 1)
    #expect(select([rows[0]], "1280x720", "60").deviations.contains(.monochrome))
  }

  @Test func unusablePayloadsAreRefusedByName() {
    guard case .impossible(let reason, _) = select([Self.row("RG10", "1280x720", ["60"])], "1280x720", "60") else {
      Issue.record("10-bit Bayer cannot be recorded")
      return
    }
    #expect(reason.contains("RG10"))
  }

  @Test func pinnedPayloadIsNeverSwapped() {
    #expect(select(webcam, "1280x720", "60", payload: .raw).mode?.format.index == 1)
    #expect(select(webcam, "1280x720", "60", payload: .code(FourCC("yuyv"))).mode?.format.fourCC.trimmed == "YUYV")
    guard case .impossible(let reason, _) = select(webcam, "1280x720", "60", payload: .h264) else {
      Issue.record("the camera has no H.264")
      return
    }
    #expect(reason == "the device has no format h264; it has YUYV, MJPG")
  }

  @Test func unknownRateIsTriedAndSaid() {
    let selection = select([Self.row("YVYU", "640x480", [])], "640x480", "30")
    #expect(selection.mode?.frameRate == Fraction(30))
    #expect(selection.deviations == [.frameRateUnknown(asked: Fraction(30))])
  }

  @Test func rangesAreSnapped() {
    let row = DeviceFormat(
      payload: .raw(.i420),
      dimensions: DimensionsRange(
        width: SteppedRange(min: 32, max: 2592, step: 8), height: SteppedRange(min: 32, max: 1944, step: 8)),
      frameRates: [FrameRateRange(min: Fraction(1), max: Fraction(90))])
    let selection = select([row], "1366x768", "60")
    #expect(selection.mode?.dimensions == VideoDimensions(width: 1368, height: 768))
    #expect(select([row], "1280x720", nil).mode?.frameRate == Fraction(30), "no rate asked is not the maximum")
    #expect(select([row], nil, "60").mode?.dimensions == VideoDimensions(width: 2592, height: 1944))
  }

  @Test func emptyList() {
    #expect(select([], "1280x720", "60").outcome == "impossible")
  }
}
