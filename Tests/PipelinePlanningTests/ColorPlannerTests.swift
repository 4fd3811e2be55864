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

  @Test(arguments: rows) func steps(_ row: Row) {
    let plan = Self.planner.plan(for: Self.mode(row.payload, row.declared), range: row.wish)
    #expect(plan.target.description == row.target)
    #expect(plan.steps.map(\.description) == row.steps)
    #expect(plan.target.isComplete && plan.source.isComplete)
  }

  @Test func oddSidesAreCropped() {
    let plan = Self.planner.plan(for: Self.mode(.raw(.i420), "2:3:5:1", size: "1365x717"), range: nil)
    #expect(plan.steps == [.crop(right: 1, bottom: 1)])
  }

  @Test func assumptionsAreSaid() {
    let plan = Self.planner.plan(for: Self.mode(.raw(.i420), "0:3:0:1"), range: nil)
    #expect(plan.assumptions == ["the driver does not say it: limited range, BT.709 transfer assumed"])
  }
}
