/// Colour steps by table: camera and wish on the left, what has to be done to the samples on the right.

import MediaFormats
import PipelinePlanning
import Testing

@Suite struct ColorPlannerTests {
  private static let planner = ColorPlanner(encoderFormats: [.i420, .nv12])

  static func mode(_ payload: Payload, _ colorimetry: String, size: String = "1280x720") -> CaptureMode {
    let dimensions = VideoDimensions(parsing: size)!
    let format = DeviceFormat(
      payload: payload, dimensions: DimensionsRange(dimensions), frameRates: [FrameRateRange(Fraction(60))],
      colorimetry: Colorimetry(parsing: colorimetry) ?? .unknown)
    return CaptureMode(format: format, dimensions: dimensions, frameRate: Fraction(60))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let payload: Payload
    let declared: String
    let wish: ColorRange?
    let target: String
    let steps: [String]
    var testDescription: String { "\(payload) \(declared) to \(wish.map(\.name) ?? "source")" }
  }

  static let rows = [
    // A full-range camera that says everything: nothing to do.
    Row(payload: .raw(.nv12), declared: "1:3:5:1", wish: .full, target: "1:3:5:1", steps: []),
    Row(payload: .raw(.nv12), declared: "1:3:5:1", wish: nil, target: "1:3:5:1", steps: []),
    Row(payload: .raw(.i420), declared: "2:3:5:1", wish: nil, target: "2:3:5:1", steps: []),
    // The sRGB curve of USB cameras is tagged as BT.709's.
    Row(payload: .raw(.nv12), declared: "1:4:7:1", wish: .full, target: "1:4:5:1", steps: ["tag 1:4:5:1"]),
    // JPEG: full range, whatever the driver says, and two fields that the decoder leaves unknown.
    Row(payload: .jpeg, declared: "2:4:7:1", wish: .full, target: "1:4:5:1", steps: ["tag 1:4:5:1"]),
    Row(
      payload: .jpeg, declared: "2:4:7:1", wish: .limited, target: "2:4:5:1",
      steps: ["compress full to limited range", "tag 2:4:5:1"]),
    // Limited YUYV: 4:2:0 without touching the range, then expansion, each under a true label.
    Row(
      payload: .raw(.yuy2), declared: "2:4:7:1", wish: .full, target: "1:4:5:1",
      steps: ["tag 2:4:5:1", "convert to I420 2:4:5:1", "expand limited to full range", "tag 1:4:5:1"]),
    Row(
      payload: .raw(.yuy2), declared: "2:3:5:1", wish: nil, target: "2:3:5:1", steps: ["convert to I420 2:3:5:1"]),
    Row(
      payload: .raw(.nv12), declared: "2:3:5:1", wish: .full, target: "1:3:5:1",
      steps: ["expand limited to full range", "tag 1:3:5:1"]),
    // Unknown fields are filled in, and never left to a decoder's guess.
    Row(payload: .raw(.i420), declared: "0:3:0:1", wish: nil, target: "2:3:5:1", steps: ["tag 2:3:5:1"]),
    Row(payload: .raw(.i420), declared: "", wish: nil, target: "2:4:5:1", steps: ["tag 2:4:5:1"]),
    Row(payload: .raw(.i420), declared: "1:4:0:0", wish: .full, target: "1:4:5:1", steps: ["tag 1:4:5:1"]),
    // RGB: one conversion does matrix, subsampling and range.
    Row(
      payload: .raw(PixelFormat(named: "BGR")), declared: "1:1:7:1", wish: .full, target: "1:3:5:1",
      steps: ["tag 1:1:5:1", "convert to I420 1:3:5:1"]),
    Row(
      payload: .raw(PixelFormat(named: "BGR")), declared: "1:1:16:4", wish: .full, target: "1:4:16:4",
      steps: ["convert to I420 1:4:16:4"]),
    Row(
      payload: .raw(PixelFormat(named: "BGR")), declared: "", wish: .full, target: "1:3:5:1",
      steps: ["tag 1:1:5:1", "convert to I420 1:3:5:1"]),
    Row(
      payload: .raw(PixelFormat(named: "BGR")), declared: "1:1:7:1", wish: .limited, target: "2:3:5:1",
      steps: ["tag 1:1:5:1", "convert to I420 2:3:5:1"]),
  ]

