/// Listings: what telephones print goes through byte for byte, and every row of any camera reads back as it was.

import MediaFormats
import Testing

@Suite struct FormatListingTests {
  static let files = ["iphone3gs-ios6.1.3", "iphone5-ios6.1.4", "iphone5-ios7"]

  static func rows(_ file: String) throws -> [DeviceFormat] {
    try FormatListing(parsing: try Fixtures.text("listings/\(file).txt")).formats
  }

  @Test(arguments: zip(files, [4, 14, 20])) func roundTrips(_ file: String, _ count: Int) throws {
    let text = try Fixtures.text("listings/\(file).txt")
    let listing = try FormatListing(parsing: text)
    #expect(listing.description == text)
    #expect(listing.formats.map(\.index) == Array(0..<count))
  }

  @Test func everythingThatALineSays() throws {
    let row = try Self.rows("iphone5-ios7")[13]
    #expect(row.mediaType == FourCC("vide") && row.subtype == FourCC("420f"))
    #expect(row.payload == .raw(.nv12) && row.range == .full)
    #expect(row.dimensions == DimensionsRange(VideoDimensions(width: 1280, height: 720)))
    #expect(row.frameRates == [FrameRateRange(min: Fraction(1), max: Fraction(60))])
    #expect(
      row.traits
        == FormatTraits(
          fieldOfView: 51.94, isBinned: true, supportsStabilization: true, maximumZoom: 51.75, upscalingZoom: 1.05))
    let plain = try Self.rows("iphone5-ios7")[16]
    #expect(plain.traits.isBinned == false && plain.traits.supportsStabilization == false)
    let older = try Self.rows("iphone5-ios6.1.4")[6]
    #expect(older.range == .limited && older.traits.isBinned == nil && older.traits.fieldOfView == nil)
    #expect(older.traits.presentationDimensions == VideoDimensions(width: 1280, height: 720))
  }

  @Test(arguments: [
    "'vide'/'MJPG' 1280x 720, {60, 59.94 (7013/117), 7.5 fps}, range:full, colour:2:4:7:1, node:/dev/video0> - 4",
    "'vide'/'YUYV'  640x 480, {unknown fps}, range:limited> - 0",
    "'vide'/'YU12'   32x  32 to 2592x1944 by 2x2, { 1- 90 fps}, range:limited> - 0",
    "'vide'/'420v' 1280x 720, {30 fps}, colour:0:0:0:0, interlaced, emulated, node:/dev/a, b> - 0",
    "'vide'/'RG10' 3264x2464, {21 fps}, range:limited> - 7",
    "'vide'/'Y16 '  160x 120, {9 fps}, fov:57.000, binned unknown, vis unknown, max zoom:2.00, range:limited> - 1",
    "'vide'/'NV21'  640x 480, {7.5-30 fps}, not binned, no vis, upscales @1.50, crop:1280x960+0+8, range:limited> - 2",
    "'vide'/'MPEG'  720x 576, {25 fps}, as:mpeg2, range:limited> - 3",
  ])
  func linesOfOtherCameras(_ line: String) throws {
    #expect(try FormatListing(parsing: line).lines == [line])
  }

  /// Every table of a real camera, through the text and back.
  @Test(arguments: Fixtures.names(in: "cameras", ".json")) func tablesReadBack(_ table: String) throws {
    let rows = try CameraTable.named(table).rowsOfAllNodes
    #expect(try FormatListing(parsing: FormatListing(rows).description).formats == rows)
  }

  @Test func remarksArePassedOver() throws {
    let text = "# a camera\n\n'vide'/'420f'  640x 480, {30 fps}> - 5\r\n#\n"
    #expect(try FormatListing(parsing: text).formats.map(\.index) == [5])
    #expect(try FormatListing(parsing: "").formats.isEmpty)
  }

  @Test func aRangeThatIsSaidIsDeclared() throws {
    let text = "'vide'/'YUYV' 640x480, {30 fps}, range:full> - 0"
    #expect(try FormatListing(parsing: text).formats.first?.colorimetry == Colorimetry(range: .full))
  }

  @Test(arguments: [
    ("hello", "ends in"), ("'vide'/'420f' 640x480, {30 fps}>", "ends in"),
    ("'soun'/'420f' 640x480, {30 fps}> - 0", "begins with"), ("'vide'/'420f' 640, {30 fps}> - 0", "no size"),
    ("'vide'/'420f' 640x480, {fast fps}> - 0", "no rate"),
    ("'vide'/'420f' 640x480, {60-30 fps}> - 0", "no rate"), ("'vide'/'420f' 640x480 {30 fps}> - 0", "wanted"),
    ("'vide'/'420f' 640x480, {30 fps}, shiny> - 0", "\"shiny\""),
    ("'vide'/'420f' 640x480, {30 fps}, fov:wide> - 0", "\"fov:wide\""),
    ("'vide'/'420f' 640x480, {30 fps}, max zoom:0.50> - 0", "max zoom"),
    ("'vide'/'420f' 640x480, {30 fps}, range:limited> - 0", "contradicts"),
    ("'vide'/'MJPG' 640x480, {30 fps}, range:limited> - 0", "always in full range"),
    ("'vide'/'420f' enc dims = 640x480, pres dims = 640 { 1 - 30 fps }> - 0", "pres dims"),
    ("'vide'/'420f' 640x480, {30 fps}> - 9", "a row 9 already"),
  ])
  func mistakesHaveTheirLine(_ line: String, _ problem: String) throws {
    let text = "'vide'/'420f'  640x 480, {30 fps}> - 9\n\(line)\n"
    let error = #expect(throws: FormatListingError.self) { try FormatListing(parsing: text) }
    #expect(error?.line == 2)
    #expect(error?.problem.contains(problem) == true || problem.isEmpty, "\(error?.problem ?? "accepted")")
  }
}
