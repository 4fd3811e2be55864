/// Every second frame, and only where nothing else helps; and what is said about it.

import MediaFormats
import Testing

@testable import Capstan

@Suite struct FrameThinningTests {
  @Test(arguments: [
    (0.49, false, false), (0.5, false, true), (0.5, true, false), (0.74, true, false), (0.75, true, true),
    (1.0, false, true),
  ])
  func begins(_ fill: Double, _ hasFaster: Bool, _ isOn: Bool) {
    var thinning = FrameThinning()
    let begins = thinning.look(fill: fill, hasFaster: hasFaster)
    #expect(begins == isOn)
    #expect(thinning.isOn == isOn)
  }

  /// A queue that gets emptier by itself needs no help.
  @Test func leavesAFallingQueueAlone() {
    var thinning = FrameThinning()
    let looks = [(0.7, true), (0.6, false), (0.61, false)].map { thinning.look(fill: $0.0, hasFaster: $0.1) }
    #expect(looks == [false, false, true])
  }

  @Test func endsBelowAQuarter() {
    var thinning = FrameThinning()
    let states = [0.5, 0.4, 0.25, 0.24, 0.4].map { fill in
      _ = thinning.look(fill: fill, hasFaster: false)
      return thinning.isOn
    }
    #expect(states == [true, true, true, false, false])
  }

  @Test func takesEverySecondFrame() {
    var thinning = FrameThinning()
    #expect(!Self.passes(&thinning).contains(false))
    _ = thinning.look(fill: 0.6, hasFaster: false)
    let passed = Self.passes(&thinning)
    #expect(passed.count { $0 } == 4 && zip(passed, passed.dropFirst()).allSatisfy { $0 != $1 }, "\(passed)")
    thinning.end()
    #expect(!Self.passes(&thinning).contains(false))
  }

  private static func passes(_ thinning: inout FrameThinning) -> [Bool] { (0..<8).map { _ in thinning.passes() } }
}

@Suite struct MachineCapacityTests {
  @Test(arguments: [
    (60.0, 41.0, 1280, 720, "30 fps or 960x540 would fit"), (60, 57, 1920, 1080, "50 fps or 1280x720 would fit"),
    (30, 14, 3840, 2160, "10 fps or 1920x1080 would fit"), (60, 1, 320, 180, "a smaller size would help"),
    (7.5, 6, 640, 480, "5 fps or 480x360 would fit"), (59.94, 59, 720, 576, "50 fps or 676x540 would fit"),
  ])
  func saysWhatWouldFit(_ asked: Double, _ done: Double, _ width: Int, _ height: Int, _ advice: String) {
    let size = VideoDimensions(width: width, height: height)
    let capacity = MachineCapacity(asked: asked, done: done, dimensions: size, encoder: "x264enc at ultrafast")
    #expect(capacity.sentence.hasSuffix("; \(advice)."), "\(capacity.sentence)")
  }

  @Test func namesTheFigures() {
    let size = VideoDimensions(width: 1280, height: 720)
    let capacity = MachineCapacity(asked: 60, done: 40.6, dimensions: size, encoder: "x264enc at ultrafast")
    #expect(
      capacity.sentence.hasPrefix(
        "This machine encodes about 41 of 60 frames a second with x264enc at ultrafast, so every second frame"))
  }
}
