/// How many frames a recording should hold, how many it does, and where the others went.

/// Frames that did not reach the file, by the place where they were lost.
public struct LostFrames: Sendable, Hashable, Encodable {
  /// Gaps in the driver's frame numbers: the camera made them, and no buffer was free, or the link lost them.
  public var driver = 0
  /// Dropped before encoding, because everything behind was too slow.
  public var queue = 0
  /// Could not be decoded.
  public var corrupt = 0
  /// Went into the encoder and did not come out.
  public var encoder = 0
  /// Went into the file's queue and not into the file.
  public var muxer = 0
  /// Were on their way when the recording broke off, because the disk or the encoder failed.
  public var abandoned = 0
  /// Never made: the camera was gone, or silent for half a second or more, and its time went by.
  public var absent = 0

  public init() {}

  public var total: Int { driver + queue + corrupt + encoder + muxer + abandoned + absent }

  /// Those that there are none of left out, in the order in which frames pass the places.
  public var causes: [(name: String, frames: Int)] {
    [
      ("absent", absent), ("driver", driver), ("queue", queue), ("corrupt", corrupt), ("encoder", encoder),
      ("muxer", muxer), ("abandoned", abandoned),
    ].filter { $0.1 > 0 }
  }
}

/// Every frame of a recording, accounted for.
public struct LedgerReport: Sendable, Hashable {
  /// As many as the camera makes at its rate, from the first frame to the end, pauses left out: counted by the driver's
  /// numbers and by time, and not at any place that a frame can be lost at.
  public var expected = 0
  public var written = 0
  public var lost = LostFrames()

  public init(expected: Int = 0, written: Int = 0, lost: LostFrames = LostFrames()) {
    self.expected = expected
    self.written = written
    self.lost = lost
  }

  /// Zero where every frame that is missing has a place. Filters that make frames, or leave some out, show here.
  public var difference: Int { expected - written - lost.total }
}

extension LedgerReport: Encodable {
  private enum CodingKeys: CodingKey { case expected, written, lost, difference }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(expected, forKey: .expected)
    try container.encode(written, forKey: .written)
    try container.encode(lost, forKey: .lost)
    try container.encode(difference, forKey: .difference)
  }
}
