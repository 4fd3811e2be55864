/// Every preset that ships: whether cameras can do it, and what it plans on machines with all encoders, with one, with
/// none. `CAPSTAN_WRITE_GOLDENS=1` writes the plans anew, for review.

import Foundation
import MediaFormats
import TestSupport
import Testing

@testable import PipelinePlanning

@Suite struct PresetPlanTests {
  static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  /// A webcam that has most sizes.
  static let webcam: [DeviceFormat] = [
    row("YUYV", "640x480", 30), row("MJPG", "3840x2160", 30), row("MJPG", "1920x1080", 60, 30),
    row("MJPG", "1280x720", 60, 30), row("MJPG", "960x540", 30), row("YUYV", "176x144", 15),
  ].enumerated().map { place, row in
    var row = row
    row.index = place
    return row
  }

  private static func row(_ code: String, _ size: String, _ rates: Int...) -> DeviceFormat {
    DeviceFormat(
      payload: Payload(fourCC: FourCC(code))!, dimensions: DimensionsRange(VideoDimensions(parsing: size)!),
      frameRates: rates.map { FrameRateRange(Fraction($0)) })
  }

  // MARK: What a camera can do

  @Test(arguments: [
    ("high", "MJPG 1920x1080 at 30 fps"), ("medium", "YUYV 640x480 at 30 fps"), ("low", "YUYV 176x144 at 15 fps"),
    ("640x480", "YUYV 640x480 at 30 fps"), ("1280x720", "MJPG 1280x720 at 30 fps"),
    ("1920x1080", "MJPG 1920x1080 at 30 fps"), ("iFrame1280x720", "MJPG 1280x720 at 30 fps"),
    ("iFrame960x540", "MJPG 960x540 at 30 fps"), ("inputPriority", "YUYV 640x480 at 30 fps"),
    ("4k30", "MJPG 3840x2160 at 30 fps"), ("720p60", "MJPG 1280x720 at 60 fps"),
  ])
  func presetsAreResolvedAgainstTheCamera(_ name: String, _ mode: String) throws {
    let preset = try Self.library.preset(name)
    #expect(preset.canApply(to: Self.webcam))
    #expect(preset.selection(from: Self.webcam).selection.mode.map { "\($0)".hasPrefix(mode) } == true)
  }

  /// Those named by a size want that size; the others take what there is.
  @Test(arguments: [
    ("640x480", true), ("1280x720", false), ("1920x1080", false), ("iFrame1280x720", false), ("iFrame960x540", false),
    ("high", true), ("medium", true), ("low", true), ("inputPriority", true), ("720p60", true), ("4k30", true),
  ])
  func oldCamera(_ name: String, _ can: Bool) throws {
    let preset = try Self.library.preset(name)
    #expect(preset.canApply(to: [Self.webcam[0]]) == can)
    #expect(!preset.canApply(to: []))
  }

  @Test func inIFramePresetsEveryFrameIsAKeyFrame() throws {
    let plan = try plan(try Self.library.preset("iFrame1280x720"), Self.elements())
    #expect("\(LaunchLine(plan.pipeline))".contains("key-int-max=1 "))
  }

  // MARK: Plans

  private static func elements(_ encoders: Set<String>? = nil) -> Set<String> {
    let others: Set<String> = [
      "v4l2src", "capsfilter", "queue", "jpegdec", "capssetter", "videoconvert", "identity", "videocrop", "filesink",
      "h264parse", "h265parse", "vp9parse", "av1parse", "jpegparse", "tee", "videoscale", "mp4mux", "qtmux",
      "matroskamux", "webmmux",
    ]
    let all = (try? library.encoders().map(\.element)) ?? []
    return others.union(encoders ?? Set(all))
  }

  private func plan(_ preset: Preset, _ elements: Set<String>) throws -> RecordingPlan {
    let planner = RecordingPlanner(
      encoders: try Self.library.encoders(), containers: try Self.library.containers(), installedElements: elements,
      processorCount: 2)
    return try planner.plan(
      preset, source: .v4l2(path: "/dev/video0"), formats: Self.webcam, location: "file.\(preset.container)")
  }

  /// What a preset decides of the pipeline: encoder, profile and muxer.
  private func choices(of plan: RecordingPlan) -> String {
    let base = [NodeName.encoder, "profile", "scaled", NodeName.muxer]
    let names = base + base.map { NodeName.named($0, of: plan.proxy?.name ?? "") }
    let nodes = plan.pipeline.nodes.filter { names.contains($0.name) }
    return "\(LaunchLine(PipelineDescription(stages: [.init("choices", nodes)])))"
  }

