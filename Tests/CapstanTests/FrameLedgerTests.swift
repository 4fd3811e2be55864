/// The ledger by table: exact limits, and a cause for each missing frame.

import GStreamer
import Synchronization
import Testing

@testable import Capstan

@Suite struct FrameLedgerTests {
  private static let period: Int64 = 16_666_667

  private func frame(_ number: Int, jitter: Int64 = 0) -> BufferInfo {
    BufferInfo(pts: Int64(number) * Self.period + jitter, offset: UInt64(number), size: 100)
  }

  private func ledger(frames: Int? = nil, duration: Duration? = nil, onFull: @escaping @Sendable () -> Void = {})
    -> FrameLedger
  {
    FrameLedger(
      limit: FrameLimit(frames: frames, duration: duration?.nanoseconds), period: Self.period
    ) { _ in onFull() }
  }

  @Test func exactlyAsManyFramesAsAsked() {
    let calls = Atomic<Int>(0)
    let ledger = ledger(frames: 600) { calls.add(1, ordering: .relaxed) }
    let admitted = (0..<1000).count { ledger.admit(frame($0)) == .pass }
    #expect(admitted == 600)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  /// Capture times waver by milliseconds: ten seconds at sixty are six hundred frames all the same.
  @Test(arguments: [Int64(0), 4_000_000, -4_000_000])
  func durationIsExactToTheFrame(_ jitter: Int64) {
    let ledger = ledger(duration: .seconds(10))
    #expect((0..<1000).count { ledger.admit(frame($0, jitter: $0 == 0 ? 0 : jitter)) == .pass } == 600)
  }

  @Test func gapsInTheDriversNumbers() {
    let ledger = ledger()
    for number in [5, 6, 9, 10, 20] { ledger.captured(frame(number)) }
    #expect(ledger.counts(.drained).lost.driver == 2 + 9)
  }

  /// v4l2src numbers the first frame 0 and the next 2, though none is missing.
  @Test func firstGapIsJudgedByTime() {
    func frame(_ number: UInt64, at place: Int) -> BufferInfo {
      BufferInfo(pts: Int64(place) * Self.period, offset: number, size: 100)
    }
    let whole = ledger()
    for (number, place) in [(0, 0), (2, 1), (3, 2)] { whole.captured(frame(UInt64(number), at: place)) }
    #expect(whole.counts(.drained).lost.driver == 0)
    let broken = ledger()
    for (number, place) in [(0, 0), (5, 4), (6, 5)] { broken.captured(frame(UInt64(number), at: place)) }
    #expect(broken.counts(.drained).lost.driver == 3)
  }

  @Test func eachLossHasItsPlace() {
    let ledger = ledger()
    for number in 0..<10 { ledger.captured(frame(number)) }
    for number in 0..<9 { ledger.passed(.dequeued, frame(number)) }
    for number in 0..<7 { _ = ledger.admit(frame(number)) }
    for number in 0..<4 { ledger.passed(.encoded, frame(number)) }
    for number in 0..<3 { ledger.passed(.muxed, frame(number)) }
    let lost = ledger.counts(.drained).lost
    #expect(lost.queue == 1 && lost.corrupt == 2 && lost.encoder == 3 && lost.muxer == 1)
  }

  /// Decoded pictures that are kept from the encoder are lost in the queue that they are to help, not damaged ones.
  @Test func leftOutBehindTheDecoder() {
    let ledger = ledger()
    for number in 0..<10 { ledger.captured(frame(number)) }
    for number in 0..<9 { ledger.passed(.dequeued, frame(number)) }
    for number in 0..<9 where number % 3 > 0 { ledger.leftOut(frame(number)) }
    for number in [0, 6] { _ = ledger.admit(frame(number)) }
    let (running, drained) = (ledger.counts(.running).lost, ledger.counts(.drained).lost)
    #expect(running.queue == 6 && running.corrupt == 1)
    #expect(drained.queue == 1 + 6 && drained.corrupt == 1)
  }

  /// What comes in a pause need not be left out for others.
  @Test func knowsWhatCameInAPause() {
    let ledger = ledger()
    ledger.captured(frame(0))
    _ = ledger.pause()
    ledger.captured(frame(1))
    let inPause = [0, 1].map { ledger.isPaused(at: frame($0)) }
    _ = ledger.resume()
    let afterwards = [0, 1, 2].map { ledger.isPaused(at: frame($0)) }
    #expect(inPause == [false, true] && afterwards == [false, true, false])
  }

  /// A pipeline that breaks off has frames everywhere: none of them was lost by the place where it waited.
  @Test func brokenOff() {
    let ledger = ledger()
    for number in 0..<10 { ledger.captured(frame(number)) }
    for number in 0..<8 { ledger.passed(.dequeued, frame(number)) }
    for number in [0, 1, 2, 4] { _ = ledger.admit(frame(number)) }
    for number in 0..<3 { ledger.passed(.encoded, frame(number)) }
    for number in 0..<2 { ledger.passed(.muxed, frame(number)) }
    var counts = ledger.counts(.cutShort)
    #expect(counts.lost.corrupt == 1 && counts.lost.abandoned == 7 && counts.lost.total + counts.written == 10)
    counts.setWritten(1)
    #expect(counts.written == 1 && counts.lost.abandoned == 8)
  }

  @Test func onTheWayIsNotLost() {
    let ledger = ledger()
    for number in 0..<10 { ledger.captured(frame(number)) }
    for number in [0, 1, 2, 4] { ledger.passed(.dequeued, frame(number)) }
    for number in [0, 1, 2] { _ = ledger.admit(frame(number)) }
    #expect(ledger.counts(.running).lost.total == 1, "frame 3 is lost, 5 to 9 are waiting")
  }

  @Test func surplusAfterTheLimitIsNotLost() {
    let ledger = ledger(frames: 3)
    for number in 0..<8 { ledger.captured(frame(number == 7 ? 9 : number)) }
    for number in 0..<6 { ledger.passed(.dequeued, frame(number)) }
    for number in 0..<5 { _ = ledger.admit(frame(number)) }
    for number in 0..<3 { ledger.passed(.encoded, frame(number)) }
    for number in 0..<3 { ledger.passed(.muxed, frame(number)) }
    let counts = ledger.counts(.drained)
    #expect(counts.captured == 3 && counts.written == 3 && counts.lost.total == 0)
  }

  /// A camera that is slower than agreed has lost nothing between its first two frames, whose numbers skip one.
  @Test(arguments: [(33, 33, 0), (17, 17, 0), (33, 17, 1), (50, 50, 0)] as [(Int64, Int64, Int)])
  func theFirstGapIsJudgedByTheTimesThatFollow(_ first: Int64, _ next: Int64, _ lost: Int) {
    let ledger = ledger()
    var (time, told) = (Int64(0), 0)
    for (number, interval) in [(0, 0), (2, first), (3, next), (4, next)] as [(UInt64, Int64)] {
      time += interval * 1_000_000
      told += ledger.captured(BufferInfo(pts: time, offset: number, size: 100))
    }
    #expect(ledger.counts(.running).lost.driver == lost && told == lost)
  }

  /// What the driver numbers as missing at the end of the time that was asked for is missing in the recording.
  @Test func theLastFramesBeforeALimitAreMissed() {
    let ledger = ledger(duration: .seconds(1))
    for number in [0, 1, 2, 57, 63] {
      ledger.captured(frame(number))
      ledger.passed(.dequeued, frame(number))
      if ledger.admit(frame(number)) == .pass {
        for point in [FrameLedger.Point.encoded, .muxed] { ledger.passed(point, frame(number)) }
      }
    }
    let counts = ledger.counts(.drained)
    #expect(counts.expected == 60 && counts.written == 4 && counts.lost.driver == 56)
    #expect(counts.ledger.difference == 0)
  }

  /// A first frame that comes late makes the second none longer.
  @Test(arguments: [Int64(9_000_000), 16_000_000, -9_000_000]) func aLateFirstFrame(_ late: Int64) {
    let ledger = ledger(duration: .seconds(1))
    let admitted = (0..<100).count { number in
      let frame = frame(number, jitter: number == 0 ? late : 0)
      ledger.captured(frame)
      return ledger.admit(frame) == .pass
    }
    #expect(admitted == 60)
  }

  /// A camera that is slower than it says is recorded for as long as asked.
  @Test func aSlowCameraFillsTheTime() {
    let ledger = ledger(duration: .seconds(10))
    let admitted = (0..<1000).count { number in
      let frame = BufferInfo(pts: Int64(number) * 50_000_000, offset: UInt64(number), size: 100)
      ledger.captured(frame)
      return ledger.admit(frame) == .pass
    }
    #expect(admitted == 200)
  }

  /// Numbers begin anew when a camera is back, and two seconds of it are in nobody's numbers.
  @Test func aCameraThatWasGone() {
    let ledger = ledger()
    for number in 0..<60 { ledger.captured(frame(number)) }
    ledger.interrupted()
    for (number, place) in [(0, 180), (2, 181), (3, 182), (5, 184)] {
      ledger.captured(BufferInfo(pts: Int64(place) * Self.period, offset: UInt64(number), size: 100))
    }
    let counts = ledger.counts(.running)
    #expect(counts.expected == 185 && counts.lost.absent == 120 && counts.lost.driver == 1)
  }

  /// Told once, with its time, and no part of any rate.
  @Test func anInterruption() throws {
    let ledger = ledger()
    func pass(_ places: Range<Int>, from first: Int) {
      for place in places {
        let frame = BufferInfo(
          pts: Int64(place) * Self.period, offset: UInt64(place - first), size: 100, isDelta: place % 10 != 0)
        ledger.captured(frame)
        ledger.passed(.dequeued, frame)
        if ledger.admit(frame) == .pass {
          for point in [FrameLedger.Point.encoded, .muxed] { ledger.passed(point, frame) }
        }
      }
    }
    pass(0..<60, from: 0)
    #expect(ledger.takeInterruption(until: nil) == nil)
    ledger.interrupted()
    pass(180..<240, from: 180)
    let told = try #require(ledger.takeInterruption(until: nil))
    #expect(told.time.nanoseconds == 60 * Self.period && told.duration.nanoseconds == 120 * Self.period)
    #expect(told.frames == 120 && ledger.takeInterruption(until: nil) == nil)
    let counts = ledger.counts(.drained)
    #expect(counts.absence == 120 * Self.period && counts.ledger.difference == 0 && counts.lost.total == 120)
  }

  /// What cannot be decoded by itself is as good as not there.
  @Test func aCopiedStreamGoesOnAtAKeyFrame() throws {
    let ledger = FrameLedger(limit: FrameLimit(), period: Self.period, startsOnKeyFrame: true) { _ in }
    func pass(_ place: Int, isDelta: Bool) -> BufferVerdict {
      let frame = BufferInfo(pts: Int64(place) * Self.period, offset: UInt64(place), size: 100, isDelta: isDelta)
      ledger.captured(frame)
      ledger.passed(.dequeued, frame)
      defer { for point in [FrameLedger.Point.encoded, .muxed] { ledger.passed(point, frame) } }
      return ledger.admit(frame)
    }
    #expect((0..<10).count { pass($0, isDelta: $0 > 0) == .pass } == 10)
    ledger.interrupted()
    #expect((20..<25).allSatisfy { pass($0, isDelta: true) == .drop })
    #expect(pass(25, isDelta: false) == .pass && pass(26, isDelta: true) == .pass)
    let told = try #require(ledger.takeInterruption(until: nil))
    #expect(told.frames == 15 && told.duration.nanoseconds == 15 * Self.period)
    #expect(ledger.counts(.running).lost.absent == 15)
  }

  /// Nobody sends a frame that could say that the time is over.
  @Test func timeGoesOnWithoutACamera() {
    let calls = Atomic<Int>(0)
    let ledger = ledger(duration: .seconds(2)) { calls.add(1, ordering: .relaxed) }
    for number in 0..<60 {
      ledger.captured(frame(number))
      _ = ledger.admit(frame(number))
    }
    ledger.interrupted()
    ledger.timePasses(1_900_000_000)
    #expect(calls.load(ordering: .relaxed) == 0)
    for _ in 0..<2 { ledger.timePasses(2_000_000_000) }
    let counts = ledger.counts(.running)
    #expect(calls.load(ordering: .relaxed) == 1 && counts.expected == 120 && counts.lost.absent == 60)
    let told = ledger.takeInterruption(until: 2_000_000_000)
    #expect(told?.duration.nanoseconds == 2_000_000_000 - 60 * Self.period && told?.frames == 60)
  }

  /// An encoder that is slow is not given more to wait for than the recording is of.
  @Test func whatIsBehindTheEndNeedNotWait() {
    let ledger = ledger(duration: .seconds(1)) {}
    ledger.captured(frame(0))
    _ = ledger.admit(frame(0))
    for number in 1...60 {
      ledger.captured(frame(number))
      #expect(!ledger.isBeyondEnd, "\(number)")
    }
    for number in 61..<600 {
      ledger.captured(frame(number))
      #expect(ledger.isBeyondEnd, "\(number)")
    }
    #expect((1..<60).allSatisfy { ledger.admit(frame($0)) == .pass } && ledger.admit(frame(60)) == .drop)
    let counts = ledger.counts(.running)
    #expect(counts.accepted == 60 && counts.expected == 60 && counts.lost.total == 0)
  }

  /// The driver counts on, and yet for three seconds nothing came.
  @Test func aSilentCamera() {
    let ledger = ledger()
    for number in 0..<60 { ledger.captured(frame(number)) }
    for number in 60..<70 {
      ledger.captured(BufferInfo(pts: Int64(number + 180) * Self.period, offset: UInt64(number), size: 100))
    }
    let counts = ledger.counts(.running)
    #expect(counts.expected == 250 && counts.lost.absent == 180 && counts.lost.driver == 0)
  }

  /// Sources without numbers are judged by their times, whatever rate they say that they have.
  @Test(arguments: [16_666_667, 50_000_000, 25_000_000] as [Int64]) func withoutNumbers(_ period: Int64) {
    let ledger = ledger()
    for number in 0..<200 where !(100..<107).contains(number) {
      let late: Int64 = number % 7 == 0 ? period / 3 : 0
      ledger.captured(BufferInfo(pts: Int64(number) * period + late, offset: nil, size: 100))
    }
    let counts = ledger.counts(.running)
    #expect(counts.expected == 200 && counts.lost.driver == 7)
  }
}

extension FrameLedgerTests {
  /// A file that is full ends the recording behind the encoder: what is in it then was never asked for.
  @Test(arguments: [nil, 5]) func anEndBehindTheEncoder(_ lost: Int?) {
    let ledger = FrameLedger(limit: FrameLimit(), period: 16_666_667) { _ in }
    func frame(_ number: Int) -> BufferInfo {
      BufferInfo(pts: Int64(number) * 16_666_667, offset: UInt64(number), size: 100)
    }
    for number in 0..<20 where number != lost {
      ledger.captured(frame(number))
      ledger.passed(.dequeued, frame(number))
      _ = ledger.admit(frame(number))
    }
    for number in 0..<13 where number != lost { ledger.passed(.encoded, frame(number)) }
    for number in 0..<10 where number != lost { ledger.passed(.muxed, frame(number)) }
    ledger.end(after: frame(9).pts)
    for _ in 10..<13 { ledger.surplus() }
    let counts = ledger.counts(.drained)
    #expect(counts.lost.total == (lost == nil ? 0 : 1) && counts.written == (lost == nil ? 10 : 9))
    #expect(counts.ledger.expected == 10 && counts.ledger.difference == 0)
  }
}
