/// GStreamer's element presets below what Capstan's preset says, by table: who wins, property by property.

import Foundation
import MediaFormats
import TestSupport
import Testing

@testable import PipelinePlanning

@Suite struct ElementPresetTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  private static func known(_ name: String, _ settings: KeyValuePairs<String, PropertyValue>) -> ElementPreset {
    ElementPreset(name: name, settings: settings.map { .init(name: $0.key, value: $0.value) })
  }

  private static let presets = [
    known("Quality High", ["pass": .string("qual"), "quantizer": .int(18), "me": .string("umh")]),
    known("Profile Baseline", ["bframes": .int(0), "cabac": .bool(false)]),
    known("YouTube", ["bframes": .int(2)]),
    known("Own", ["speed-preset": .string("fast"), "key-int-max": .int(30), "bitrate": .int(500)]),
  ]

  private static func plan(_ json5: String) throws -> RecordingPlan {
    try plan(try Preset(name: "test", file: "test.json5", json5: Data(json5.utf8), library: library))
  }

  private static func plan(_ preset: Preset, without missing: Set<String> = []) throws -> RecordingPlan {
    let encoders = try library.encoders()
    let planner = RecordingPlanner(
      encoders: encoders, containers: try library.containers(),
      installedElements: Set(encoders.flatMap { [$0.element, $0.parser ?? ""] })
        .union(["v4l2src", "capsfilter", "queue", "identity", "capssetter", "mp4mux", "matroskamux", "filesink"])
        .union(["jpegdec", "tee", "videoscale"]).subtracting(missing),
      processorCount: 2, elementPresets: ["x264enc": presets])
    let format = ColorPlannerTests.mode(.jpeg, "2:4:7:1").format
    return try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: [format], location: "a.mp4")
  }

  private static func encoder(_ plan: RecordingPlan, _ name: String = NodeName.encoder) -> String {
    plan.pipeline.nodes.first { $0.name == name }?.properties.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      ?? ""
  }

  /// A baseline with B-frames is none: whoever says both is told.
  @Test(arguments: [
    ("{ elementPreset: 'Profile Baseline', bFrames: 2 }", ["bframes of the element preset Profile Baseline"]),
    ("{ elementPreset: 'Quality High', bitrate: '4M' }", ["pass, quantizer of the element preset Quality High"]),
    ("{ elementPreset: 'Quality High', speed: 'fast' }", []),
  ])
  func whatGoesOverItIsTold(_ text: String, _ told: [String]) throws {
    let notes = try Self.plan(text).notes.filter { $0.contains("goes over") }
    #expect(notes == told.map { "what was said goes over \($0)" })
  }

  @Test(arguments: [
    // Its quality in place of the default rate, and nothing that holds it to one; speed and key frames, of which it says nothing, stay.
    (
      "{ elementPreset: 'Quality High' }",
      "pass=qual quantizer=18 me=umh vbv-buf-capacity=0 bframes=0 speed-preset=superfast key-int-max=120"
    ),
    // What the file says goes over it, whole: no quantizer beside a bit rate.
    (
      "{ elementPreset: 'Quality High', bitrate: '4M' }",
      "me=umh bframes=0 speed-preset=superfast bitrate=4000 key-int-max=120"
    ),
    (
      "{ elementPreset: 'Quality High', speed: 'fast', keyFrameInterval: '1s' }",
      "pass=qual quantizer=18 me=umh vbv-buf-capacity=0 bframes=0 speed-preset=fast key-int-max=60"
    ),
    // What is inherited stands back where the element preset says it, and stays elsewhere.
    (
      "{ extends: '720p60', elementPreset: 'Quality High' }",
      "pass=qual quantizer=18 me=umh vbv-buf-capacity=0 bframes=0 speed-preset=superfast key-int-max=120"
    ),
    (
      "{ extends: 'iFrame1280x720', request: { framerate: 60 }, elementPreset: 'YouTube', bitrate: '9M' }",
      "bframes=2 speed-preset=superfast bitrate=9000 key-int-max=1"
    ),
    ("{ elementPreset: 'YouTube' }", "bframes=2 speed-preset=superfast bitrate=8000 key-int-max=120"),
    (
      "{ elementPreset: 'Profile Baseline', encoderOptions: { cabac: true } }",
      "bframes=0 speed-preset=superfast bitrate=8000 key-int-max=120 cabac=true"
    ),
    ("{ elementPreset: 'Own' }", "speed-preset=fast key-int-max=30 bitrate=500 bframes=0"),
    (
      "{ elementPreset: 'Own', encoderOptions: { 'key-int-max': 10 } }",
      "speed-preset=fast bitrate=500 bframes=0 key-int-max=10"
    ),
  ])
  func whatIsSaidWins(_ preset: String, _ properties: String) throws {
    let plan = try Self.plan(preset)
    #expect(Self.encoder(plan) == properties)
    #expect(plan.speedLadder.isEmpty, "a speed that changes would take the element preset's settings along")
    #expect(plan.elementPreset != nil)
  }

  /// The default profile would narrow what the element preset makes; one that is said holds.
  @Test(
    arguments: [
      ("{ elementPreset: 'Profile Baseline' }", nil),
      ("{ elementPreset: 'Profile Baseline', profile: 'main' }", "video/x-h264, profile=(string)main"),
      ("{}", "video/x-h264, profile=(string)high"),
    ] as [(String, String?)])
  func aProfileHoldsWhereItIsSaid(_ preset: String, _ caps: String?) throws {
    let node = try Self.plan(preset).pipeline.nodes.first { $0.name == "profile" }
    #expect(node?.properties.first?.value == caps.map { .string($0) })
  }

  @Test func itsSpeedIsTheOneThatIsTold() throws {
    let plan = try Self.plan("{ elementPreset: 'Own' }")
    #expect(plan.speed == "fast" && plan.speedBasis == .asked)
  }

  @Test(arguments: [
    ("Quality Hihg", "(did you mean Quality High?); it has \"Quality High\", \"Profile Baseline\""),
    ("Nothing at all", "no element preset \"Nothing at all\"; it has \"Quality High\", \"Profile Baseline\""),
  ])
  func aNameThatThereIsNotIsTold(_ name: String, _ message: String) throws {
    let error = try #require(throws: PlanningError.self) { try Self.plan("{ elementPreset: '\(name)' }") }
    #expect("\(error)".contains(message), "\(error)")
    #expect(error.presetKey == "elementPreset")
  }

  @Test func anEncoderWithoutAnySaysSo() throws {
    let error = try #require(throws: PlanningError.self) {
      try Self.plan("{ encoder: 'openh264enc', elementPreset: 'Quality High' }")
    }
    #expect("\(error)" == "openh264enc has no element presets here; leave \"Quality High\" out")
  }

  /// It is the first encoder's: another one is not told it, and neither is that of a proxy.
  @Test func anotherEncoderLeavesItBehind() throws {
    var preset = try Self.library.preset("720p60")
    preset.encoders = ["x264enc", "openh264enc"]
    preset.elementPreset = ElementPresetWish("Quality High")
    let plan = try Self.plan(preset, without: ["x264enc"])
    #expect(plan.encoder.element == "openh264enc" && plan.elementPreset == nil)
    #expect(plan.notes.contains { $0.contains("meant for x264enc are left out") })
    preset.proxy = ProxyWish()
    #expect(!Self.encoder(try Self.plan(preset), "proxy-encoder").contains("quantizer"))
  }

  @Test func anotherEncoderInAFileThatExtendsItToo() throws {
    let folder = try TemporaryFolder()
    let base = folder.file("base.json5").path(percentEncoded: false)
    try Data("{ elementPreset: 'Own' }".utf8).write(to: URL(filePath: base))
    #expect(try Self.plan("{ extends: '\(base)' }").elementPreset?.name == "Own")
    #expect(try Self.plan("{ extends: '\(base)', encoder: 'openh264enc' }").elementPreset == nil)
    #expect(Self.encoder(try Self.plan("{ extends: '\(base)', bitrate: '7M' }")).contains("bitrate=7000"))
  }
}
