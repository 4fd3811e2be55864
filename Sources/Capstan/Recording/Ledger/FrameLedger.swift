/// Counts every frame at the points that it passes, so that a missing one has a place where it went missing.

import GStreamer
import Synchronization

final class FrameLedger: Sendable {
  enum Point: Sendable { case dequeued, encoded, muxed }

  struct Counts: Sendable, Hashable {
    var captured = 0
    var encoded = 0
    var written = 0
    var bytes: Int64 = 0
    /// By the camera's numbers and times, pauses left out.
    var expected = 0
    var lost = LostFrames()
    /// Nanoseconds from the first to the last accepted frame.
    var span: Int64 = 0
    /// How much of that the camera was away.
    var absence: Int64 = 0
    var accepted = 0
    /// Came while the recording was paused: neither captured for it nor lost.
    var pausedFrames = 0

    /// For a file that was cut short: what was handed to the muxer need not be in the file.
    mutating func setWritten(_ frames: Int) {
      lost.abandoned += max(0, written - frames)
      written = frames
    }

    var ledger: LedgerReport { LedgerReport(expected: expected, written: written, lost: lost) }
  }

  /// A frame on its way.
  struct Passenger: Sendable {
    var pts: Int64
    var place: Int
  }

  /// Times of the capture, both ends included, and places; the end of one that lasts is the largest there is.
  struct Pause: Sendable {
    var start: Int64
    var end = Int64.max
    var first: Int
    /// The first one behind it.
    var last = Int.max
  }

  struct State: Sendable {
    var grid: FrameGrid
    var recorded = RecordedPlaces()
    var losses = PlaceTally()
    /// Captured and not taken out of the queue.
    var queued: [Passenger] = []
    /// Taken out of it and not at the encoder.
    var decoding: [Passenger] = []
    var accepted = 0
    var encoded = 0
    var written = 0
    var bytes: Int64 = 0
    /// The first and the last that were accepted.
    var first: Passenger?
    var last: Passenger?
    /// The latest of those that were accepted, as many as an encoder can hold.
    var latest: [Passenger] = []
    /// Of the last frame that was kept from the decoder, as it is damaged.
    var refusedPTS: Int64?
    var isFull = false
    /// Whether the latest captured frame is behind the end, and not even needed to know that.
    var isBeyondEnd = false
    /// Whether frames are left out until one comes that builds on no other.
    var awaitsKeyFrame: Bool
    var absences = CameraAbsences()
    var pauses: [Pause] = []
    var pausedFrames = 0

    var isPaused: Bool { pauses.last?.end == .max }
  }

  let state: Mutex<State>
  private let limit: FrameLimit
  /// Nanoseconds; `nil` for an unknown rate.
  let period: Int64?
  /// True for coded frames that build on one another.
  let startsOnKeyFrame: Bool
  let timeline: RecordingTimeline
  private let onFull: @Sendable (RecordingEnd) -> Void

  /// - Parameter onFull: called once, on a streaming thread, when the limit is reached.
  init(
    limit: FrameLimit, period: Int64?, startsOnKeyFrame: Bool = false,
    timeline: RecordingTimeline = RecordingTimeline(), onFull: @escaping @Sendable (RecordingEnd) -> Void
  ) {
    state = Mutex(State(grid: FrameGrid(agreed: period), awaitsKeyFrame: startsOnKeyFrame))
    self.startsOnKeyFrame = startsOnKeyFrame
    self.timeline = timeline
    self.limit = limit
    self.period = period
    self.onFull = onFull
  }

  // MARK: On the way

