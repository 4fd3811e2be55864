/// Which speeds a recording may change between, by table: only those of a speed that nobody chose.

import Foundation
import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct SpeedLadderTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  private static func plan(cores: Int = 4, _ change: (inout Preset) -> Void = { _ in }) throws -> RecordingPlan {
    let encoders = try library.encoders()
    let planner = RecordingPlanner(
      encoders: encoders, containers: try library.containers(),
      installedElements: Set(encoders.flatMap { [$0.element, $0.parser ?? ""] })
        .union([
          "v4l2src", "capsfilter", "queue", "identity", "jpegdec", "capssetter", "mp4mux", "matroskamux", "filesink",
        ]),
      processorCount: cores)
    var preset = try library.preset("720p60")
    change(&preset)
    let format = ColorPlannerTests.mode(.jpeg, "2:4:7:1").format
    return try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: [format], location: "a.mp4")
  }

  @Test(arguments: [
    (1, []), (2, ["ultrafast", "superfast"]), (4, ["ultrafast", "superfast", "veryfast", "faster"]),
    (16, ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium"]),
  ])
  func reachesFromTheFastestToTheChosen(_ cores: Int, _ speeds: [String]) throws {
    let plan = try Self.plan(cores: cores)
    #expect(plan.speedLadder.map(\.speed) == speeds)
    #expect(speeds.isEmpty || plan.speed == speeds.last)
  }

  @Test func thePipelineHasTheSlowest() throws {
    let plan = try Self.plan()
    #expect(plan.pipeline.nodes.first { $0.name == NodeName.encoder } == plan.speedLadder.last?.node)
  }

  @Test func rungsDifferInTheirSpeedAndPins() throws {
    let rungs = try Self.plan().speedLadder
    for rung in rungs {
      let speed = rung.node.properties.filter { $0.name == "speed-preset" }.map(\.value)
      #expect(speed == [.string(rung.speed)])
    }
    let own = ["speed-preset", "option-string"]
    #expect(Set(rungs.map { $0.node.properties.filter { !own.contains($0.name) } }).count == 1)
    #expect(rungs.allSatisfy { $0.node.properties.contains { $0.name == "option-string" } })
  }

  @Test(
    arguments: [
      ("speed", nil), ("encoderOptions", "speed-preset"), ("encoderOptions", "option-string"),
      ("encoderOptions", "bframes"),
    ] as [(String, String?)])
  func whatIsChosenStays(_ key: String, _ option: String?) throws {
    let plan = try Self.plan { preset in
      if let option {
        preset.encoderOptions[option] = option == "bframes" ? "2" : "faster"
      } else {
        preset.speed = "faster"
      }
    }
    #expect(plan.speedLadder.isEmpty)
    let line = "\(LaunchLine(plan.pipeline))"
    #expect(option == "option-string" || !line.contains("option-string"))
  }

  @Test func otherOptionsDoNotMatter() throws {
    let plan = try Self.plan { $0.encoderOptions["threads"] = "2" }
    #expect(plan.speedLadder.count == 4)
    #expect(plan.speedLadder.allSatisfy { $0.node.properties.contains { $0.name == "threads" } })
  }

  @Test(arguments: [
    ("switchable: [{ speeds: ['a', 'c'] }]", "speed.switchable[0].speeds: \"c\" is not among the speeds"),
    ("switchable: [{ speed: ['a'] }]", "speeds is near"), ("switchable: [{}]", "speed.switchable[0].speeds"),
  ])
  func mistakesAreTold(_ text: String, _ message: String) throws {
    let profile = """
      { element: 'x', codec: 'h264', inputs: ['I420'], bitrate: { property: 'b', bitsPerUnit: 1 }, keyFrameInterval: 'k',
        speed: { property: 's', megapixelsPerCore: { a: 2, b: 1 }, \(text) } }
      """
    do throws(ConfigurationError) {
      _ = try EncoderProfile(file: "x.json5", json5: Data(profile.utf8))
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
