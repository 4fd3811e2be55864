/// When a recording is full: by frames, or by the time that they take.

/// Exact to the frame: 10 s at 60 frames a second are 600 frames, however their times waver. Frames that are missing take
/// their time too.
struct FrameLimit: Sendable, Hashable {
  var frames: Int?
  /// Nanoseconds.
  var duration: Int64?

  /// A frame, seen from the first one of the recording.
  struct Position: Sendable {
    /// Frame times from the first one, without pauses.
    var places: Int
    /// Nanoseconds of the recording.
    var elapsed: Int64
  }

  /// How many frame times a frame is behind the last one that there is room for, 0 for the first one of these; `nil`
  /// for one that is within.
  /// - Parameter period: that was agreed, in nanoseconds. While times keep to it the places count; a camera of another
  ///   rate is judged by its times.
  func surplus(of position: Position, period: Int64?, measured: Int64?) -> Int? {
    guard let duration else { return nil }
    guard let period, period > 0 else { return position.elapsed >= duration ? 0 : nil }
    let drift = position.elapsed - Int64(position.places) * period
    if abs(drift) <= period {
      let room = max(1, Int((Double(duration) / Double(period)).rounded()))
      return position.places >= room ? position.places - room : nil
    }
    let late = position.elapsed - (duration - period / 2)
    return late >= 0 ? Int(late / max(1, measured ?? period)) : nil
  }
}
