/// Watches how fast pictures come, against the rate that was agreed, and how many of them are new.

import GStreamer
import Synchronization

/// Rates are those of the camera, by capture times: frames that were lost on the way count as made. A picture counts as
/// repeated where every byte is that of the one before it; pictures above 8 MiB are not compared. A camera that sends
/// each picture twice does that, and so does a perfectly still picture without any noise, as a drawn one: from the
/// outside the two cannot be told apart, and the warning says both.
struct RateWatch: Sendable {
  /// Nanoseconds.
  static let window: Int64 = 2_000_000_000
  /// Between two looks at the window.
  private static let interval: Int64 = 500_000_000
  /// Rates part where they differ by more than this share of the agreed one.
  static let tolerance = 0.05
  /// More repeated pictures than this share are told.
  static let repeatShare = 0.2

  /// Something that lasts counts once it has done so for two windows that have no frame in common.
  private struct Standing: Sendable {
    private(set) var isBad = false
    private var since: Int64?

    /// True where that has just changed.
    mutating func look(_ isBadNow: Bool, at time: Int64) -> Bool {
      guard isBadNow != isBad else {
        since = nil
        return false
      }
      let start = since ?? time
      since = start
      guard time - start >= RateWatch.window else { return false }
      isBad = isBadNow
      since = nil
      return true
    }
  }

  private struct Sample: Sendable {
    var time: Int64
    /// So far.
    var made: Int
    var delivered: Int
    var repeated: Int
  }

  /// Frames a second; `nil` where nobody told.
  private(set) var negotiated: Double?
  private var samples: [Sample] = []
  private var first: Sample?
  private var nextLook: Int64 = 0
  private var lastPicture: (size: Int, number: UInt64)?
  /// The camera was away: that is no rate. Nanoseconds in all, and whether it is so since the last frame.
  private var away: Int64 = 0
  private var isAway = false
  private var rate = Standing()
  private var repeats = Standing()
  private var lowest: Double?
  private var warning: String?

  init(negotiated: Double?) { self.negotiated = negotiated }

  /// - Parameters:
  ///   - missing: frames that the camera made before this one and that never came.
  /// - Returns: what has to be told now.
  mutating func add(_ frame: BufferInfo, missing: Int = 0) -> [String] {
    guard let time = present(frame), time >= samples.last?.time ?? .min else { return [] }
    let last = samples.last ?? Sample(time: time, made: -1, delivered: -1, repeated: 0)
    let sample = Sample(
      time: time, made: last.made + 1 + (first == nil ? 0 : missing), delivered: last.delivered + 1,
      repeated: last.repeated + (isRepeat(frame) ? 1 : 0))
    samples.append(sample)
    if first == nil {
      first = sample
      nextLook = time + RateWatch.window
    }
    while samples.count > 2, samples[1].time <= time - RateWatch.window { samples.removeFirst() }
    guard time >= nextLook else { return [] }
    nextLook = time + RateWatch.interval
    return look(from: samples[0], to: sample)
  }

  /// The time of a frame, without those when the camera was away.
  private mutating func present(_ frame: BufferInfo) -> Int64? {
    guard let pts = frame.pts else { return nil }
    if isAway, let last = samples.last?.time {
      let period = negotiated.map { Int64(1e9 / $0) } ?? 0
      away = max(0, pts - last - period)
      lastPicture = nil
    }
    isAway = false
    return pts - away
  }

  /// The camera gives another rate from now on: what it gave before is not told any more.
  mutating func agree(on rate: Double?) {
    guard rate != negotiated else { return }
    self = RateWatch(negotiated: rate)
  }

  /// The camera is away until its next frame.
  mutating func interrupt() { isAway = true }

  private mutating func isRepeat(_ frame: BufferInfo) -> Bool {
    guard let number = frame.pictureNumber, frame.size > 0 else { return false }
    let picture = (frame.size, number)
    defer { lastPicture = picture }
    return lastPicture.map { $0 == picture } ?? false
  }

  private mutating func look(from start: Sample, to end: Sample) -> [String] {
    guard let measured = RateWatch.rate(from: start, to: end) else { return [] }
    lowest = min(lowest ?? measured, measured)
    var told: [String] = []
    if let negotiated, rate.look(RateWatch.parts(measured, from: negotiated), at: end.time) {
      told.append(rate.isBad ? parted(measured, negotiated) : "The camera gives the agreed rate again.")
    }
    let share = Double(end.repeated - start.repeated) / Double(max(1, end.delivered - start.delivered))
    if repeats.look(share > RateWatch.repeatShare, at: end.time) {
      told.append(repeats.isBad ? doubled(share, measured) : "The camera's pictures are no longer repeated.")
    }
    if rate.isBad || repeats.isBad { warning = warning ?? told.first }
    return told
  }

