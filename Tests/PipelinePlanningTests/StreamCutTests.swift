/// Where a plan is cut between camera and files; what a copy can be of; what a second file is called.

import Foundation
import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct StreamCutTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  private static func row(_ payload: Payload, _ colorimetry: String = "") -> DeviceFormat {
    ColorPlannerTests.mode(payload, colorimetry).format
  }

  private func plan(
    _ text: String, _ formats: [DeviceFormat] = [row(.jpeg, "2:4:7:1")], name: String = "file.mp4"
  ) throws -> RecordingPlan {
    let encoders = try Self.library.encoders()
    let elements = [
      "v4l2src", "capsfilter", "queue", "jpegdec", "avdec_h264", "capssetter", "videoconvert", "identity", "filesink",
      "h264parse", "h265parse", "vp9parse", "av1parse", "jpegparse", "mpeg4videoparse", "tee", "videoscale", "mp4mux",
      "qtmux", "matroskamux", "webmmux",
    ]
    let planner = RecordingPlanner(
      encoders: encoders, containers: try Self.library.containers(),
      installedElements: Set(elements + encoders.map(\.element)), processorCount: 2)
    let preset = try Preset(name: "p", file: "p.json5", json5: Data(text.utf8), library: Self.library)
    return try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: formats, location: name)
  }

  // MARK: The cut

  @Test(arguments: [
    ("{}", "video/x-h264, stream-format=(string)avc, alignment=(string)au"),
    ("{ encoder: 'x265enc' }", "video/x-h265, stream-format=(string)hvc1, alignment=(string)au"),
    ("{ encoder: 'av1enc', container: 'mkv' }", "video/x-av1, stream-format=(string)obu-stream, alignment=(string)tu"),
    ("{ encoder: 'vp9enc', container: 'webm' }", nil),
  ])
  func twoPartsMakeTheWhole(_ text: String, _ format: String?) throws {
    let plan = try plan(text)
    let capture = plan.capturePipeline
    let file = plan.filePipeline(to: "/tmp/another.mp4")
    #expect(capture.stages.map(\.name) == ["camera", "decode", "color", "encode", "stream"])
    #expect(file.stages.map(\.name) == ["stream", "mux", "file"])
    let added = ["appsink", "appsrc"] + (format == nil ? [] : ["capsfilter"])
    let both = (capture.nodes + file.nodes).compactMap(\.factory).sorted()
    #expect(
      both == (plan.pipeline.nodes.compactMap(\.factory).filter { $0 != "queue" } + added + queues(capture)).sorted())
    #expect("\(LaunchLine(file))".contains(" location=/tmp/another.mp4 "))
    #expect("\(LaunchLine(file))".contains("max-time=4000000000 max-bytes=67108864 max-buffers=0"))
    if let format { #expect("\(LaunchLine(capture))".contains("'\(format)' ! appsink name=stream")) }
  }

  private func queues(_ part: PipelineDescription) -> [String] {
    part.nodes.compactMap(\.factory).filter { $0 == "queue" }
  }

  @Test func aProxyHasABranchAndAFileOfItsOwn() throws {
    let plan = try plan("{ extends: 'master+proxy', proxy: { container: 'mkv', bitrate: '600k' } }")
    let names = plan.pipeline.nodes.map(\.name)
    #expect(Set(names).count == names.count, "\(names)")
    let line = "\(LaunchLine(plan.pipeline))"
    #expect(line.contains(" fork. ! queue name=proxy-queue ") && line.contains("bitrate=600 "))
    #expect(line.contains("width=(int)640, height=(int)360") && line.contains("location=file-proxy.mkv"))
    #expect(plan.capturePipeline.stages.map(\.name).suffix(2) == ["stream", "proxy-stream"])
    #expect(plan.capturePipeline.links.contains(.init(from: "proxy-encode", to: "proxy-stream")))
    let file = plan.filePipeline(of: "proxy", to: "b.mkv")
    #expect(file.stages.map(\.name) == ["stream", "proxy-mux", "proxy-file"])
    #expect(plan.proxy?.speed == "ultrafast" && plan.proxy?.encoder.element == "x264enc")
  }

  @Test(arguments: [
    ("a.mp4", "a-proxy.mkv"), ("/b/c.d/a.b.mp4", "/b/c.d/a.b-proxy.mkv"), ("/b.c/a", "/b.c/a-proxy.mkv"),
    ("/b/.hidden", "/b/.hidden-proxy.mkv"),
  ])
  func proxiesLieBesideTheirMaster(_ name: String, _ wanted: String) {
    #expect(name.namingProxy("proxy", "mkv") == wanted)
  }

  // MARK: Scaling

  @Test func aSmallerPictureIsMadeBeforeItsColour() throws {
    let plan = try plan("{ extends: 'proxy' }", [Self.row(.raw(.yuy2), "2:4:7:1")])
    #expect(plan.pipeline.stages.map(\.name) == ["camera", "scale", "color", "encode", "mux", "file"])
    #expect("\(plan.dimensions)" == "640x360" && plan.speed == "fast")
    #expect(plan.notes.allSatisfy { !$0.contains("enlarged") })
  }

  @Test func theCamerasOwnSizeIsNotScaled() throws {
    let plan = try plan("{ scale: '1280x720' }")
    #expect(!plan.pipeline.factories.contains("videoscale"))
  }

  @Test func enlargingIsSaid() throws {
    #expect(try plan("{ scale: '1920x1080' }").notes.contains { $0.contains("enlarged from 1280x720 to 1920x1080") })
  }

  // MARK: Copies

  @Test(arguments: [
    (Payload.jpeg, "mjpeg", "qtmux", "2:4:7:1", "1:4:5:1"), (.h264, "h264", "mp4mux", "2:3:5:1", "2:3:5:1"),
    (.h265, "h265", "mp4mux", "1:3:5:1", "1:3:5:1"), (.vp9, "vp9", "mp4mux", "2:3:5:1", "2:3:5:1"),
    (.vp8, "vp8", "matroskamux", "2:3:5:1", "2:3:5:1"),
  ])
  func whatIsCodedIsCopied(
    _ payload: Payload, _ codec: String, _ muxer: String, _ declared: String, _ color: String
  ) throws {
    let text = "{ encoder: 'copy', request: { range: 'source' }, container: ['mp4', 'mov', 'mkv'] }"
    let plan = try plan(text, [Self.row(.raw(.yuy2)), Self.row(payload, declared)])
    #expect(plan.encoder.isCopy && plan.encoder.codec == codec && plan.container.muxer == muxer)
    #expect("\(plan.color.target)" == color)
    let factories = plan.pipeline.factories
    #expect(!factories.contains { $0.hasSuffix("enc") || $0.hasSuffix("dec") || $0.hasPrefix("avdec") })
  }

  @Test(arguments: [
    ("{ encoder: 'copy', filters: 'identity' }", "filters", "filters"),
    ("{ encoder: 'copy', scale: '640x360' }", "scale", "another size"),
    ("{ encoder: 'copy', matrix: 'bt709' }", "matrix", "another matrix"),
    ("{ encoder: 'copy', quality: 50 }", "quality", "another quality"),
    ("{ encoder: 'copy', lossless: true }", "lossless", "a stream without loss"),
    ("{ encoder: 'copy', chroma: '4:4:4' }", "chroma", "the chroma 4:4:4"),
    ("{ encoder: 'copy', depth: 10 }", "depth", "10 bits a sample"),
    ("{ encoder: 'copy', bFrames: 2 }", "bFrames", "B-frames"),
    ("{ encoder: 'copy', threads: 2 }", "threads", "a number of threads"),
    ("{ encoder: 'copy', lowLatency: true }", "lowLatency", "a lower latency"),
    ("{ encoder: 'copy', profile: 'high' }", "profile", "a profile"),
    ("{ encoder: 'copy', speed: 'slow' }", "speed", "a speed"),
    ("{ encoder: 'copy', elementPreset: 'x' }", "elementPreset", "an element preset"),
    ("{ encoder: 'copy', encoderOptions: { a: 1 } }", "encoderOptions", "an encoder's options"),
    ("{ encoder: 'copy', proxy: {} }", "proxy", "a proxy, which has to be encoded"),
  ])
  func aCopyChangesNothing(_ text: String, _ key: String, _ what: String) throws {
    let container = text.replacing(" }", with: ", container: 'mov' }", maxReplacements: text.hasSuffix("} }") ? 0 : 1)
    let error = try #require(throws: PlanningError.self) {
      try plan(
        container.contains("container") ? container : container.replacing("'copy'", with: "'copy', container: 'mov'"))
    }
    #expect(
      error.presetKey == key && "\(error)".contains("\(what) cannot be had; leave it out, or name an encoder"),
      "\(error)")
  }

  @Test func aCopyKeepsTheRange() throws {
    let error = try #require(throws: PlanningError.self) {
      try plan("{ encoder: 'copy', container: 'mov', request: { range: 'limited' } }")
    }
    #expect(
      error.presetKey == "request"
        && "\(error)".contains("the range limited cannot be had; ask for the range source, or name an encoder"))
  }

  @Test func whatTheCameraDecidesIsSaid() throws {
    let (usual, other) = (
      try plan("{ encoder: 'copy', container: 'mov' }"),
      try plan("{ encoder: 'copy', container: 'mov', bitrate: '2M' }")
    )
    #expect(
      Set(other.notes).subtracting(usual.notes) == [
        "bit rate and key frames are as the camera makes them, as its own stream is kept"
      ])
  }

  @Test func rawPicturesCannotBeCopied() throws {
    let error = try #require(throws: PlanningError.self) { try plan("{ encoder: 'copy' }", [Self.row(.raw(.yuy2))]) }
    #expect(error == .nothingToCopy && error.presetKey == "encoder")
  }

  @Test func noContainerOfTheListHoldsIt() throws {
    let error = try #require(throws: PlanningError.self) { try plan("{ encoder: 'copy', container: ['mp4', 'webm'] }") }
    #expect("\(error)" == "mp4 or webm cannot hold mjpeg; use mkv or mov")
  }

  @Test(arguments: [("{ scale: '641x360' }", "640x360"), ("{ proxy: { scale: '640x361' } }", "640x360")])
  func oddSidesAreRefused(_ text: String, _ offer: String) throws {
    let error = try #require(throws: PlanningError.self) { try plan(text) }
    #expect("\(error)".hasSuffix("\(offer) would do"))
  }
}
