/// Reads a stream's header out of what a container keeps of it.

extension StreamHeader {
  /// The header that a player goes by: the one in the frame, else the one in the record.
  /// - Parameters:
  ///   - codec: `h264`, `h265`, `vp8`, `vp9` or `av1`.
  ///   - configuration: the container's record: `avcC`, `hvcC`, `av1C`, or Matroska's CodecPrivate; `nil` where there is
  ///     none. For NAL units it also says how a frame is laid out; without it start codes are taken for granted.
  ///   - frame: the first key frame as the container has it.
  /// - Returns: `nil` where neither has a header, or it cannot be read.
  public init?(codec: String, configuration: [UInt8]?, frame: [UInt8]) {
    let header =
      StreamHeader(codec: codec, inFrame: frame, configuration: configuration)
      ?? configuration.flatMap { StreamHeader(codec: codec, inConfiguration: $0) }
    guard let header else { return nil }
    self = header
  }

  /// What the container's record itself says; `nil` also for VP8 and VP9, whose records hold no header.
  public init?(codec: String, inConfiguration record: [UInt8]) {
    guard let syntax = HeaderSyntax(rawValue: codec), let places = try? syntax.places(inConfiguration: record),
      let first = places.ranges.first, let read = try? syntax.read(record[first])
    else { return nil }
    self = read.header
  }

  /// What the frame itself says; `nil` where its header is in the record only.
  public init?(codec: String, inFrame frame: [UInt8], configuration: [UInt8]?) {
    if codec == "vp8" {
      guard let read = try? VP8KeyFrame(frame: frame) else { return nil }
      self = read.header
      return
    }
    if codec == "mjpeg" {
      guard let read = try? JPEGFrameHeader(frame: frame) else { return nil }
      self = read.header
      return
    }
    let framing = NALUnits.Framing(codec: codec, record: configuration)
    guard let syntax = HeaderSyntax(rawValue: codec),
      let first = syntax.places(inFrame: frame, framing).ranges.first,
      let read = try? syntax.read(frame[first])
    else { return nil }
    self = read.header
  }
}
