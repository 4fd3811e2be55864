/// Presets with several wishes, and what the planner makes of them.

import Foundation
import MediaFormats
import PipelinePlanning
import Testing

@Suite struct WishTests {
  private func preset(_ text: String) throws -> Preset {
    try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
  }

  private func plan(_ preset: Preset, _ formats: [DeviceFormat]) throws -> RecordingPlan {
    let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
    let elements: Set<String> = [
      "v4l2src", "capsfilter", "queue", "jpegdec", "capssetter", "videoconvert", "identity", "x264enc", "h264parse",
      "mp4mux", "filesink",
    ]
    let planner = RecordingPlanner(
      encoders: try library.encoders(), containers: try library.containers(), installedElements: elements,
      processorCount: 2)
    return try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: formats, location: "a.mp4")
  }

  private func row(_ code: String, _ size: String, _ rate: Int, isEmulated: Bool = false) -> DeviceFormat {
    DeviceFormat(
      payload: Payload(fourCC: FourCC(code))!, dimensions: DimensionsRange(VideoDimensions(parsing: size)!),
      frameRates: [FrameRateRange(Fraction(rate))], isEmulated: isEmulated)
  }

  @Test func requestsMayBeAList() throws {
    let preset = try preset(
      """
      { request: [
        { size: "1920x1080", framerate: 60, range: "full" },
        { size: "1280x720", framerate: 60, range: "full", fallback: "lowerOrNearest" },
      ] }
      """)
    #expect(
      preset.wishes.map(\.description) == ["1920x1080 at 60 fps in full range", "1280x720 at 60 fps in full range"])
    #expect(preset.wishes.map(\.fallback) == [.nearest, .lowerOrNearest])
    #expect(preset.request == preset.wishes[0] && preset.alternatives == [preset.wishes[1]])
    let plan = try plan(preset, [row("MJPG", "1920x1080", 30), row("MJPG", "1280x720", 60)])
    #expect(plan.request == preset.wishes[1])
    #expect(plan.selection.outcome == "exact" && plan.mode.dimensions.height == 720)
    #expect(
      plan.notes.contains(
        "the camera has not exactly 1920x1080 at 60 fps in full range; wish 2 is 1280x720 at 60 fps in full range"))
  }

  @Test func theRangeIsThatOfTheWishThatWasTaken() throws {
    let preset = try preset(
      "{ request: [{ size: '1920x1080', range: 'full', fallback: 'exact' }, { size: '640x480', range: 'limited' }] }")
    let plan = try plan(preset, [row("YUYV", "640x480", 30)])
    #expect(plan.color.target.range == .limited)
  }

  @Test(arguments: [
    ("{ request: { fallback: 'lower' } }", "1:24: request.fallback: \"lower\" is not \"exact\", \"lowerOrNearest\""),
    ("{ request: { strict: true, fallback: 'nearest' } }", "1:28: request.fallback: strict is there too"),
    ("{ request: [{ size: '640x480' }, { size: 3 }] }", "1:42: request[1].size: a size such as"),
    ("{ request: [7] }", "1:13: request[0]: an object { ... } is wanted, not a number"),
    ("{ request: [{ sise: '640x480' }] }", "1:15: request[0].sise: there is no such key; size is near"),
    ("{ request: [] }", "1:12: request: a list of at least one object { ... } is wanted"),
  ])
  func mistakes(_ text: String, _ message: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try preset(text) }
    #expect("\(try #require(error))".hasPrefix("p.json5:" + message), "\(error!)")
  }

  @Test func strictIsShortForExact() throws {
    #expect(try preset("{ request: { strict: true } }").request.fallback == .exact)
    #expect(try preset("{ request: { fallback: 'exact' } }").request.isStrict)
    #expect(try preset("{ request: { fallback: 'higherOrNearest' } }").request.fallback == .higherOrNearest)
    var request = FormatRequest(fallback: .higherOrNearest)
    request.isStrict = false
    #expect(request.fallback == .higherOrNearest, "what is not strict stays what it is")
  }

  /// Case 34: what is left out is said, and what is pinned all the same too.
  @Test func case34_emulatedFormatsAreSaid() throws {
    let formats = [row("YV12", "640x480", 30, isEmulated: true), row("YUYV", "640x480", 30)]
    let skipped = try plan(try preset("{ request: { size: '640x480' } }"), formats)
    #expect(skipped.mode.format.fourCC == FourCC("YUYV"))
    #expect(skipped.notes.contains { $0.contains("left out, as a library emulates it: YV12") })
    let pinned = try plan(try preset("{ request: { size: '640x480', inputFormat: 'YV12' } }"), formats)
    #expect(pinned.mode.format.fourCC == FourCC("YV12"))
    #expect(pinned.notes.contains { $0.contains("a library makes this format") })
  }
}