  static func parts(_ measured: Double, from negotiated: Double) -> Bool {
    abs(measured - negotiated) > negotiated * tolerance
  }

  private static func rate(from start: Sample, to end: Sample) -> Double? {
    end.time > start.time ? Double(end.made - start.made) * 1e9 / Double(end.time - start.time) : nil
  }

  private func parted(_ measured: Double, _ negotiated: Double) -> String {
    let cause =
      measured < negotiated
      ? " Auto exposure does that in dim light where it may, and some cameras promise more than they can." : ""
    return "The camera gives \(RateWatch.text(measured)) frames a second although \(RateWatch.text(negotiated)) were "
      + "agreed.\(cause)"
  }

  private func doubled(_ share: Double, _ measured: Double) -> String {
    let percent = Int((share * 100).rounded())
    return "\(percent) % of the camera's pictures are exactly the one before: it makes "
      + "\(RateWatch.text(measured * (1 - share))) new ones a second, or the scene stands perfectly still."
  }

  private static func text(_ rate: Double) -> String {
    let tenths = Int((rate * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// What became of it. A recording that is too short for two windows is judged by what there is of it, from a second on.
  func report(negotiated spelling: Fraction?) -> RateReport {
    var report = RateReport(negotiated: spelling, lowestWindow: lowest, warning: warning)
    guard let first, let last = samples.last, let measured = RateWatch.rate(from: first, to: last) else {
      return report
    }
    let delivered = last.delivered - first.delivered
    report.measured = measured
    report.repeatedFrames = last.repeated
    let share = Double(last.repeated) / Double(max(1, delivered))
    report.effectiveRate = measured * (1 - share)
    guard last.time - first.time >= 1_000_000_000, report.warning == nil else { return report }
    if let negotiated, RateWatch.parts(measured, from: negotiated) {
      report.warning = parted(measured, negotiated)
    } else if share > RateWatch.repeatShare {
      report.warning = doubled(share, measured)
    }
    return report
  }
}

/// What rate a camera agreed to, and what it gave.
public struct RateReport: Sendable, Hashable, Encodable {
  /// As the driver says after the mode was set; `nil` where it tells none.
  public var negotiated: Fraction?
  /// Frames a second that the camera made, by capture times; `nil` with fewer than two.
  public var measured: Double?
  /// The slowest two seconds; `nil` for a shorter recording.
  public var lowestWindow: Double?
  /// New pictures a second: without those that are exactly the one before.
  public var effectiveRate: Double?
  /// Pictures that were exactly the one before.
  public var repeatedFrames = 0
  /// What was wrong with the rate, as a sentence; `nil` where nothing was.
  public var warning: String?

  /// True where the camera did not give what it agreed to, over the whole of the recording.
  public var isOffRate: Bool {
    guard let negotiated, let measured else { return false }
    return RateWatch.parts(measured, from: negotiated.value)
  }

  public init(
    negotiated: Fraction? = nil, measured: Double? = nil, lowestWindow: Double? = nil, effectiveRate: Double? = nil,
    repeatedFrames: Int = 0, warning: String? = nil
  ) {
    self.negotiated = negotiated
    self.measured = measured
    self.lowestWindow = lowestWindow
    self.effectiveRate = effectiveRate
    self.repeatedFrames = repeatedFrames
    self.warning = warning
  }
}

/// A watch that the thread of a pad feeds.
final class RateMonitor: Sendable {
  private let watch: Mutex<RateWatch>
  private let onNotice: @Sendable (String) -> Void

  /// - Parameter onNotice: called on a streaming thread.
  init(negotiated: Double?, onNotice: @escaping @Sendable (String) -> Void) {
    watch = Mutex(RateWatch(negotiated: negotiated))
    self.onNotice = onNotice
  }

  func add(_ frame: BufferInfo, missing: Int) {
    for notice in watch.withLock({ $0.add(frame, missing: missing) }) { onNotice(notice) }
  }

  func agree(on rate: Double?) { watch.withLock { $0.agree(on: rate) } }

  func interrupt() { watch.withLock { $0.interrupt() } }

  func report(negotiated: Fraction?) -> RateReport { watch.withLock { $0.report(negotiated: negotiated) } }
}
