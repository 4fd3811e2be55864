/// What a recording keeps in memory of its last seconds, to be saved when something has happened.

/// ```swift
/// var output = MovieFileOutput(to: URL(filePath: "clip.mp4"))
/// output.replay = ReplayRule(duration: .seconds(30))
/// try await session.start(recordingTo: output)
/// let replay = try await session.saveReplay()
/// ```
public struct ReplayRule: Sendable, Hashable {
  /// How far back, above zero. What is saved begins at the key frame at or before that, so that it can be played: it is
  /// longer by at most the distance of two key frames.
  public var duration: Duration
  /// That the encoded frames may take in memory, each with one KiB for its particulars; at least 1 MiB. Where it is not
  /// enough, less is kept, in whole groups of pictures.
  public var bytes: Int64
  /// Nothing is written until something is saved.
  public var isOnly: Bool

  /// 256 MB.
  public static let standardBytes: Int64 = 256_000_000
  public static let leastBytes: Int64 = 1 << 20

  public init(duration: Duration, bytes: Int64 = standardBytes, isOnly: Bool = false) {
    self.duration = duration
    self.bytes = bytes
    self.isOnly = isOnly
  }

  /// - Throws: `configuration` for a replay of nothing.
  func validate() throws(CaptureError) {
    if duration <= .zero {
      throw CaptureError(.configuration, "A replay of \(duration) is none; the time has to be above zero.")
    }
    if bytes < ReplayRule.leastBytes {
      throw CaptureError(
        .configuration, "A replay in \(bytes) bytes holds nothing; 1 MiB is the least.",
        remedy: "Leave the size out for 256 MB.")
    }
  }
}

/// What could be saved now.
public struct ReplayStatus: Sendable, Hashable {
  /// From the first frame that is kept to the end of the last.
  public var duration = Duration.zero
  public var frames = 0
  public var bytes: Int64 = 0
}

extension ReplayStatus: Encodable {
  private enum CodingKeys: CodingKey { case duration, frames, bytes }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(frames, forKey: .frames)
    try container.encode(bytes, forKey: .bytes)
  }
}
