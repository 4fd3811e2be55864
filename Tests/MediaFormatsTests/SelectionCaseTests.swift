/// The selection on listings of telephones and on the cameras of public bug reports, each by its case number.

import MediaFormats
import Testing

@Suite struct SelectionCaseTests {
  private let hd60 = FormatRequest(
    dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60), range: .full)

  private func select(_ table: String, _ request: FormatRequest) throws -> FormatSelection {
    FormatSelector(request).select(from: try CameraTable.named(table).rowsOfAllNodes)
  }

  private func request(_ size: String?, _ rate: String?, _ range: ColorRange? = nil) -> FormatRequest {
    FormatRequest(
      dimensions: size.flatMap { VideoDimensions(parsing: $0) }, frameRate: rate.flatMap { Fraction(parsing: $0) },
      range: range)
  }

  // MARK: Telephones

  @Test func phoneWithFullRangeAtSixtyHasRowThirteen() throws {
    let selection = FormatSelector(hd60).select(from: try FormatListingTests.rows("iphone5-ios7"))
    guard case .exact(let mode) = selection else {
      Issue.record("\(selection)")
      return
    }
    #expect(mode.format.index == 13 && mode.frameRate == Fraction(60))
  }

  @Test(arguments: [
    ("iphone5-ios6.1.4", 7, "1280x720 at 30 fps"), ("iphone3gs-ios6.1.3", 1, "640x480 at 30 fps"),
  ])
  func phoneWithoutItFailsOrFallsBack(_ file: String, _ row: Int, _ offer: String) throws {
    let rows = try FormatListingTests.rows(file)
    var wish = hd60
    wish.fallback = .exact
    guard case .impossible(let reason, let nearest) = FormatSelector(wish).select(from: rows) else {
      Issue.record("there is no 720p60")
      return
    }
    #expect(reason.hasPrefix("no mode is exactly 1280x720 at 60 fps in full range: "))
    #expect(nearest.first?.format.index == row)
    #expect(nearest.first?.description.contains(offer) == true)
    let selection = FormatSelector(hd60).select(from: rows)
    #expect(selection.outcome == "adjusted" && selection.mode?.format.index == row)
  }

  @Test(arguments: [
    (FallbackStrategy.lowerOrNearest, "640x480"), (.higherOrNearest, "2048x1536"), (.nearest, "640x480"),
  ])
  func phoneFallsBackAsTheCallerSays(_ fallback: FallbackStrategy, _ size: String) throws {
    var wish = request("1280x720", "15", .full)
    wish.fallback = fallback
    let selection = FormatSelector(wish).select(from: try FormatListingTests.rows("iphone3gs-ios6.1.3"))
    #expect(selection.mode?.dimensions.description == size)
    #expect(selection.deviations.count == 1)
  }

  // MARK: Cases

  /// Planes in buffers of their own make no other picture: v4l2src of GStreamer 1.22 has one caps for both codes.
  @Test(arguments: [("NM12", "NV12"), ("NM21", "NV21"), ("NM16", "NV16"), ("NM61", "NV61"), ("YM12", "YU12")])
  func codesOfSeveralPlanes(_ code: String, _ plain: String) {
    #expect(Payload(fourCC: FourCC(code)) == Payload(fourCC: FourCC(plain)))
    #expect(Payload(fourCC: FourCC("TM12")) == .raw(PixelFormat(named: "NV12_64Z32")))
  }

  @Test(arguments: ["logitech_c922", "razer_kiyo", "elp_global_shutter_120101", "ms2109_hdmi_dongle"])
  func case4_sixtyFramesWhereOnlyJPEGHasThem(_ table: String) throws {
    let selection = try select(table, hd60)
    #expect(selection.mode?.format.payload == .jpeg)
    #expect(selection.mode?.frameRate.map { $0.isSameRate(as: Fraction(60)) } == true)
    #expect(selection.outcome == "exact")
  }

  @Test(arguments: [
    ("elgato_camlink4k_1080p5994", "1920x1080", "59.94"), ("elgato_camlink4k_1080p5994", "1920x1080", "60000/1001"),
    ("v4l2loopback_fixed_720p", "1280x720", "29.97"),
  ])
  func case11_ratesThatNoDecimalNames(_ table: String, _ size: String, _ rate: String) throws {
    let rows = try CameraTable.named(table).rows
    let spelled = rows.flatMap(\.frameRates).map(\.max)
    let selection = FormatSelector(request(size, rate)).select(from: rows)
    let got = try #require(selection.mode?.frameRate)
    #expect(spelled.contains(got), "the device's own fraction is passed on")
    let isThere = spelled.contains { $0.isSameRate(as: Fraction(parsing: rate)!) }
    #expect(selection.outcome == (isThere ? "exact" : "adjusted"))
  }

  @Test func case11_sixtyWhereOnlyFiftyNineIsSaid() throws {
    let selection = try select("elgato_camlink4k_1080p5994", request("1920x1080", "60"))
    #expect(selection.deviations.map(\.description) == ["59.94 fps instead of 60"])
  }

  @Test(arguments: [
    ("raspberrypi_bcm2835_v4l2", "1366x768", "1366x768"), ("rockchip_isp_mplane", "1366x768", "1368x768"),
    ("raspberrypi_bcm2835_v4l2", "33x33", "32x32"), ("rockchip_isp_mplane", "33x33", "32x32"),
    ("v4l2loopback_idle", "1366x768", "1366x768"), ("v4l2loopback_idle", "33x33", "33x33"),
  ])
  func case30_sizesAreSnapped(_ table: String, _ asked: String, _ got: String) throws {
    #expect(try select(table, request(asked, nil)).mode?.dimensions.description == got)
  }

  @Test func case30_noRateIsNotTheMaximum() throws {
    let selection = try select("raspberrypi_bcm2835_v4l2", request("1920x1080", nil))
    #expect(selection.mode?.frameRate == Fraction(30))
  }

  @Test(arguments: [
    (FallbackStrategy.nearest, "1368x768"), (.lowerOrNearest, "1360x768"), (.higherOrNearest, "1368x768"),
    (.exact, "none"),
  ])
  func case30_snappingFollowsTheFallback(_ fallback: FallbackStrategy, _ got: String) throws {
    var wish = request("1366x768", nil)
    wish.fallback = fallback
    #expect((try select("rockchip_isp_mplane", wish).mode?.dimensions.description ?? "none") == got)
  }

  @Test(arguments: [("yvyu_no_intervals", "640x480"), ("analog_grabber_interlaced", "720x576")])
  func case31_noRatesAreAskedNotHidden(_ table: String, _ size: String) throws {
    let rows = try CameraTable.named(table).rows
    #expect(!rows.isEmpty)
    let unknown = rows.filter(\.frameRates.isEmpty)
    guard !unknown.isEmpty else { return }
    let selection = FormatSelector(request(size, "25")).select(from: unknown)
    #expect(selection.mode?.frameRate == Fraction(25))
    #expect(selection.deviations.contains(.frameRateUnknown(asked: Fraction(25))))
    let free = FormatSelector(request(size, nil)).select(from: unknown)
    #expect(free.outcome == "exact" && free.mode?.frameRate == nil)
    var exact = request(size, nil)
    exact.fallback = .exact
    #expect(FormatSelector(exact).select(from: unknown).mode != nil, "nobody asked for a rate")
  }

  private let emulating: [DeviceFormat] = {
    let size = DimensionsRange(VideoDimensions(width: 640, height: 480))
    let rates = [FrameRateRange(Fraction(30))]
    let emulated = ["YV12", "RGB3", "BGR3"].map {
      DeviceFormat(
        payload: Payload(fourCC: FourCC($0))!, dimensions: size, frameRates: rates, isEmulated: true)
    }
    return CameraTable.numbered(
      emulated + [DeviceFormat(payload: Payload(fourCC: FourCC("UYVY"))!, dimensions: size, frameRates: rates)])
  }()

  @Test func case34_emulatedFormatsAreSkipped() {
    let wish = request("640x480", "30", .full)
    #expect(FormatSelector(wish).select(from: emulating).mode?.format.fourCC.trimmed == "UYVY")
    let out = FormatSelector(wish).judgements(of: emulating).filter { $0.rejection?.rule == "native" }
    #expect(out.map { $0.mode.format.fourCC.trimmed } == ["YV12", "RGB3", "BGR3"])
    guard case .impossible(let reason, _) = FormatSelector(wish).select(from: Array(emulating.dropLast())) else {
      Issue.record("nothing but emulated formats")
      return
    }
    #expect(reason.contains("emulates") && reason.contains("--input-format YV12"))
  }

  @Test func case34_emulatedFormatsCanBePinned() {
    var wish = request("640x480", "30")
    wish.payload = .code(FourCC("rgb3"))
    #expect(FormatSelector(wish).select(from: emulating).mode?.format.index == 1)
  }

  @Test(arguments: [("jetson_imx219_bayer", "RG10"), ("tis_dfm27ur0135_bayer", "")])
  func case35_bayerIsNamedAndRefused(_ table: String, _ code: String) throws {
    let rows = try CameraTable.named(table).rows
    guard case .impossible(let reason, let nearest) = FormatSelector(hd60).select(from: rows) else {
      #expect(rows.contains { $0.payload.refusal == nil }, "\(table) has something else")
      return
    }
    #expect(reason.contains("cannot be recorded") && reason.contains(code) && nearest.isEmpty)
  }

  @Test func case35_depthAloneIsRefused() throws {
    let depth = try CameraTable.named("intel_realsense_d435").rowsOfAllNodes.filter { $0.fourCC.trimmed == "Z16" }
    try #require(!depth.isEmpty)
    guard case .impossible(let reason, _) = FormatSelector(hd60).select(from: depth) else {
      Issue.record("depth is no picture")
      return
    }
    #expect(reason.contains("Z16"))
  }

  @Test(arguments: ["laptop_fj_camera_with_ir", "intel_realsense_d435"], [true, false])
  func case36_colourWhateverTheOrder(_ table: String, _ isReversed: Bool) throws {
    let rows = try CameraTable.named(table).rowsOfAllNodes
    let ordered = CameraTable.numbered(isReversed ? rows.reversed() : rows)
    #expect(ordered.contains { !$0.payload.isColor })
    #expect(FormatSelector(hd60).select(from: ordered).mode?.format.payload.isColor == true)
  }

  /// The infrared node of this one has UYVY too, and comes first.
  @Test func case36_colourFormatOfAnInfraredNode() throws {
    let selection = try select("intel_realsense_d435", request("1280x720", "30"))
    #expect(selection.mode?.format.fourCC == FourCC("YUYV") && selection.mode?.format.node == "/dev/video4")
  }

  @Test func case36_greyOnRequest() throws {
    let rows = try CameraTable.named("laptop_fj_camera_with_ir").rowsOfAllNodes
    var wish = FormatRequest()
    wish.payload = .code(FourCC("GREY"))
    let selection = FormatSelector(wish).select(from: rows)
    #expect(selection.mode?.format.fourCC.trimmed == "GREY")
    #expect(!selection.deviations.contains(.monochrome), "it was asked for")
  }

  @Test func case57_aWishIsResolvedAgainstTodaysList() throws {
    let wish = request("1920x1080", "60", .full)
    let fast = try select("logitech_brio_usb3", wish)
    let slow = try select("logitech_brio_usb2_fallback", wish)
    #expect(fast.outcome == "exact" && slow.mode != nil)
    var strict = wish
    strict.fallback = .exact
    for table in [
      "elgato_camlink4k_1080p25_three_formats", "elgato_camlink4k_1080p5994", "ezcap331_camlink4k",
    ] {
      guard case .impossible(let reason, let nearest) = try select(table, strict) else { continue }
      #expect(!nearest.isEmpty && reason.contains("no mode is exactly"), "\(table): the nearest modes are named")
    }
  }
}