  @Test(arguments: rows) func steps(_ row: Row) throws {
    let plan = try Self.planner.plan(for: Self.mode(row.payload, row.declared), ColorWish(range: row.wish))
    #expect(plan.target.description == row.target)
    #expect(plan.steps.map(\.description) == row.steps)
    #expect(plan.target.isComplete && plan.source.isComplete)
  }

  struct WishRow: Sendable, CustomTestStringConvertible {
    let payload: Payload
    let declared: String
    let wish: ColorWish
    let target: String
    let steps: [String]
    var testDescription: String { "\(payload) \(declared) \(wish)" }
  }

  static let wishes = [
    // Another matrix is a conversion, never a tag, and takes the range along.
    WishRow(
      payload: .raw(.nv12), declared: "1:4:7:1", wish: ColorWish(matrix: .bt709), target: "1:3:5:1",
      steps: ["tag 1:4:5:1", "convert to NV12 1:3:5:1"]),
    WishRow(
      payload: .raw(.yuy2), declared: "2:4:7:1", wish: ColorWish(range: .full, matrix: .bt709), target: "1:3:5:1",
      steps: ["tag 2:4:5:1", "convert to I420 1:3:5:1"]),
    WishRow(
      payload: .jpeg, declared: "2:4:7:1", wish: ColorWish(matrix: .bt601), target: "1:4:5:1", steps: ["tag 1:4:5:1"]),
    WishRow(
      payload: .raw(PixelFormat(named: "BGR")), declared: "1:1:7:1", wish: ColorWish(matrix: .bt601),
      target: "1:4:5:1", steps: ["tag 1:1:5:1", "convert to I420 1:4:5:1"]),
    // What the user knows goes before what the driver says, field by field.
    WishRow(
      payload: .raw(.nv12), declared: "2:3:5:1", wish: ColorWish(source: Colorimetry(range: .full)),
      target: "1:3:5:1", steps: ["tag 1:3:5:1"]),
    WishRow(
      payload: .jpeg, declared: "2:4:7:1", wish: ColorWish(range: .full, source: Colorimetry(range: .limited)),
      target: "1:4:5:1", steps: ["expand limited to full range", "tag 1:4:5:1"]),
    // What no stream can say is written as the nearest that it can.
    WishRow(payload: .raw(.i420), declared: "1:4:12:8", wish: ColorWish(), target: "1:4:5:1", steps: ["tag 1:4:5:1"]),
    // More chroma only where it was asked for.
    WishRow(
      payload: .raw(.yuy2), declared: "2:3:5:1", wish: ColorWish(chroma: .yuv422), target: "2:3:5:1",
      steps: ["convert to Y42B 2:3:5:1"]),
    WishRow(
      payload: .raw(PixelFormat(named: "P010_10LE")), declared: "2:3:5:1", wish: ColorWish(range: .full),
      target: "1:3:5:1", steps: ["convert to I420 2:3:5:1", "expand limited to full range", "tag 1:3:5:1"]),
    WishRow(
      payload: .raw(PixelFormat(named: "P010_10LE")), declared: "2:3:5:1", wish: ColorWish(depth: 10),
      target: "2:3:5:1", steps: ["convert to I420_10LE 2:3:5:1"]),
    WishRow(
      payload: .raw(PixelFormat(named: "GRAY8")), declared: "1:4:5:1", wish: ColorWish(range: .limited),
      target: "2:4:5:1", steps: ["convert to I420 1:4:5:1", "compress full to limited range", "tag 2:4:5:1"]),
  ]

