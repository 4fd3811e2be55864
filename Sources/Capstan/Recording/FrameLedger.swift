/// Counts every frame at the points that it passes, so that a missing one has a place where it went missing.

import GStreamer
import Synchronization

/// Frames at one point of the pipeline, with the times of the latest ones.
struct FramePoint: Sendable {
  /// More frames than all queues together can hold.
  static let memory = 2048

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
  /// Dropped between capture and decoding, because everything behind was too slow.
  public var queue = 0
  /// Could not be decoded.
  public var corrupt = 0
  /// Went into the encoder and did not come out.
  public var encoder = 0
  /// Went into the file's queue and not into the file.
  public var muxer = 0

  public init() {}

  public var total: Int { driver + queue + corrupt + encoder + muxer }
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
  }

  private struct State {
    var points = [FramePoint](repeating: FramePoint(), count: Point.allCases.count)
    var lastSequence: UInt64?
    /// Time of the frame after each gap, and how many were missing.
    var gaps: [(pts: Int64?, frames: Int)] = []
    var firstPTS: Int64?
    var lastPTS: Int64?
    var isFull = false
  }

  private let state = Mutex(State())
  private let limit: FrameLimit
  /// Nanoseconds; `nil` for an unknown rate.
  private let period: Int64?
  private let onFull: @Sendable () -> Void

  /// - Parameter onFull: called once, on a streaming thread, when the limit is reached.
  init(limit: FrameLimit, period: Int64?, onFull: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.period = period
    self.onFull = onFull
  }

  func captured(_ frame: BufferInfo) {
    state.withLock { state in
      let missing = missingFrames(before: frame, state)
      if missing > 0 { state.gaps.append((frame.pts, missing)) }
      state.lastSequence = frame.offset ?? state.lastSequence
      state.points[Point.captured.rawValue].add(pts: frame.pts, size: frame.size)
    }
  }

  /// By the driver's frame numbers. Between the first two frames they cannot be trusted, because v4l2src of GStreamer
  /// 1.22 counts the first one itself and so skips a number: there the times decide.
  private func missingFrames(before frame: BufferInfo, _ state: State) -> Int {
    guard let last = state.lastSequence, let sequence = frame.offset, sequence > last + 1 else { return 0 }
    let gap = Int(clamping: sequence - last - 1)
    let captured = state.points[Point.captured.rawValue]
    guard captured.count == 1, let period, let before = captured.lastPTS, let pts = frame.pts else { return gap }
    return min(gap, max(0, Int((Double(pts - before) / Double(period)).rounded()) - 1))
  }

  func passed(_ point: Point, _ frame: BufferInfo) {
    state.withLock { $0.points[point.rawValue].add(pts: frame.pts, size: frame.size) }
  }

  /// The gate before the encoder: lets exactly as many frames through as were asked for.
  func admit(_ frame: BufferInfo) -> BufferVerdict {
    let (verdict, becameFull) = state.withLock { state -> (BufferVerdict, Bool) in
      if state.isFull { return (.drop, false) }
      if let duration = limit.duration, let first = state.firstPTS, let pts = frame.pts,
        pts - first >= duration - (period ?? 0) / 2
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

  /// - Parameter isFinal: true once the pipeline is down. Before, frames that are still on their way between two
  ///   points are not taken for lost.
  func counts(isFinal: Bool) -> Counts {
    state.withLock { state in
      func point(_ point: Point) -> FramePoint { state.points[point.rawValue] }
      /// Frames that passed the first point and not the second, up to the time that is settled.
      func lost(_ first: Point, _ second: Point) -> Int {
        let settled = state.isFull ? state.lastPTS : isFinal ? nil : point(second).lastPTS ?? .min
        return max(0, point(first).count(upTo: settled) - point(second).count(upTo: settled))
      }
      var counts = Counts()
      counts.accepted = point(.accepted).count
      counts.captured = point(.captured).count(upTo: state.isFull ? state.lastPTS : nil)
      counts.encoded = point(.encoded).count
      counts.written = point(.muxed).count
      counts.bytes = point(.muxed).bytes
      counts.lost.driver = state.gaps.reduce(0) { sum, gap in
        if state.isFull, let end = state.lastPTS, let pts = gap.pts, pts > end { return sum }
        return sum + gap.frames
      }
      counts.lost.queue = lost(.captured, .dequeued)
      counts.lost.corrupt = lost(.dequeued, .accepted)
      if isFinal {
        counts.lost.encoder = max(0, counts.accepted - counts.encoded)
        counts.lost.muxer = max(0, counts.encoded - counts.written)
      }
      if let first = state.firstPTS, let last = state.lastPTS { counts.span = last - first }
      return counts
    }
  }
}
