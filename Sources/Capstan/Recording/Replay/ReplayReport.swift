/// A replay that was saved.

public import Foundation

public struct ReplayReport: Sendable, Hashable {
  public var file: URL
  /// When in the recording it begins.
  public var start: Duration
  public var duration: Duration
  public var frames: Int
  /// Of the encoded pictures.
  public var bytes: Int64
}

extension ReplayReport: Encodable {
  private enum CodingKeys: CodingKey { case file, start, duration, frames, bytes }

  /// Times in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file.path(percentEncoded: false), forKey: .file)
    try container.encode(start.nanoseconds, forKey: .start)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(frames, forKey: .frames)
    try container.encode(bytes, forKey: .bytes)
  }
}
