/// When a recording ends by itself, and what is run afterwards.

/// Whichever comes first ends the recording.
public struct RecordingLimits: Sendable, Hashable {
  /// From the first frame, above zero; `nil` for no limit.
  public var duration: Duration?
  /// At least 1; `nil` for no limit.
  public var frames: Int?
  /// Of the finished file, in bytes; `nil` for no limit.
  public var bytes: Int64?
  /// Bytes that stay free on the disk; `nil` for as many as a file needs to be completed.
  public var reserve: Int64?

  public init(duration: Duration? = nil, frames: Int? = nil, bytes: Int64? = nil, reserve: Int64? = nil) {
    self.duration = duration
    self.frames = frames
    self.bytes = bytes
    self.reserve = reserve
  }
}

/// Programs that are run when something has happened.
public struct RecordingHooks: Sendable, Hashable {
  /// The program and its arguments, run without a shell once a file is finished; empty for none. `{file}` in an argument
  /// stands for the file's path, `{duration}` for its length in seconds, `{report}` for what is in it, as one line of JSON.
  public var finished: [String]

  public init(finished: [String] = []) { self.finished = finished }
}