  @Test(arguments: library.presetNames)
  func golden(_ name: String) throws {
    let preset = try Self.library.preset(name)
    let machines: [(String, Set<String>?)] = [
      ("all encoders", nil), ("x264enc only", ["x264enc"]), ("openh264enc only", ["openh264enc"]), ("no encoder", []),
    ]
    var text = ""
    for (title, encoders) in machines {
      text += "\(title):\n"
      do {
        let plan = try plan(preset, Self.elements(encoders))
        text += (["\(plan.mode)"] + plan.notes + [choices(of: plan)]).map { "  \($0)\n" }.joined()
      } catch {
        text += "  \(error)\n"
      }
    }
    let golden = Places.goldens.appending(path: "presets/\(name).txt")
    if ProcessInfo.processInfo.environment["CAPSTAN_WRITE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
    }
    #expect(try text == String(contentsOf: golden, encoding: .utf8), "differs from goldens/presets/\(name).txt")
  }

  // MARK: Keys that the encoder and the pipeline are told

  private func line(_ text: String, _ elements: Set<String>? = nil) throws -> String {
    let preset = try Preset(name: "p", file: "p.json5", json5: Data(text.utf8), library: Self.library)
    return "\(LaunchLine(try plan(preset, elements ?? Self.elements()).pipeline))"
  }

  @Test func qualityStandsForTheBitRate() throws {
    let line = try line("{ quality: 60 }")
    #expect(line.contains(" pass=qual vbv-buf-capacity=0 quantizer=21 ") && !line.contains("bitrate="))
    #expect(try self.line("{ quality: 0 }").contains(" quantizer=50 "))
    #expect(try self.line("{ quality: 100, encoder: 'x265enc' }").contains(" qp=1 "))
    #expect(try self.line("{ extends: '720p60', quality: 100 }").contains(" quantizer=1 "))
  }

  @Test func profilesAreTheCodecs() throws {
    #expect(try line("{ profile: 'main' }").contains(" ! 'video/x-h264, profile=(string)main' ! "))
    #expect(try line("{ encoder: 'x265enc', profile: 'main' }").contains(" ! 'video/x-h265, profile=(string)main' ! "))
  }

  @Test func filtersStandBetweenDecodingAndColour() throws {
    let line = try line("{ filters: ['videoflip video-direction=vert', 'identity ! identity'] }")
    #expect(
      line.contains(" ! jpegdec idct-method=islow ! videoflip video-direction=vert ! identity ! identity ! capssetter ")
    )
  }

  @Test(arguments: [
    ("identity", "identity"), ("videoscale ! video/x-raw,width=640", "videoscale ! video/x-raw,width=640 ! identity"),
    ("'video/x-raw(ANY), a=1' ! identity", "identity ! 'video/x-raw(ANY), a=1' ! identity"),
    ("filesrc location=/a/b", "filesrc location=/a/b"), ("", ""),
  ])
  func capsAtAnEndGetAnElement(_ filter: String, _ wanted: String) {
    #expect(Preset.standingAlone(filter: filter) == wanted)
  }

  @Test func anEncoderThatStandsInIsNotToldTheWordsOfTheFirst() throws {
    let text =
      "{ encoder: ['x264enc', 'openh264enc'], speed: 'fast', profile: 'high', encoderOptions: { tune: 'film' } }"
    let preset = try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
    #expect(try line(text).contains("speed-preset=fast") && line(text).contains("tune=film"))
    let plan = try plan(preset, Self.elements(["openh264enc"]))
    #expect("\(LaunchLine(plan.pipeline))".contains("openh264enc name=encoder") && plan.speed == "low")
    #expect(
      plan.notes.contains(
        "openh264enc is taken, as x264enc is not installed; speed, profile and options that were meant for x264enc are left out"
      ))
  }

  @Test(arguments: [
    (
      "{ profile: 'hihg' }", "x264enc has no profile \"hihg\" (did you mean high?); it has constrained-baseline",
      "profile"
    ),
    (
      "{ encoder: 'vp9enc', container: 'webm', profile: '0' }", "the profile of vp9enc follows from chroma and depth",
      "profile"
    ),
    (
      "{ encoder: 'svtav1enc', lossless: true, container: 'mkv' }",
      "svtav1enc cannot code without loss; say bitrate or quality, or take avenc_ffv1 or vp9enc or x264enc or x265enc",
      "lossless"
    ),
    (
      "{ profile: 'high', depth: 10 }",
      "x264enc writes no 4:2:0 of 10 bits in the profile high; leave it out, or take high-10", "profile"
    ),
    (
      "{ encoder: 'x265enc', profile: 'main-10', chroma: '4:2:2' }",
      "x265enc writes no 4:2:2 of 8 bits in the profile main-10; leave it out, or take main-422-10 or main-444-10",
      "profile"
    ),
    ("{ encoder: 'vp9enc', container: 'mp5' }", "there is no container \"mp5\"", "container"),
  ])
  func mistakes(_ text: String, _ message: String, _ key: String) throws {
    let error = try #require(throws: PlanningError.self) { try line(text) }
    #expect("\(error)".hasPrefix(message) && error.presetKey == key, "\(error)")
  }
}
