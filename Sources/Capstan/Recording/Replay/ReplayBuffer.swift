/// Keeps copies of the encoded frames of the last seconds.

import GStreamer
import Synchronization

/// Frames are copied, bytes and all: buffers of a pool, as those of a camera whose stream is kept or of an encoder in
/// hardware, are few, and whoever holds them for seconds holds up those who made them.
final class ReplayBuffer: Sendable {
  private struct State {
    var ring: GroupRing<MediaSample>
    var hasWarned = false
  }

  let rule: ReplayRule
  private let state: Mutex<State>
  private let period: Int64
  private let timeline: RecordingTimeline
  private let warn: @Sendable (String) -> Void
  /// Called for every frame that is kept.
  private let onKept: @Sendable (BufferInfo) -> Void

  init(
    _ rule: ReplayRule, period: Int64?, timeline: RecordingTimeline, warn: @escaping @Sendable (String) -> Void,
    onKept: @escaping @Sendable (BufferInfo) -> Void
  ) {
    self.rule = rule
    self.period = period ?? 0
    self.timeline = timeline
    self.warn = warn
    self.onKept = onKept
    state = Mutex(State(ring: GroupRing(length: rule.duration.nanoseconds, room: Int(clamping: rule.bytes))))
  }

  /// - Returns: true where a key frame is needed soon.
  func add(_ sample: MediaSample) -> Bool {
    guard let copy = sample.copied() else { return false }
    let time = timeline.recorded(sample.pts ?? sample.dts ?? 0)
    let (needsKey, isNews) = state.withLock { state -> (Bool, Bool) in
      let needsKey = state.ring.add(copy, time: time, bytes: sample.size, isKey: sample.isKeyFrame)
      defer { state.hasWarned = state.hasWarned || state.ring.hasOverflowed }
      return (needsKey, state.ring.hasOverflowed && !state.hasWarned)
    }
    if isNews {
      warn("The memory for replays does not hold the frames from one key frame to the next; give it more.")
    }
    onKept(BufferInfo(pts: sample.pts, offset: nil, size: sample.size, isDelta: !sample.isKeyFrame))
    return needsKey
  }

  var status: ReplayStatus {
    state.withLock { state in
      let count = state.ring.count
      return ReplayStatus(
        duration: .nanoseconds(count > 0 ? state.ring.span + period : 0), frames: count, bytes: Int64(state.ring.bytes))
    }
  }

  /// The frames to save, the first of which can be decoded by itself. An encoder whose parameters have changed begins
  /// anew for a file.
  func latest() -> ArraySlice<MediaSample> {
    let samples = state.withLock(\.ring.latest)
    guard let last = samples.last, let change = samples.lastIndex(where: { !$0.hasCaps(of: last) }) else {
      return samples[...]
    }
    return samples[(change + 1)...].drop { !$0.isKeyFrame }
  }

  func clear() { state.withLock { $0.ring.clear() } }
}