  /// - Returns: how many frames are now known to be missing that were not known before, without those of a time when the
  ///   camera was away.
  @discardableResult
  func captured(_ frame: BufferInfo) -> Int {
    state.withLock { state in
      let placement = state.grid.place(frame)
      let wasAway = state.absences.isOpen
      state.absences.end(with: placement, at: state.grid.lastPTS)
      if !startsOnKeyFrame { state.recorded.start = state.recorded.start ?? placement.place }
      if let void = placement.void { state.recorded.excluded.append(void) }
      for gap in placement.gaps {
        state.losses.add(gap.places, at: gap.cause == .driver ? .driver : .absent, of: state.recorded)
      }
      let newcomer = Passenger(pts: state.grid.lastPTS ?? 0, place: placement.place)
      // In a pause the recording's time is not known; the first that there is no room for closes the gate.
      state.isBeyondEnd = state.pauses.isEmpty && surplus(of: newcomer, state) ?? 0 > 0
      if !state.isFull, !state.isBeyondEnd { state.queued.append(newcomer) }
      return placement.gaps.reduce(0) { $0 + ($1.cause == .absent && wasAway ? 0 : $1.places.count) }
    }
  }

  /// Whether the frame that was captured last need not wait for the encoder: where that is slow, what is behind the end
  /// would take the room of what is not.
  var isBeyondEnd: Bool { state.withLock(\.isBeyondEnd) }

  /// The camera has gone; the numbers of its frames begin anew when it is back, and those that it would have made are
  /// `absent`.
  func interrupted() {
    state.withLock { state in
      state.grid.interrupt()
      state.absences.begin(after: state.grid.lastPTS)
      state.awaitsKeyFrame = startsOnKeyFrame
    }
  }

  func passed(_ point: Point, _ frame: BufferInfo) {
    state.withLock { state in
      switch point {
      case .dequeued: state.dequeue(frame.pts)
      case .encoded: state.encoded += 1
      case .muxed:
        state.written += 1
        state.bytes += Int64(frame.size)
      }
    }
  }

  /// A frame that the decoder shall not get.
  func refused(_ frame: BufferInfo) {
    state.withLock { state in
      state.refusedPTS = frame.pts
      state.take(frame.pts, at: .corrupt)
    }
  }

  /// A frame that left the queue and that the encoder shall not get, so that it keeps up.
  func leftOut(_ frame: BufferInfo) { state.withLock { $0.take(frame.pts, at: .queue) } }

  /// Frames between capture and decoding, dropped ones among them until the next one passes.
  var waiting: Int { state.withLock(\.queued.count) }

  /// How far the encoder is behind: from the newest frame that it took to the newest captured one. Zero before its
  /// first frame, and once the recording is full.
  var backlog: Duration {
    state.withLock { state in
      guard !state.isFull, let newest = state.grid.lastPTS, let accepted = state.last?.pts else { return .zero }
      return .nanoseconds(max(0, newest - max(accepted, state.refusedPTS ?? .min)))
    }
  }

  // MARK: The gate

  /// The gate before the encoder: lets exactly as many frames through as were asked for.
  func admit(_ frame: BufferInfo) -> BufferVerdict {
    let (verdict, end) = state.withLock { state -> (BufferVerdict, RecordingEnd?) in
      if state.isFull { return (.drop, nil) }
      let arrived = state.arrive(frame.pts)
      if leavesOut(frame, arrived, &state) { return (.drop, nil) }
      if state.isLeadIn(frame, arrived) { return (.drop, nil) }
      if let surplus = surplus(of: arrived, state) {
        state.close(at: arrived.place - surplus)
        return (.drop, .duration)
      }
      state.accept(arrived)
      let next = Passenger(pts: arrived.pts + (period ?? 0), place: arrived.place + 1)
      let isLast = limit.frames.map { state.accepted >= $0 } ?? false
      if isLast || (period != nil && surplus(of: next, state) != nil) { state.close(at: next.place) }
      return (.pass, state.isFull ? (isLast ? .frames : .duration) : nil)
    }
    if let end { onFull(end) }
    return verdict
  }

  /// Time goes on while the camera is away: the recording may be long enough without another frame.
  /// - Parameter time: of the capture, now, in nanoseconds.
  func timePasses(_ time: Int64) {
    let becameFull = state.withLock { state -> Bool in
      guard !state.isFull, !state.isPaused, let duration = limit.duration, let first = state.first,
        timeline.recorded(time) - timeline.recorded(first.pts) >= duration
      else { return false }
      state.close(at: state.absent(until: timeline.captured(timeline.recorded(first.pts) + duration)))
      return true
    }
    if becameFull { onFull(.duration) }
  }

