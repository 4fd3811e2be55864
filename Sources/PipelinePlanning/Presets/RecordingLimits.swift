/// When a recording ends by itself, and what is run afterwards.

/// Whichever comes first ends the recording.
public struct RecordingLimits: Sendable, Hashable {
  /// From the first frame, above zero; `nil` for no limit.
  public var duration: Duration?
  /// At least 1; `nil` for no limit.
  public var frames: Int?

  public init(duration: Duration? = nil, frames: Int? = nil) {
    self.duration = duration
    self.frames = frames
  }
}

/// Programs that are run when something has happened.
public struct RecordingHooks: Sendable, Hashable {
  /// The program and its arguments, run without a shell once a file is finished; empty for none. `{file}` in an argument
  /// stands for the file's path.
  public var finished: [String]

  public init(finished: [String] = []) { self.finished = finished }
}
