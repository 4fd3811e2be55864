/// Counts every frame at the points that it passes, so that a missing one has a place where it went missing.

import GStreamer
import Synchronization

/// Frames at one point of the pipeline, with the times of the latest ones.
struct FramePoint: Sendable {
  /// More frames than all queues together can hold at 240 frames a second.
  static let memory = 4096

  private(set) var count = 0
  private(set) var bytes: Int64 = 0
  private(set) var lastPTS: Int64?
  private var recent: [Int64] = []
  private var oldest = 0

  mutating func add(pts: Int64?, size: Int) {
    count += 1
    bytes += Int64(size)
    guard let pts else { return }
    lastPTS = pts
    if recent.count < FramePoint.memory {
      recent.append(pts)
    } else {
      recent[oldest] = pts
      oldest = (oldest + 1) % FramePoint.memory
    }
  }

  /// Frames up to and including a time: what came later was on its way when the recording was full.
  func count(upTo pts: Int64?) -> Int {
    guard let pts else { return count }
    return count - recent.count { $0 > pts }
  }
}

/// Frames that did not reach the file, by the place where they were lost.
public struct LostFrames: Sendable, Hashable, Encodable {
  /// Gaps in the driver's frame numbers: the camera made them, and no buffer was free, or the link lost them.
  public var driver = 0
  /// Dropped before encoding, because everything behind was too slow.
  public var queue = 0
  /// Could not be decoded.
  public var corrupt = 0
  /// Went into the encoder and did not come out.
  public var encoder = 0
  /// Went into the file's queue and not into the file.
  public var muxer = 0
  /// Were on their way when the recording broke off, because the disk or the encoder failed.
  public var abandoned = 0

  public init() {}

  public var total: Int { driver + queue + corrupt + encoder + muxer + abandoned }
}

/// When a recording is full.
struct FrameLimit: Sendable, Hashable {
  var frames: Int?
  /// Nanoseconds.
  var duration: Int64?
}

final class FrameLedger: Sendable {
  enum Point: Int, CaseIterable, Sendable { case captured, dequeued, accepted, encoded, muxed }

  struct Counts: Sendable, Hashable {
    var captured = 0
    var encoded = 0
    var written = 0
    var bytes: Int64 = 0
    var lost = LostFrames()
    /// Nanoseconds from the first to the last accepted frame.
    var span: Int64 = 0
    var accepted = 0
    /// Came while the recording was paused: neither captured for it nor lost.
    var pausedFrames = 0

    /// For a file that was cut short: what was handed to the muxer need not be in the file.
    mutating func setWritten(_ frames: Int) {
      lost.abandoned += max(0, written - frames)
      written = frames
    }
  }

  private struct State {
    var points = [FramePoint](repeating: FramePoint(), count: Point.allCases.count)
    var lastSequence: UInt64?
    /// Time of the frame after each gap, and how many were missing.
    var gaps: [(pts: Int64?, frames: Int)] = []
    /// Not decided before the third frame.
    var firstGap: FirstGap?
    var firstPTS: Int64?
    var lastPTS: Int64?
    /// Of the last frame that was kept from the decoder, as it is damaged.
    var refusedPTS: Int64?
    /// Frames that left the queue and were kept from the encoder to let it keep up.
    var leftOut = FramePoint()
    var isFull = false
    /// Frames before the first that can be decoded by itself: they belong to no recording.
    var leadIn = 0
    var pauses: [Pause] = []
    var pausedFrames = 0

    var isPaused: Bool { pauses.last?.end == .max }
  }

  /// Times of the capture, both ends included; the end of one that lasts is the largest there is.
  private struct Pause {
    var start: Int64
    var end: Int64
  }

  private let state = Mutex(State())
  private let limit: FrameLimit
  /// Nanoseconds; `nil` for an unknown rate.
  private let period: Int64?
  /// True for coded frames that build on one another.
  private let startsOnKeyFrame: Bool
  private let timeline: RecordingTimeline
  private let onFull: @Sendable () -> Void

  /// - Parameter onFull: called once, on a streaming thread, when the limit is reached.
  init(
    limit: FrameLimit, period: Int64?, startsOnKeyFrame: Bool = false,
    timeline: RecordingTimeline = RecordingTimeline(), onFull: @escaping @Sendable () -> Void
  ) {
    self.startsOnKeyFrame = startsOnKeyFrame
    self.timeline = timeline
    self.limit = limit
    self.period = period
    self.onFull = onFull
  }

