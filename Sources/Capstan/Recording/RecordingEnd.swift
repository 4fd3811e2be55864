/// What ended a recording.

/// The first of several; what went wrong as well is in the report's `error`.
public enum RecordingEnd: String, Sendable, Hashable, CaseIterable, Encodable {
  /// `stop()`, a signal or a command.
  case stopped
  /// As long as it was asked to be.
  case duration
  /// As many as were asked for.
  case frames
  /// The next frame could have made the file larger than asked.
  case size
  /// The next seconds would have left less of the disk free than is to stay.
  case reserve
  /// The source said that nothing more comes.
  case source
  /// The camera, the encoder or the disk.
  case failed
}
