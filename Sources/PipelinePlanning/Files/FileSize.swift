/// How large a file can be at most once it is finished: its pictures, and what its container adds to them.

/// What a container adds, in bytes, each the most that its muxer writes (`overhead` in `pipelines/containers`).
public struct ContainerOverhead: Sendable, Hashable {
  /// Once a file: headers, and what an index needs that holds nothing.
  public var file: Int64
  /// For each fragment (ISO/IEC 14496-12, 8.8) or cluster (RFC 9559): its own headers, and its place in the index.
  public var fragment: Int64
  /// For each frame: where it is described while the file is written, and again in the index.
  public var frame: Int64

  public init(file: Int64, fragment: Int64, frame: Int64) {
    self.file = file
    self.fragment = fragment
    self.frame = frame
  }
}

/// Grows frame by frame, and never tells less than the file will have.
public struct FileSize: Sendable, Hashable {
  private let overhead: ContainerOverhead
  /// Nanoseconds that a fragment lasts.
  private let fragment: Int64
  /// Of the encoded pictures.
  public private(set) var pictures: Int64 = 0
  public private(set) var frames: Int64 = 0
  private var keyFrames: Int64 = 0
  private var first: Int64?
  private var last: Int64 = 0

  /// - Parameter fragment: nanoseconds that a fragment lasts, above zero.
  public init(_ overhead: ContainerOverhead, fragment: Int64) {
    self.overhead = overhead
    self.fragment = max(1, fragment)
  }

  /// - Parameters:
  ///   - bytes: of the picture.
  ///   - time: at which it is decoded, in nanoseconds.
  public mutating func add(_ bytes: Int, isKeyFrame: Bool, at time: Int64) {
    pictures += Int64(bytes)
    frames += 1
    keyFrames += isKeyFrame ? 1 : 0
    first = first ?? time
    last = max(last, time)
  }

  /// The size of the finished file at most, in bytes. A key frame begins a fragment too.
  public var bytes: Int64 {
    let fragments = min(frames, max(1, keyFrames) + (last - (first ?? last)) / fragment)
    return pictures + overhead.file + frames * overhead.frame + fragments * overhead.fragment
  }

  /// What it would be with another frame.
  public func adding(_ bytes: Int, isKeyFrame: Bool, at time: Int64) -> FileSize {
    var size = self
    size.add(bytes, isKeyFrame: isKeyFrame, at: time)
    return size
  }
}