  /// - Returns: how many frames are now known to be missing that were not known before.
  @discardableResult
  func captured(_ frame: BufferInfo) -> Int {
    state.withLock { state in
      var missing = settleFirstGap(before: frame, &state)
      if let gap = gap(before: frame, state) {
        if state.points[Point.captured.rawValue].count == 1, let period,
          let start = state.points[Point.captured.rawValue].lastPTS, let end = frame.pts
        {
          state.firstGap = FirstGap(frames: gap, time: end - start, period: period, pts: end, sequence: frame.offset)
        } else {
          state.gaps.append((frame.pts, gap))
          missing += gap
        }
      }
      state.lastSequence = frame.offset ?? state.lastSequence
      state.points[Point.captured.rawValue].add(pts: frame.pts, size: frame.size)
      return missing
    }
  }

  /// By the driver's frame numbers.
  private func gap(before frame: BufferInfo, _ state: State) -> Int? {
    guard let last = state.lastSequence, let sequence = frame.offset, sequence > last + 1 else { return nil }
    return Int(clamping: sequence - last - 1)
  }

  /// Between the first two frames the numbers cannot be trusted, because v4l2src of GStreamer 1.22 counts the first one
  /// itself and so skips a number: there the times decide, those that were agreed and those of the next two frames.
  private struct FirstGap {
    var frames: Int
    /// Between the two, in nanoseconds.
    var time: Int64
    var period: Int64
    /// Of the second frame.
    var pts: Int64
    var sequence: UInt64?

    func missing(at period: Int64) -> Int {
      min(frames, max(0, Int((Double(time) / Double(max(1, period))).rounded()) - 1))
    }

    /// - Parameter next: the third frame; `nil` where there is none yet.
    func missing(next: BufferInfo?) -> Int {
      let agreed = missing(at: period)
      guard let pts = next?.pts, let number = next?.offset, let sequence, number > sequence else { return agreed }
      return min(agreed, missing(at: (pts - self.pts) / Int64(clamping: number - sequence)))
    }
  }

  private func settleFirstGap(before frame: BufferInfo, _ state: inout State) -> Int {
    guard let first = state.firstGap else { return 0 }
    state.firstGap = nil
    let missing = first.missing(next: frame)
    if missing > 0 { state.gaps.append((first.pts, missing)) }
    return missing
  }

  /// Frames between capture and decoding, dropped ones among them until the next one passes.
  var waiting: Int {
    state.withLock { state in
      let (captured, dequeued) = (state.points[Point.captured.rawValue], state.points[Point.dequeued.rawValue])
      return captured.count - captured.count(upTo: dequeued.lastPTS ?? .min)
    }
  }

  /// How far the encoder is behind: from the newest frame that it took to the newest captured one. Zero before its
  /// first frame, and once the recording is full.
  var backlog: Duration {
    state.withLock { state in
      guard !state.isFull, let newest = state.points[Point.captured.rawValue].lastPTS, let accepted = state.lastPTS
      else { return .zero }
      return .nanoseconds(max(0, newest - max(accepted, state.refusedPTS ?? .min)))
    }
  }

  /// A frame that the decoder shall not get.
  func refused(_ frame: BufferInfo) { state.withLock { $0.refusedPTS = frame.pts } }

  /// A frame that left the queue and that the encoder shall not get, so that it keeps up.
  func leftOut(_ frame: BufferInfo) { state.withLock { $0.leftOut.add(pts: frame.pts, size: frame.size) } }

  func passed(_ point: Point, _ frame: BufferInfo) {
    state.withLock { $0.points[point.rawValue].add(pts: frame.pts, size: frame.size) }
  }

  /// The gate before the encoder: lets exactly as many frames through as were asked for.
  func admit(_ frame: BufferInfo) -> BufferVerdict {
    let (verdict, becameFull) = state.withLock { state -> (BufferVerdict, Bool) in
      if state.isFull { return (.drop, false) }
      if leavesOut(frame, &state) { return (.drop, false) }
      if startsOnKeyFrame, frame.isDelta, state.points[Point.accepted.rawValue].count == 0 {
        state.leadIn += 1
        return (.drop, false)
      }
      if let duration = limit.duration, let first = state.firstPTS, let pts = frame.pts,
        timeline.recorded(pts) - timeline.recorded(first) >= duration - (period ?? 0) / 2
      {
        state.isFull = true
        return (.drop, true)
      }
      state.points[Point.accepted.rawValue].add(pts: frame.pts, size: frame.size)
      state.firstPTS = state.firstPTS ?? frame.pts
      state.lastPTS = frame.pts ?? state.lastPTS
      if let frames = limit.frames, state.points[Point.accepted.rawValue].count >= frames { state.isFull = true }
      return (.pass, state.isFull)
    }
    if becameFull { onFull() }
    return verdict
  }

