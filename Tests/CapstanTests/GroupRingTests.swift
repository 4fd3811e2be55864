/// What is kept for a replay: whole groups of pictures, far enough back, within its memory whatever comes.

import Testing

@testable import Capstan

@Suite struct GroupRingTests {
  private typealias Ring = GroupRing<Int>

  /// Frames at ten a second, each tenth of which can be decoded by itself.
  private func fill(_ ring: inout GroupRing<Int>, _ numbers: Range<Int>, size: Int = 1000, distance: Int = 10) {
    for number in numbers {
      _ = ring.add(number, time: Int64(number) * 100_000_000, bytes: size, isKey: number % distance == 0)
    }
  }

  @Test func beginsAtTheKeyFrameFarEnoughBack() {
    var ring = Ring(length: 3_000_000_000, room: 1 << 20)
    fill(&ring, 0..<105)
    // 7.4 s is 3 s back, and the key frame before it is at 7 s.
    #expect(ring.latest == Array(70..<105))
    fill(&ring, 105..<111)
    #expect(ring.latest == Array(80..<111), "8 s is exactly far enough back")
  }

  @Test func beforeItIsFullEverythingIsThere() {
    var ring = Ring(length: 30_000_000_000, room: 1 << 20)
    #expect(ring.latest.isEmpty && ring.span == 0)
    fill(&ring, 3..<25)
    #expect(ring.latest == Array(10..<25), "what comes before a key frame cannot be decoded")
    #expect(ring.count == 15 && ring.span == 1_400_000_000)
  }

  @Test func theMemoryBoundsWhatIsKept() {
    var ring = Ring(length: 30_000_000_000, room: 50 * (1000 + Ring.overhead))
    fill(&ring, 0..<205)
    #expect(ring.latest == Array(160..<205) && ring.bytes <= ring.room)
  }

  /// A stream without key frames: they are asked for, and without an answer nothing can be kept.
  @Test func aGroupThatIsTooLargeIsNoGroup() {
    var ring = Ring(length: 30_000_000_000, room: 50 * (1000 + Ring.overhead))
    var asked: [Int] = []
    for number in 0..<70 {
      if ring.add(number, time: Int64(number) * 100_000_000, bytes: 1000, isKey: number == 0) { asked.append(number) }
      #expect(ring.bytes <= ring.room)
    }
    #expect(asked.first == 25 && ring.hasOverflowed && ring.latest.isEmpty)
    fill(&ring, 70..<75)
    #expect(ring.latest == Array(70..<75))
  }

  /// Never more than it may take, and always from a key frame on without a hole, whatever the sizes.
  @Test(arguments: 0..<50) func whateverComes(_ seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var ring = Ring(length: Int64(1 + random(9)) * 1_000_000_000, room: 20_000 + random(400_000))
    var keys: Set<Int> = []
    for number in 0..<600 {
      let isKey = random(12) == 0
      if isKey { keys.insert(number) }
      _ = ring.add(number, time: Int64(number) * 100_000_000, bytes: random(8000), isKey: isKey)
      #expect(ring.bytes <= ring.room)
      let latest = ring.latest
      guard let first = latest.first else { continue }
      #expect(keys.contains(first) && latest == Array(first...number))
    }
  }

  /// Pictures that others are coded from come before them.
  @Test func aReplayEndsWhereNoPictureIsMissing() {
    #expect(Ring.closed([]) == 0 && Ring.closed([1]) == 1 && Ring.closed([0, 1, 2]) == 3)
    #expect(Ring.closed([0, 3, 1, 2, 6, 4]) == 4)
    #expect(Ring.closed([0, 3, 1, 2, 6, 4, 5]) == 4, "whether 6 is the last of its group shows with the next one")
    #expect(Ring.closed([0, 3, 1, 2, 6, 4, 5, 9]) == 7)
    #expect(Ring.closed([0, 3, 1]) == 1)
  }
}
