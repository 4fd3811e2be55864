/// The ledger's sum over simulated streams: what the camera made is what was written and what was lost, each at its place.

import GStreamer
import Testing

@testable import Capstan

/// A camera, what becomes of each of its frames, and what the recorder is told meanwhile, all by a seed.
private struct SimulatedStream {
  enum Fate: CaseIterable { case written, driver, queue, corrupt, encoder, muxer }

  struct Frame {
    var slot: Int
    var info: BufferInfo
    var fate: Fate
  }

  struct Command {
    /// A frame's place.
    var after: Int
    var pauses: Bool
  }

  private(set) var frames: [Frame] = []
  private(set) var commands: [Command] = []
  private(set) var limit = FrameLimit()
  private(set) var period: Int64 = 0
  private(set) var keyFrames: Int?
  private var generator: RandomNumbers

  init(seed: UInt64) {
    generator = RandomNumbers(seed: seed)
    let rate = generator.pick([30.0, 60, 59.94, 7013.0 / 117, 15, 120])
    period = Int64(1e9 / rate)
    keyFrames = generator.chance(0.3) ? generator.pick([5, 12, 30]) : nil
    let count = generator.pick([40, 150, 400])
    if generator.chance(0.5) { commands = pauses(within: count) }
    chooseLimit(count)
    // What takes its place by time has to come in time: behind a pause, and where the numbers begin anew.
    let renumbered = generator.chance(0.3) ? generator.number(10..<count) : nil
    let jitter = commands.isEmpty && renumbered == nil ? 0.42 : 0.1
    makeFrames(count, jitter: jitter, first: generator.pick([0, 1, 900]), renumbered)
  }

  private mutating func pauses(within count: Int) -> [Command] {
    let places = (0..<generator.pick([2, 3, 4])).map { _ in generator.number(2..<count) }.sorted()
    return places.enumerated().map { Command(after: $1, pauses: $0 % 2 == 0) }
  }

  private mutating func chooseLimit(_ count: Int) {
    switch generator.number(0..<3) {
    case 0: limit.frames = generator.number(1..<count)
    case 1: limit.duration = Int64(generator.number(1..<count)) * period
    default: break
    }
  }

  private mutating func makeFrames(_ count: Int, jitter: Double, first: Int, _ renumbered: Int?) {
    let trouble = generator.pick([0, 0.02, 0.3])
    let skipsOne = generator.chance(0.5)
    var base = first
    for slot in 0..<count {
      if slot == renumbered { base += generator.pick([-first - slot, 5000]) }
      // The first three tell how the numbers begin.
      let isEarly = slot < 3
      let wave = generator.share() * 2 - 1
      let pts = Int64(slot) * period + Int64(wave * (isEarly ? 0.1 : jitter) * Double(period)) + 3_000_000_000
      let number = slot == 0 ? base : base + slot + (skipsOne ? 1 : 0)
      var fate = Fate.written
      if !isEarly, generator.chance(trouble) { fate = generator.pick(Array(Fate.allCases.dropFirst())) }
      // Where it counts anew nothing is missing: what is could be anything.
      if let renumbered, (renumbered - 1...renumbered).contains(slot) { fate = .written }
      let isDelta = keyFrames.map { slot % $0 != 2 } ?? false
      let info = BufferInfo(pts: pts, offset: UInt64(max(0, number)), size: 100, isDelta: isDelta)
      frames.append(Frame(slot: slot, info: info, fate: fate))
    }
  }

  // MARK: The run

  struct Outcome {
    var counts: FrameLedger.Counts
    /// Frames that the camera made, of the recording, by what became of them.
    var truth: [Fate: Int]
    var expected: Int { truth.values.reduce(0, +) }
  }

  /// Frames go by with those behind them at various distances, as queues have them.
  mutating func run() -> Outcome {
    let ledger = FrameLedger(limit: limit, period: period, startsOnKeyFrame: keyFrames != nil) { _ in }
    var (queue, coded) = ([Frame](), [Frame]())
    var truth = Truth(limit: limit, period: period, hasKeys: keyFrames != nil)
    for frame in frames {
      if frame.fate != .driver {
        ledger.captured(frame.info)
        queue.append(frame)
      }
      truth.made(frame)
      while !queue.isEmpty, generator.chance(0.7) { pass(queue.removeFirst(), ledger, &truth, &coded) }
      for command in commands where command.after == frame.slot {
        let didChange = command.pauses ? ledger.pause() : ledger.resume()
        if didChange { truth.hear(command) }
      }
    }
    for frame in queue { pass(frame, ledger, &truth, &coded) }
    for frame in coded { finish(frame, ledger) }
    return Outcome(counts: ledger.counts(.drained), truth: truth.sum)
  }

