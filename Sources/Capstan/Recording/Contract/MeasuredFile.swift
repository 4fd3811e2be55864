/// One finished file as it is on the disk, whatever its recorder believed: read as `capstan check` reads it.

import Foundation

public struct MeasuredFile: Sendable, Hashable {
  /// Its path.
  public var file: String
  public var codec: String
  /// The stream's own; the container's where the stream cannot be read.
  public var dimensions: VideoDimensions
  public var frames: Int
  /// Nanoseconds from the first frame to the end of the last, by the index.
  public var duration: Int64
  /// Frames a second on average; `nil` with fewer than two.
  public var rate: Double?
  /// Of the coded pictures.
  public var bytes: Int64
  /// What stream and container write; `nil` for nothing.
  public var taggedRange: ColorRange?
  /// What the pictures are; `nil` where none reaches the ends of a range, or none was decoded.
  public var pictureRange: ColorRange?
  public var verdict: RangeVerdict
  /// What `capstan check` finds wrong.
  public var findings: [Finding]
  /// What the container writes, in nanoseconds and as a size.
  public var declaredDuration: Int64?
  public var declaredDimensions: VideoDimensions

  init(
    file: String, codec: String, dimensions: VideoDimensions, frames: Int, duration: Int64, rate: Double?, bytes: Int64,
    taggedRange: ColorRange?, pictureRange: ColorRange?, verdict: RangeVerdict, findings: [Finding],
    declaredDuration: Int64?, declaredDimensions: VideoDimensions
  ) {
    (self.file, self.codec, self.dimensions, self.frames) = (file, codec, dimensions, frames)
    (self.duration, self.rate, self.bytes) = (duration, rate, bytes)
    (self.taggedRange, self.pictureRange, self.verdict) = (taggedRange, pictureRange, verdict)
    (self.findings, self.declaredDuration) = (findings, declaredDuration)
    self.declaredDimensions = declaredDimensions
  }

  init(_ details: FileFindings, file: URL, findings: [Finding]) {
    let media = details.file
    self.file = file.path(percentEncoded: false)
    codec = details.stream?.codec ?? media.codec
    dimensions = details.stream?.dimensions ?? media.dimensions
    frames = details.timing.count
    duration = Int64((details.timing.duration * 1e9).rounded())
    rate = details.timing.rate
    bytes = media.frames.reduce(0) { $0 + Int64($1.size) }
    taggedRange = details.color.range
    pictureRange = [.full: .full, .limited: .limited][details.levels?.evidence ?? .none]
    verdict = details.range
    self.findings = findings
    declaredDuration = (media.movieDuration ?? media.trackDuration).map { Int64(($0 * 1e9).rounded()) }
    declaredDimensions = media.dimensions
  }
}

extension MeasuredFile: Encodable {
  private enum CodingKeys: CodingKey {
    case file, codec, size, frames, duration, rate, bytes, range, pictureRange, verdict, findings
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(codec, forKey: .codec)
    try container.encode(dimensions, forKey: .size)
    try container.encode(frames, forKey: .frames)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(rate, forKey: .rate)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(taggedRange?.name, forKey: .range)
    try container.encodeIfPresent(pictureRange?.name, forKey: .pictureRange)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(findings, forKey: .findings)
  }
}
