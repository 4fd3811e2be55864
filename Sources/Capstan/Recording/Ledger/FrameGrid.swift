/// Where each captured frame has its place among those that the camera made: by the driver's numbers, and by the times
/// where there are none or they cannot be true.

import GStreamer

/// Places are counted from 0 for the first frame; one that is skipped is a frame that is missing.
struct FrameGrid: Sendable {
  enum Cause: Sendable, Hashable {
    /// The driver numbers it, or its time has passed, and it never came.
    case driver
    /// The camera sent nothing at all for a while.
    case absent
  }

  struct Gap: Sendable, Hashable {
    var places: Range<Int>
    var cause: Cause
  }

  /// What became known with a frame.
  struct Placement: Sendable, Hashable {
    var place: Int
    var gaps: [Gap] = []
    /// Places that turn out to be none.
    var void: Range<Int>?
  }

  /// Between the first two frames the numbers cannot be trusted, because v4l2src of GStreamer 1.22 counts the first one
  /// itself and so skips a number: there the times decide, those that were agreed and those of the next two frames.
  private struct FirstGap: Sendable {
    /// As many as the agreed rate allows.
    var places: Range<Int>
    var interval: Int64
    var pts: Int64
    var number: UInt64

    func missing(before next: BufferInfo) -> Int {
      guard let pts = next.pts, let number = next.offset, number > self.number else { return places.count }
      let period = (pts - self.pts) / Int64(clamping: number - self.number)
      return min(places.count, max(0, Int((Double(interval) / Double(max(1, period))).rounded()) - 1))
    }
  }

  /// So many intervals tell the rate that a camera really has.
  private static let enough = 8
  private static let memory = 31
  /// A silence of so many frame times, and of half a second, is none of dim light.
  private static let silence = (frames: 8.0, time: Int64(500_000_000))

  /// Nanoseconds; `nil` for an unknown rate.
  private let agreed: Int64?
  private(set) var lastPlace: Int?
  private(set) var lastPTS: Int64?
  private var lastNumber: UInt64?
  /// Where the last frame should have been: times waver, and places do not.
  private var phase: Int64 = 0
  private var intervals: [Int64] = []
  /// The same by length.
  private var ordered: [Int64] = []
  private var firstGap: FirstGap?
  /// True while the numbers have only begun, for the first time or anew.
  private var hasBegun = false
  private var isInterrupted = false

  init(agreed: Int64?) { self.agreed = agreed }

  /// The camera has gone: when it is back its numbers begin anew, and what lies between is absent.
  mutating func interrupt() { isInterrupted = true }

  /// Not known for sure before the third frame.
  var openGap: Gap? { firstGap.map { Gap(places: $0.places, cause: .driver) } }

  /// Nanoseconds between two frames of late; where that is not known yet, as agreed.
  var period: Int64? {
    intervals.count < FrameGrid.enough ? agreed : ordered[ordered.count / 2]
  }

  /// Of a frame that was not seen when it was captured, by its time.
  func place(at pts: Int64?) -> Int {
    guard let last = lastPlace, let lastPTS else { return 0 }
    guard let pts, let period, period > 0 else { return last }
    return last + Int((Double(pts - lastPTS) / Double(period)).rounded())
  }

  mutating func place(_ frame: BufferInfo) -> Placement {
    let time = frame.pts ?? (lastPTS ?? 0) + (agreed ?? 0)
    guard let last = lastPlace, let lastPTS else {
      (lastPlace, self.lastPTS, lastNumber, phase) = (0, time, frame.offset, time)
      return Placement(place: 0)
    }
    var placement = Placement(place: last + 1)
    settleFirstGap(before: frame, &placement)
    let isNew = isInterrupted
    let missing = missing(before: frame, at: time, after: lastPTS)
    let gaps = missing.driver + missing.absent
    placement.place += gaps
    if missing.driver > 0, last == 0, firstGap == nil, let number = frame.offset, !hasBegun {
      firstGap = FirstGap(places: 1..<1 + missing.driver, interval: time - lastPTS, pts: time, number: number)
    } else {
      let middle = last + 1 + missing.driver
      if missing.driver > 0 { placement.gaps.append(Gap(places: last + 1..<middle, cause: .driver)) }
      if missing.absent > 0 { placement.gaps.append(Gap(places: middle..<placement.place, cause: .absent)) }
    }
    note(time - lastPTS, isSingle: gaps == 0)
    adjustPhase(to: time, steps: gaps + 1)
    (lastPlace, self.lastPTS, lastNumber, hasBegun) = (placement.place, time, frame.offset, !isNew)
    return placement
  }

  private mutating func settleFirstGap(before frame: BufferInfo, _ placement: inout Placement) {
    guard let first = firstGap else { return }
    firstGap = nil
    let end = first.places.lowerBound + first.missing(before: frame)
    if end > first.places.lowerBound {
      placement.gaps.append(Gap(places: first.places.lowerBound..<end, cause: .driver))
    }
    if end < first.places.upperBound { placement.void = end..<first.places.upperBound }
  }

  private mutating func missing(
    before frame: BufferInfo, at time: Int64, after last: Int64
  ) -> (driver: Int, absent: Int) {
    let interval = time - last
    if isInterrupted {
      isInterrupted = false
      return (0, missing(in: interval))
    }
    guard let number = frame.offset, let lastNumber, number > lastNumber else {
      return (missingByTime(until: time), 0)
    }
    let numbered = Int(clamping: number - lastNumber - 1)
    guard let period, period > 0 else { return (numbered, 0) }
    let frames = Double(interval) / Double(period)
    if !hasBegun { return (min(numbered, max(0, Int(frames.rounded()) - 1)), 0) }
    // More than there was time for: the driver counts anew, from somewhere else.
    if Double(numbered) > frames * 1.5 + 2 { return (missing(in: interval), 0) }
    let isSilent = frames >= FrameGrid.silence.frames && interval >= FrameGrid.silence.time
    return (numbered, isSilent ? max(0, missing(in: interval) - numbered) : 0)
  }

  private func missing(in interval: Int64) -> Int {
    guard let period, period > 0 else { return 0 }
    return max(0, Int((Double(interval) / Double(period)).rounded()) - 1)
  }

  /// A frame comes late more often than one is missing. The first ones of a source without numbers tell its rate only.
  private func missingByTime(until time: Int64) -> Int {
    guard let period, period > 0 else { return 0 }
    let frames = Double(time - phase) / Double(period)
    if intervals.count < FrameGrid.enough, frames < FrameGrid.silence.frames { return 0 }
    return max(0, Int(frames + 0.25) - 1)
  }

  private mutating func note(_ interval: Int64, isSingle: Bool) {
    guard isSingle, interval > 0 else { return }
    if intervals.count == FrameGrid.memory {
      let oldest = intervals.removeFirst()
      ordered.remove(at: ordered.firstIndex { $0 >= oldest } ?? 0)
    }
    intervals.append(interval)
    ordered.insert(interval, at: ordered.firstIndex { $0 >= interval } ?? ordered.count)
  }

  private mutating func adjustPhase(to time: Int64, steps: Int) {
    guard let period, intervals.count >= FrameGrid.enough else {
      phase = time
      return
    }
    let due = phase + Int64(steps) * period
    // Far off, the rate has changed or there was a silence.
    phase = abs(time - due) > period ? time : due + (time - due) / 4
  }
}