  @Test(arguments: wishes) func wishedColor(_ row: WishRow) throws {
    let names = ["I420", "NV12", "Y42B", "Y444", "I420_10LE"]
    let planner = ColorPlanner(encoderFormats: names.map { PixelFormat(named: $0) })
    let plan = try planner.plan(for: Self.mode(row.payload, row.declared), row.wish)
    #expect(plan.target.description == row.target)
    #expect(plan.steps.map(\.description) == row.steps)
  }

  /// Whatever a driver says, the recording knows all four fields, and converts once at most.
  @Test func everyLabelWorks() throws {
    let labels = [
      "2:4:5:1", "2:4:7:1", "1:4:7:1", "1:3:5:1", "0:3:0:1", "1:4:0:0", "bt601", "bt709", "sRGB", "bt2020", "smpte240m",
      "",
      "0:0:0:0", "2:2:3:2", "1:4:12:8", "2:0:0:4",
    ]
    let payloads: [Payload] = [
      .jpeg, .raw(.nv12), .raw(.i420), .raw(.yuy2), .raw(PixelFormat(named: "BGR")), .raw(PixelFormat(named: "GRAY8")),
    ]
    for label in labels {
      for payload in payloads {
        for range in [nil, ColorRange.full, .limited] {
          let plan = try Self.planner.plan(for: Self.mode(payload, label), ColorWish(range: range))
          #expect(plan.target.isComplete && plan.source.isComplete)
          #expect(range == nil || plan.target.range == range)
          let conversions = plan.steps.filter { if case .tag = $0 { false } else { true } }
          #expect(conversions.count <= 2, "\(label) \(payload): \(conversions)")
          #expect(plan.target.transfer?.codePoint != 2 && plan.target.primaries?.codePoint != 2)
        }
      }
    }
  }

  @Test func whatAnEncoderCannotTakeIsRefused() {
    #expect(throws: ColorPlanningError.noLayout(chroma: .yuv422, depth: 8)) {
      try Self.planner.plan(for: Self.mode(.raw(.yuy2), "2:3:5:1"), ColorWish(chroma: .yuv422))
    }
    let deep = ColorPlanner(encoderFormats: [PixelFormat(named: "I420_10LE")])
    #expect(throws: ColorPlanningError.rangeOfDeepSamples) {
      try deep.plan(
        for: Self.mode(.raw(PixelFormat(named: "P010_10LE")), "2:3:5:1"), ColorWish(range: .full, depth: 10))
    }
  }

  @Test func oddSidesAreCropped() throws {
    let plan = try Self.planner.plan(for: Self.mode(.raw(.i420), "2:3:5:1", size: "1365x717"))
    #expect(plan.steps == [.crop(right: 1, bottom: 1)])
  }

  @Test func assumptionsAreSaid() throws {
    let plan = try Self.planner.plan(for: Self.mode(.raw(.i420), "0:3:0:1"))
    #expect(plan.assumptions == ["the driver does not say it: limited range, BT.709 transfer assumed"])
  }

  @Test(arguments: [Payload.raw(.nv12), .jpeg]) func theMatrixOfRGBIsNotThatOfAnythingElse(_ payload: Payload) throws {
    let said = try #require(Colorimetry(ofCamera: "1:1:7:1"))
    let plan = try Self.planner.plan(for: Self.mode(payload, "2:4:7:1"), ColorWish(source: said))
    #expect(plan.source.description == "1:4:5:1" && plan.target.description == "1:4:5:1")
    #expect(plan.assumptions.contains("the camera does not send RGB, so that its matrix cannot be RGB's"))
  }

  @Test(arguments: [
    ("0:4:0:0", Colorimetry(matrix: .bt601)),
    ("1:3:5:1", Colorimetry(range: .full, matrix: .bt709, transfer: .bt709, primaries: .bt709)),
    ("9:9:9:9", nil), ("3:4:5:1", nil), ("1:7:5:1", nil), ("1:4:17:1", nil), ("1:4:5:13", nil), ("1:4:5", nil),
  ])
  func onlyNumbersThatStandForSomethingAreTheColourOfACamera(_ text: String, _ color: Colorimetry?) {
    #expect(Colorimetry(ofCamera: text) == color)
  }
}