  /// `nil` for a frame that the limit leaves room for.
  private func surplus(of frame: Passenger, _ state: State) -> Int? {
    guard let first = state.first else { return nil }
    let places = state.recorded.count(first.place..<max(first.place, frame.place))
    let elapsed = timeline.recorded(frame.pts) - timeline.recorded(first.pts)
    return limit.surplus(
      of: .init(places: places, elapsed: elapsed), period: period, measured: state.grid.period)
  }

  /// No more is to be recorded, for a reason of its own.
  /// - Parameter last: time of the last frame that shall be in the recording; those behind it that are in the encoder
  ///   are surplus. `nil` for the last that was let through.
  func end(after last: Int64? = nil) { state.withLock { $0.end(after: last) } }

  /// A frame behind the last one has come out of the encoder.
  func surplus() { state.withLock { $0.encoded -= 1 } }

  // MARK: Pauses

  /// From the next captured frame on: what the camera sent before is still recorded.
  /// - Returns: false where it is so already, or the recording is full.
  func pause() -> Bool {
    state.withLock { state in
      guard !state.isPaused, !state.isFull else { return false }
      let first = state.grid.lastPlace.map { $0 + 1 } ?? 0
      state.pauses.append(Pause(start: state.grid.lastPTS.map { $0 + 1 } ?? .min, first: first))
      state.excludePause()
      return true
    }
  }

  /// From the next captured frame on; where frames build on one another, from the next that does not.
  /// - Returns: false where nothing is paused.
  func resume() -> Bool {
    state.withLock { state in
      guard state.isPaused else { return false }
      let next = state.grid.lastPlace.map { $0 + 1 } ?? 0
      state.endPause(at: state.grid.lastPTS ?? .min, before: next)
      return true
    }
  }

  var isPaused: Bool { state.withLock(\.isPaused) }

  /// Whether it came in a pause: it will not be recorded, and need not be left out for others.
  func isPaused(at frame: BufferInfo) -> Bool {
    state.withLock { state in
      frame.pts.map { pts in state.pauses.contains { $0.start <= pts && pts <= $0.end } } ?? false
    }
  }

  /// Whether a frame comes in a pause.
  private func leavesOut(_ frame: BufferInfo, _ arrived: Passenger, _ state: inout State) -> Bool {
    guard frame.pts != nil, let number = state.pauses.lastIndex(where: { $0.start <= arrived.pts }) else {
      return false
    }
    let isNew = state.last.map { $0.pts < state.pauses[number].start } ?? false
    if arrived.pts <= state.pauses[number].end {
      // In it.
    } else if isNew, startsOnKeyFrame, frame.isDelta {
      state.endPause(number, at: arrived.pts, before: arrived.place + 1)
    } else {
      if isNew, let last = state.last {
        // What is lost between the two takes its time all the same.
        let places = max(1, state.recorded.count(last.place..<arrived.place))
        timeline.resume(at: arrived.pts, after: last.pts, period: Int64(places) * (period ?? 0))
      }
      return false
    }
    state.pausedFrames += 1
    // The encoder is not behind with what it shall not get.
    state.refusedPTS = arrived.pts
    return true
  }

  // MARK: The sum

  enum Moment: Sendable {
    /// Frames that are still on their way between two points are not taken for lost.
    case running
    /// The pipeline was emptied by the end of its stream: what is not there is lost.
    case drained
    /// The pipeline was taken down with frames in it.
    case cutShort
  }

  func counts(_ moment: Moment) -> Counts {
    state.withLock { state in
      var counts = state.counts(moment)
      if let first = state.first, let last = state.last {
        counts.span = timeline.recorded(last.pts) - timeline.recorded(first.pts)
        counts.absence = absence(between: first.pts, and: last.pts, state)
      }
      return counts
    }
  }
}
