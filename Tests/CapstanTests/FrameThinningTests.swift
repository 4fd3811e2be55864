/// Frames are left out evenly, as many as must be, and only where nothing else helps; and what is said about it.

import MediaFormats
import Testing

@testable import Capstan

@Suite struct FrameThinningTests {
  @Test(arguments: [(0.84, false, false), (0.85, false, true), (0.85, true, false), (1.0, true, false)])
  func begins(_ fill: Double, _ hasFaster: Bool, _ isOn: Bool) {
    var thinning = FrameThinning()
    let begins = thinning.look(fill: fill, hasFaster: hasFaster)
    #expect(begins == isOn)
    #expect(thinning.isOn == isOn)
  }

  /// A queue that gets emptier by itself needs no help.
  @Test func leavesAFallingQueueAlone() {
    var thinning = FrameThinning()
    let looks = [(0.95, true), (0.9, false), (0.91, false)].map { thinning.look(fill: $0.0, hasFaster: $0.1) }
    #expect(looks == [false, false, true])
  }

  @Test func isToldOnce() {
    var thinning = FrameThinning()
    let looks = [0.86, 0.9, 1].map { thinning.look(fill: $0, hasFaster: false) }
    #expect(looks == [true, false, false])
  }

  /// One of so many, after each of these fills was seen, beginning with one of two at 0.85.
  @Test(arguments: [
    ([0.85, 0.86, 0.85], [2, 2, 2]), ([0.87, 0.89, 0.91], [3, 4, 5]), ([0.94, 0.94, 0.94], [3, 4, 5]),
    ([0.8, 0.76, 0.84], [2, 2, 2]), ([0.74], [1]), ([0.88, 0.8, 0.86], [3, 3, 4]),
    ([0.88, 0.94, 0.74, 0.73, 0.72, 0.6], [3, 4, 3, 3, 2, 1]), ([0.88, 0.74, 0.8, 0.9], [3, 2, 2, 3]),
  ])
  func followsTheQueue(_ fills: [Double], _ intervals: [Int]) {
    var thinning = FrameThinning()
    _ = thinning.look(fill: 0.85, hasFaster: false)
    let found = fills.map { fill in
      while !thinning.passes(fill: { fill }) {}
      return thinning.interval
    }
    #expect(found == intervals)
  }

  @Test(arguments: [2, 3, 5]) func takesEveryFrameOfSoMany(_ interval: Int) {
    var thinning = FrameThinning()
    #expect(!Self.passes(&thinning, 8).contains(false))
    _ = thinning.look(fill: 0.85, hasFaster: false)
    while thinning.interval < interval { _ = thinning.passes { 0.95 } }
    while !thinning.passes(fill: { 0.8 }) {}
    let passed = Self.passes(&thinning, 6 * interval)
    #expect(passed == (1...(6 * interval)).map { $0.isMultiple(of: interval) })
    thinning.end()
    #expect(!Self.passes(&thinning, 8).contains(false))
  }

  private static func passes(_ thinning: inout FrameThinning, _ count: Int) -> [Bool] {
    (0..<count).map { _ in thinning.passes { 0.8 } }
  }
}

@Suite struct KeyFrameSkippingTests {
  /// Frames as letters, `K` for one that stands alone; what passes.
  @Test(arguments: [
    ("KdddKddd", [0.5], "KdddKddd"), ("KddKdddKdKdd", [0.95], "KddKK" + "K"), ("Kddddd", [1], "Kddddd"),
    ("dddKdKdd", [1], "dddKdK"), ("KdKddKdd", [0.96, 0.2], "KdKKdd"),
  ])
  func skipsToTheNextKeyFrame(_ frames: String, _ fills: [Double], _ passed: String) {
    var (skipping, asked) = (KeyFrameSkipping(), 0)
    let found = frames.filter { frame in
      skipping.passes(isDelta: frame == "d") {
        defer { asked += 1 }
        return fills[min(asked, fills.count - 1)]
      }
    }
    #expect(found == passed)
  }
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
        "This machine encodes about 40 of 60 frames a second with x264enc at ultrafast: while that lasts, "))
  }

  @Test(arguments: [
    (60.0, 41.0, "up to every second frame is left out evenly"),
    (60, 30, "up to every second frame is left out evenly"),
    (60, 25, "about 2 of 3 frames are left out evenly"), (60, 13, "about 4 of 5 frames are left out evenly"),
    (60, 0, "about 99 of 100 frames are left out evenly"),
  ])
  func saysHowMuchIsLeftOut(_ asked: Double, _ done: Double, _ loss: String) {
    let size = VideoDimensions(width: 1280, height: 720)
    let capacity = MachineCapacity(asked: asked, done: done, dimensions: size, encoder: "x264enc")
    #expect(capacity.sentence.contains(": while that lasts, \(loss) and counted as lost; "), "\(capacity.sentence)")
  }
}