  private func pass(_ frame: Frame, _ ledger: FrameLedger, _ truth: inout Truth, _ coded: inout [Frame]) {
    if frame.fate == .queue { return }
    ledger.passed(.dequeued, frame.info)
    if frame.fate == .corrupt { return ledger.refused(frame.info) }
    truth.arrived(frame)
    if ledger.admit(frame.info) == .pass { coded.append(frame) }
    // The encoder gives frames out of order.
    while coded.count > 3 { finish(coded.remove(at: coded.count % 2), ledger) }
  }

  private func finish(_ frame: Frame, _ ledger: FrameLedger) {
    if frame.fate == .encoder { return }
    ledger.passed(.encoded, frame.info)
    if frame.fate != .muxer { ledger.passed(.muxed, frame.info) }
  }

  /// What has to come out, from the frames' own places: kept apart from the code under test.
  private struct Truth {
    let limit: FrameLimit
    let period: Int64
    let hasKeys: Bool
    private var all: [Frame] = []
    private var paused: Set<Int> = []
    private var isPaused = false
    private var waitsForKey = false
    private var lastCaptured = -1
    private var resumedAfter = -1
    private var first: Int?
    private var accepted = 0
    private var end: Int?
    /// Frames of the recording up to here.
    private var inside = 0
    private var looked: Int?

    init(limit: FrameLimit, period: Int64, hasKeys: Bool) {
      self.limit = limit
      self.period = period
      self.hasKeys = hasKeys
    }

    mutating func made(_ frame: Frame) {
      all.append(frame)
      if frame.fate != .driver {
        // Those that are missing before it are where it is.
        for slot in lastCaptured + 1...frame.slot where isPaused { paused.insert(slot) }
        lastCaptured = frame.slot
      }
    }

    mutating func hear(_ command: Command) {
      isPaused = command.pauses
      if !isPaused {
        waitsForKey = hasKeys && accepted > 0
        resumedAfter = lastCaptured
      }
    }

    mutating func arrived(_ frame: Frame) {
      guard end == nil, !paused.contains(frame.slot) else { return }
      if hasKeys, accepted == 0, frame.info.isDelta { return }
      if waitsForKey, frame.slot > resumedAfter {
        if frame.info.isDelta {
          for slot in resumedAfter + 1...frame.slot { paused.insert(slot) }
          return
        }
        waitsForKey = false
      }
      accept(frame)
    }

    private mutating func accept(_ frame: Frame) {
      let start = first ?? frame.slot
      first = start
      if let room = limit.duration {
        let places = Int(room / period)
        for slot in (looked ?? start)...frame.slot where !paused.contains(slot) {
          inside += 1
          if inside > places {
            end = slot
            return
          }
        }
        looked = frame.slot + 1
        accepted += 1
        if inside == places { end = frame.slot + 1 }
        return
      }
      accepted += 1
      if accepted == limit.frames { end = frame.slot + 1 }
    }

    var sum: [Fate: Int] {
      let start = hasKeys ? first ?? .max : 0
      let within = all.filter {
        $0.slot >= start && $0.slot < (end ?? lastCaptured + 1) && !paused.contains($0.slot)
      }
      return Dictionary(grouping: within, by: \.fate).mapValues(\.count)
    }
  }

}

/// SplitMix64.
private struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }
  mutating func chance(_ share: Double) -> Bool { self.share() < share }
  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }
}

@Suite struct LedgerSumTests {
  @Test func everyFrameHasItsPlace() {
    var (limited, lost, paused) = (0, 0, 0)
    for seed in UInt64(0)..<1000 {
      var stream = SimulatedStream(seed: seed)
      let outcome = stream.run()
      let (counts, truth) = (outcome.counts, outcome.truth)
      #expect(counts.ledger.difference == 0, "seed \(seed): \(counts)")
      #expect(counts.expected == outcome.expected, "seed \(seed): \(counts.expected) for \(truth)")
      #expect(counts.written == truth[.written] ?? 0, "seed \(seed)")
      let places = [counts.lost.driver, counts.lost.queue, counts.lost.corrupt, counts.lost.encoder, counts.lost.muxer]
      let told = [.driver, .queue, .corrupt, .encoder, .muxer].map { (fate: SimulatedStream.Fate) in truth[fate] ?? 0 }
      #expect(places == told, "seed \(seed)")
      limited += stream.limit.duration == nil ? 0 : 1
      lost += counts.lost.total
      paused += counts.pausedFrames
    }
    #expect(limited > 200 && lost > 5000 && paused > 1000, "streams without trouble would prove nothing")
  }
}
