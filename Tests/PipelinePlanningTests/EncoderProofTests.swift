/// What trials found, and which encoder and speed are taken for it: by table, for machines that we do not have.

import Foundation
import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct EncoderProofTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
  private static let size = VideoDimensions(width: 1280, height: 720)

  /// A sound trial of an encoder that does so many frames a second.
  private static func finding(
    _ rate: Double = 200, cores: Double = 2, _ change: (inout EncoderFinding) -> Void = { _ in }
  ) -> EncoderFinding {
    var finding = EncoderFinding(date: Date(timeIntervalSince1970: 0))
    (finding.framesIn, finding.framesOut, finding.latency) = (Int(rate), Int(rate), 0)
    (finding.framesPerSecond, finding.coreSecondsPerFrame) = (rate, cores / rate)
    finding.keyFrameDistance = .init(asked: 15, found: 15)
    finding.bitRate = .init(asked: 8_000_000, found: 8_100_000)
    finding.color = .init(signalled: "full 1/1/6", isSignalled: true, isCompleted: true)
    finding.decoding = .init(frames: Int(rate), meanError: 6, contrast: 40)
    change(&finding)
    return finding
  }

  // MARK: Faults

  private static let faults: [(String, @Sendable (inout EncoderFinding) -> Void)] = [
    ("", { _ in }),
    ("did not start", { $0.failure = "did not start" }),
    (
      "made 199 pictures of 200",
      {
        $0.framesOut = 199
        $0.decoding?.frames = 199
      }
    ),
    (
      "",
      {
        $0.framesOut = nil
        $0.decoding?.frames = 150
      }
    ),
    (
      "",
      {
        $0.decoding = nil
        $0.color = nil
        $0.bitRate = nil
        $0.keyFrameDistance = nil
      }
    ),
    ("made a stream of which 0 of 200 pictures can be decoded", { $0.decoding?.frames = 0 }),
    (
      "made pictures that are not those that went in (33 of 255 beside them on average)",
      { $0.decoding?.meanError = 33 }
    ),
    ("", { $0.decoding?.meanError = 31.9 }),
    ("makes 59 of 60 frames a second here", { $0.framesPerSecond = 59.5 }),
    (
      "",
      {
        $0.framesPerSecond = 59.5
        $0.isDisturbed = true
      }
    ),
    ("ignores the distance of key frames (15 frames asked, 60 found)", { $0.keyFrameDistance?.found = 60 }),
    ("", { $0.keyFrameDistance?.found = 7 }),
    ("missed the bit rate by 25 % (10 Mbit/s for 8 Mbit/s)", { $0.bitRate?.found = 10_000_000 }),
    ("missed the bit rate by 20 % (6.4 Mbit/s for 8 Mbit/s)", { $0.bitRate?.found = 6_400_000 }),
    ("", { $0.bitRate?.found = 9_190_000 }),
    (
      "writes streams that cannot be made to say their colour (they say ? ?/?/?)",
      { $0.color = .init(signalled: "? ?/?/?", isSignalled: false, isCompleted: false) }
    ),
    ("", { $0.color?.isSignalled = false }),
  ]

  @Test(arguments: faults.indices)
  func findingsAreJudged(_ row: Int) {
    let (sentence, change) = Self.faults[row]
    let faults = Self.finding(200, change).faults(at: Fraction(60))
    #expect(faults.map(\.description) == (sentence.isEmpty ? [] : [sentence]))
  }

  // MARK: Which encoder

  /// Two in hardware, one in software: the hardware is x265enc and openh264enc under another flag.
  private static func planner(
    _ findings: [String: EncoderFinding], untried: Set<String> = [], evidence: EncoderEvidence = EncoderEvidence()
  ) throws -> RecordingPlanner {
    let encoders = try library.encoders().map { profile in
      var profile = profile
      profile.isHardware = ["openh264enc", "x265enc"].contains(profile.element)
      if profile.isHardware { profile.speeds = [] }
      return profile
    }
    var evidence = evidence
    for (name, finding) in findings { evidence.add(finding, for: subject(name)) }
    for name in untried { evidence.add(untried: "no program can do it", for: subject(name)) }
    return RecordingPlanner(
      encoders: encoders, containers: try library.containers(), installedElements: elements, processorCount: 2,
      evidence: evidence)
  }

  private static let elements: Set<String> = [
    "x264enc", "openh264enc", "x265enc", "h264parse", "h265parse", "v4l2src", "capsfilter", "queue", "identity",
    "jpegdec", "capssetter", "mp4mux", "filesink", "tee", "videoscale",
  ]

  private static func subject(_ element: String, speed: String? = nil) -> EncoderSubject {
    EncoderSubject(element: element, speed: speed, dimensions: size, format: .i420)
  }

  private static func plan(_ encoders: [String], _ planner: RecordingPlanner) throws -> RecordingPlan {
    var preset = try library.preset("720p60")
    preset.encoders = encoders
    let format = ColorPlannerTests.mode(.jpeg, "2:4:7:1").format
    return try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: [format], location: "a.mp4")
  }

  private static let list = ["x265enc", "openh264enc", "x264enc"]
  private static let dead = finding { $0.failure = "did not start" }
  private static let slow = finding(40)
  private static let keyless = finding { $0.keyFrameDistance?.found = 200 }
  private static let loose = finding { $0.bitRate?.found = 16_000_000 }

  @Test func softwareThatShipsNeedsNoTrial() throws {
    let plan = try Self.plan(["x264enc"], try Self.planner([:]))
    #expect(plan.trial == nil && plan.encoder.element == "x264enc")
  }

  @Test func hardwareIsToBeTriedAtWhatItWillRecord() throws {
    let plan = try Self.plan(Self.list, try Self.planner([:]))
    let trial = try #require(plan.trial)
    #expect(trial.subject == Self.subject("x265enc"))
    #expect(trial.frameRate == Fraction(60) && trial.bitRate == 8_000_000 && trial.keyFrameDistance == 15)
    #expect("\(trial.colorimetry)" == "1:4:5:1" && trial.codec == "h265")
    #expect(trial.nodes.map(\.name) == ["encoder", "parser"])
    let properties = trial.nodes[0].properties
    #expect(properties.contains { $0.name == "key-int-max" && $0.value == .int(15) })
    #expect(
      properties.filter { $0.name == "bitrate" }
        == plan.pipeline.nodes.first { $0.name == "encoder" }?.properties.filter { $0.name == "bitrate" })
  }

  @Test(
    arguments: [
      (["x265enc": finding()], "x265enc", []),
      (["x265enc": dead], "openh264enc", ["x265enc is skipped: it did not start"]),
      (
        ["x265enc": dead, "openh264enc": slow], "x264enc",
        ["x265enc is skipped: it did not start", "openh264enc is skipped: it makes 40 of 60 frames a second here"]
      ),
      (["x265enc": keyless, "openh264enc": finding()], "openh264enc", ["x265enc is skipped: it ignores the distance"]),
      (["x265enc": loose], "x265enc", ["x265enc missed the bit rate by 100 %"]),
    ] as [([String: EncoderFinding], String, [String])])
  func theFirstThatWorksIsTaken(_ findings: [String: EncoderFinding], _ taken: String, _ notes: [String]) throws {
    let plan = try Self.plan(Self.list, try Self.planner(findings))
    #expect(plan.encoder.element == taken)
    #expect(zip(plan.notes, notes).allSatisfy { $0.hasPrefix($1) } && plan.notes.count >= notes.count, "\(plan.notes)")
    #expect(plan.notes.contains { $0.hasPrefix("\(taken) is taken instead") } == (taken != "x265enc"))
  }

  /// What is slow or careless is better than nothing.
  @Test func theFirstThatRecordsAtAllIsTakenWhereNoneIsGood() throws {
    let planner = try Self.planner(["x265enc": Self.dead, "openh264enc": Self.slow])
    let plan = try Self.plan(["x265enc", "openh264enc"], planner)
    #expect(plan.encoder.element == "openh264enc")
    #expect(plan.notes.first == "openh264enc makes 40 of 60 frames a second here")
  }

  @Test func aPinnedOneIsTakenWithItsFaultsOrRefused() throws {
    let plan = try Self.plan(["x265enc"], try Self.planner(["x265enc": Self.keyless]))
    #expect(plan.notes.first?.hasPrefix("x265enc ignores the distance of key frames") == true)
    let error = try #require(throws: PlanningError.self) {
      try Self.plan(["x265enc"], try Self.planner(["x265enc": Self.dead]))
    }
    #expect("\(error)" == "the encoder x265enc did not start")
  }

  @Test func whatCannotBeTriedIsTakenAndSaid() throws {
    let plan = try Self.plan(Self.list, try Self.planner([:], untried: ["x265enc"]))
    #expect(plan.encoder.element == "x265enc" && plan.trial == nil)
    #expect(plan.notes.first == "x265enc was not tried first: no program can do it")
  }

  /// The second file has an encoder of its own, for pictures of its own size.
  @Test func theEncoderOfAProxyIsProvenToo() throws {
    var preset = try Self.library.preset("720p60")
    var wish = ProxyWish()
    (wish.encoders, wish.scale) = (["openh264enc", "x264enc"], VideoDimensions(width: 320, height: 180))
    wish.bitRate = BitRate(bitsPerSecond: 2000)
    preset.proxy = wish
    let format = ColorPlannerTests.mode(.jpeg, "2:4:7:1").format
    func plan(_ planner: RecordingPlanner) throws -> RecordingPlan {
      try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: [format], location: "a.mp4")
    }
    let trial = try #require(try plan(try Self.planner([:])).trial)
    #expect(trial.subject.element == "openh264enc" && trial.subject.dimensions == wish.scale)
    #expect(trial.bitRate == 69_120, "a trial with too few bits tells nothing")
    var evidence = EncoderEvidence()
    evidence.add(Self.dead, for: trial.subject)
    let after = try plan(try Self.planner([:], evidence: evidence))
    #expect(after.proxy?.encoder.element == "x264enc" && after.trial == nil)
    #expect(after.notes.contains("openh264enc is skipped: it did not start"))
  }

  // MARK: Which speed

  /// Frames a second of x264's speeds, both cores at work.
  private static func speeds(_ rates: [String: Double]) -> [String: EncoderFinding] {
    rates.mapValues { finding($0) }
  }

  private static func speed(
    _ measured: [String: EncoderFinding], cores: Int = 2, layout: PixelFormat = .nv12
  ) throws -> RecordingPlan {
    var evidence = EncoderEvidence()
    for (speed, finding) in measured {
      let subject = EncoderSubject(element: "x264enc", speed: speed, dimensions: size, format: layout)
      evidence.add(finding, for: subject)
    }
    let planner = RecordingPlanner(
      encoders: try library.encoders(), containers: try library.containers(), installedElements: elements,
      processorCount: cores, evidence: evidence)
    return try plan(["x264enc"], planner)
  }

  @Test(
    arguments: [
      ([:], "superfast", .file),
      // 0.21 of a core decodes the JPEGs; 60 of 86 frames of two cores are 1.4: more than 1.6 of 2.
      (["ultrafast": 200, "superfast": 120, "veryfast": 86], "superfast", .measured(120)),
      (["ultrafast": 200, "superfast": 120, "veryfast": 88], "veryfast", .measured(88)),
      (
        ["ultrafast": 900, "superfast": 700, "veryfast": 500, "faster": 300, "fast": 200, "medium": 150], "medium",
        .measured(150)
      ),
      (["ultrafast": 50, "superfast": 30], "ultrafast", .measured(50)),
      // The fastest of those tried does not hold: a faster one, of which nothing is known.
      (["superfast": 70], "ultrafast", .file),
    ] as [([String: Double], String, SpeedBasis)])
  func theSlowestThatLeavesHeadroomIsTaken(_ rates: [String: Double], _ speed: String, _ basis: SpeedBasis) throws {
    let plan = try Self.speed(Self.speeds(rates))
    #expect(plan.speed == speed && plan.speedBasis == basis)
    #expect(plan.speedLadder.last?.speed == (plan.speedLadder.isEmpty ? nil : speed))
  }

  /// One thread that does all the work is the limit, however many cores there are.
  @Test func oneThreadIsALimit() throws {
    let plan = try Self.speed(
      ["ultrafast": Self.finding(100, cores: 1), "superfast": Self.finding(70, cores: 1)], cores: 8)
    #expect(plan.speed == "ultrafast")
  }

  @Test func figuresOfABusyMachineAreNotBelieved() throws {
    let disturbed = Self.finding(300) { $0.isDisturbed = true }
    #expect(try Self.speed(["ultrafast": disturbed, "medium": disturbed]).speedBasis == .file)
  }

  @Test func anotherDepthIsAnotherCost() throws {
    let plan = try Self.speed(Self.speeds(["medium": 500]), layout: PixelFormat(named: "I420_10LE"))
    #expect(plan.speed == "superfast" && plan.speedBasis == .file)
  }

  // MARK: As JSON

  @Test func aTrialIsTheSameWhenItIsReadAgain() throws {
    let trial = try #require(try Self.plan(Self.list, try Self.planner([:])).trial)
    let read = try JSONDecoder().decode(EncoderTrial.self, from: try JSONEncoder().encode(trial))
    #expect(read.subject == trial.subject && read.frameRate == trial.frameRate && read.colorimetry == trial.colorimetry)
    #expect(
      read.nodes.map { "\($0.properties.map { "\($0.name)=\($0.value)" })" }
        == trial.nodes.map { "\($0.properties.map { "\($0.name)=\($0.value)" })" })
    let found = Self.finding { $0.decoding = nil }
    #expect(try JSONDecoder().decode(EncoderFinding.self, from: try JSONEncoder().encode(found)) == found)
  }
}
