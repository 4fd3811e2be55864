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
      limit: FrameLimit(frames: frames, duration: duration?.nanoseconds), period: Self.period, onFull: onFull)
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
    #expect(running.queue == 4 && running.corrupt == 1)
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
}
