/// Rate, gaps and key frames of a track, from the times in its index.

public struct FrameTiming: Sendable, Hashable {
  public struct Gap: Sendable, Hashable, Encodable {
    /// Seconds from the first frame.
    public var time: Double
    /// Seconds between the frames on either side.
    public var length: Double
  }

  public private(set) var count: Int
  /// Frames a second on average; `nil` for fewer than two.
  public private(set) var rate: Double?
  /// Seconds from the first frame to the end of the last.
  public private(set) var duration: Double
  /// Where more than one and a half frame times passed.
  public private(set) var gaps: [Gap] = []
  /// Frames that are not after the one before them.
  public private(set) var disordered = 0
  /// Seconds between key frames, the longest; to the end for the last.
  public private(set) var keyFrameDistance: Double
  /// Seconds to the first frame.
  public private(set) var start: Double

  public init(_ frames: [MediaFile.Frame], timescale: Double) {
    let shown = frames.sorted { $0.time < $1.time }
    let times = shown.map { Double($0.time) / timescale }
    count = frames.count
    start = times.first ?? 0
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    let usual = FrameTiming.median(steps.filter { $0 > 0 }) ?? 0
    let last = shown.last?.duration.map { Double($0) / timescale } ?? usual
    duration = (times.last ?? 0) - start + (last > 0 ? last : usual)
    if let first = times.first, let end = times.last, end > first { rate = Double(times.count - 1) / (end - first) }
    // Times in whole milliseconds wobble by one.
    let allowed = usual * 1.5 + 1.01 / timescale
    for (place, step) in steps.enumerated() where usual > 0 && step > allowed {
      gaps.append(Gap(time: times[place] - start, length: step))
    }
    disordered = steps.count { $0 <= 0 }
    let keys = zip(shown, times).filter { $0.0.isKey }.map(\.1) + [start + duration]
    keyFrameDistance = zip(keys, keys.dropFirst()).map { $1 - $0 }.max() ?? duration
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