  // MARK: Pauses

  /// From the next captured frame on: what the camera sent before is still recorded.
  /// - Returns: false where it is so already, or the recording is full.
  func pause() -> Bool {
    state.withLock { state in
      guard !state.isPaused, !state.isFull else { return false }
      let last = state.points[Point.captured.rawValue].lastPTS
      state.pauses.append(Pause(start: last.map { $0 + 1 } ?? .min, end: .max))
      return true
    }
  }

  /// From the next captured frame on; where frames build on one another, from the next that does not.
  /// - Returns: false where nothing is paused.
  func resume() -> Bool {
    state.withLock { state in
      guard state.isPaused else { return false }
      let last = state.points[Point.captured.rawValue].lastPTS ?? .min
      state.pauses[state.pauses.count - 1].end = last
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
  private func leavesOut(_ frame: BufferInfo, _ state: inout State) -> Bool {
    guard let pts = frame.pts, let place = state.pauses.lastIndex(where: { $0.start <= pts }) else { return false }
    let isNew = state.lastPTS.map { $0 < state.pauses[place].start } ?? false
    if pts <= state.pauses[place].end {
      // In it.
    } else if isNew, startsOnKeyFrame, frame.isDelta {
      state.pauses[place].end = pts
    } else {
      if isNew, let last = state.lastPTS { timeline.resume(at: pts, after: last, period: period ?? 0) }
      return false
    }
    state.pausedFrames += 1
    // The encoder is not behind with what it shall not get.
    state.refusedPTS = pts
    return true
  }

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
      func point(_ point: Point) -> FramePoint { state.points[point.rawValue] }
      /// Frames that passed the first point and not the second, up to the time that is settled.
      func lost(_ first: Point, _ second: Point) -> Int {
        let settled = settled(second)
        return max(0, point(first).count(upTo: settled) - point(second).count(upTo: settled))
      }
      func settled(_ point: Point) -> Int64? {
        if state.isFull { return state.lastPTS }
        return moment == .drained ? nil : state.points[point.rawValue].lastPTS ?? .min
      }
      var counts = Counts()
      counts.accepted = point(.accepted).count
      counts.captured =
        point(.captured).count(upTo: state.isFull ? state.lastPTS : nil) - state.leadIn - state.pausedFrames
      counts.pausedFrames = state.pausedFrames
      counts.encoded = point(.encoded).count
      counts.written = point(.muxed).count
      counts.bytes = point(.muxed).bytes
      let gaps = state.gaps + (state.firstGap.map { [($0.pts, $0.missing(next: nil))] } ?? [])
      counts.lost.driver = gaps.reduce(0) { sum, gap in
        if state.isFull, let end = state.lastPTS, let pts = gap.pts, pts > end { return sum }
        if let pts = gap.pts, state.pauses.contains(where: { $0.start <= pts && pts <= $0.end }) { return sum }
        if state.leadIn > 0, let start = state.firstPTS, let pts = gap.pts, pts <= start { return sum }
        return sum + gap.frames
      }
      let leftOut = state.leftOut.count(upTo: settled(.accepted))
      counts.lost.queue = lost(.captured, .dequeued) + leftOut
      counts.lost.corrupt = max(0, lost(.dequeued, .accepted) - state.leadIn - state.pausedFrames - leftOut)
      if moment == .drained {
        counts.lost.encoder = max(0, counts.accepted - counts.encoded)
        counts.lost.muxer = max(0, counts.encoded - counts.written)
      }
      if moment == .cutShort {
        counts.lost.abandoned = max(0, counts.captured - counts.lost.queue - counts.lost.corrupt - counts.written)
      }
      if let first = state.firstPTS, let last = state.lastPTS {
        counts.span = timeline.recorded(last) - timeline.recorded(first)
      }
      return counts
    }
  }
}
