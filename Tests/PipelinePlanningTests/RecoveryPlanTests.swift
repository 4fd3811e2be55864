/// What follows from a recovery point, by table.

import Foundation
import MediaFormats
import PipelinePlanning
import Testing

@Suite struct RecoveryPlanTests {
  @Test(arguments: [
    // Asked, the encoder's delay, fragment, synchronisation in milliseconds, and whether it can be held.
    (1000, 0, 500, 250, true), (1000, 200, 400, 200, true), (200, 0, 100, 50, true), (400, 66, 160, 83, true),
    (400, 600, 100, 50, false), (60_000, 0, 10_000, 15_000, true),
  ])
  func partsOfATime(_ asked: Int, _ delay: Int, _ fragment: Int, _ synchronization: Int, _ isHeld: Bool) {
    let plan = RecoveryPlan(asked: .milliseconds(asked), encoderDelay: .milliseconds(delay))
    #expect(plan.fragment == .milliseconds(fragment))
    #expect(abs((plan.synchronization - .milliseconds(synchronization)).inSeconds) < 0.001)
    #expect(plan.isHeld == isHeld)
  }

  @Test(arguments: [
    ("mp4", "fragment-duration", 167), ("mov", "fragment-duration", 167), ("mkv", "max-cluster-duration", 167_000_000),
    ("webm", "max-cluster-duration", 167_000_000),
  ])
  func eachContainerHasAWordForIt(_ name: String, _ property: String, _ value: Int) throws {
    let container = try #require(try ProfileLibrary.standard.containers().first { $0.name == name })
    let settings = container.settings(fragment: .milliseconds(167), rate: nil)
    #expect(settings.first { $0.name == property }?.value == .int(value))
  }

  @Test(
    arguments: [
      ("msdos", nil, 4_294_967_295), ("vfat", 1 << 40, 4_294_967_295), ("msdos", 1 << 20, 1 << 20),
      ("ext3/ext4", nil, nil),
      (nil, 5000, 5000), (nil, nil, nil),
    ] as [(String?, Int64?, Int64?)])
  func theLargestFileOfAPlace(_ fileSystem: String?, _ processLimit: Int64?, _ wanted: Int64?) {
    #expect(FileCeiling(fileSystem: fileSystem, processLimit: processLimit)?.bytes == wanted)
  }
}
