/// Decides before each frame whether the file, and the recording, may still take it.

/// Bytes of finished files, with what their containers add.
public struct SizeLimits: Sendable, Hashable {
  /// Of all files of the recording together; `nil` for no such limit.
  public var recording: Int64?
  /// Of one file; `nil` for no such limit.
  public var file: Int64?

  public init(recording: Int64? = nil, file: Int64? = nil) {
    self.recording = recording
    self.file = file
  }
}

public struct FileBudget: Sendable, Hashable {
  /// What is known of a frame before it is written.
  public struct Frame: Sendable, Hashable {
    /// Of the picture.
    public var bytes: Int
    public var isKeyFrame: Bool
    /// At which it is decoded, in nanoseconds.
    public var time: Int64
    /// Frames that are shown before it and come after it.
    public var followers: Int

    public init(bytes: Int, isKeyFrame: Bool, time: Int64, followers: Int = 0) {
      self.bytes = bytes
      self.isKeyFrame = isKeyFrame
      self.time = time
      self.followers = followers
    }
  }

  private let limits: SizeLimits
  private let empty: FileSize
  /// True for an encoder, false for a stream whose key frames come when they come.
  private let makesKeyFrames: Bool
  private var size: FileSize
  /// Of the files before this one.
  private var earlier: Int64 = 0
  /// Pictures of all files, and since when, in nanoseconds.
  private var pictures: Int64 = 0
  private var first: Int64?
  /// Where the present key frame begins, and the most that lay between two.
  private var lastKeyFrame: Int64 = 0
  private var longest: Int64 = 0
  /// Where a key frame was asked for, and the most that came until it was there.
  private var asked: Int64?
  private var slowest: Int64 = 0

  /// - Parameter empty: of a file that holds nothing yet.
  public init(_ limits: SizeLimits, empty: FileSize, makesKeyFrames: Bool) {
    self.limits = limits
    self.empty = empty
    self.makesKeyFrames = makesKeyFrames
    size = empty
  }

  /// The size of the finished file at most, in bytes.
  public var fileBytes: Int64 { size.bytes }

  /// Whether the recording stays within its limit with this frame and those that it needs behind it.
  /// - Parameter isFirst: of a file.
  public func holds(_ frame: Frame, isFirst: Bool = false) -> Bool {
    guard let limit = limits.recording else { return true }
    let before = isFirst && size.frames > 0 ? earlier + size.bytes : earlier
    return before + FileBudget.adding(frame, to: isFirst ? empty : size).bytes <= limit
  }

  private static func adding(_ frame: Frame, to size: FileSize) -> FileSize {
    (0...max(0, frame.followers)).reduce(size) { size, place in
      size.adding(frame.bytes, isKeyFrame: frame.isKeyFrame && place == 0, at: frame.time)
    }
  }

  /// Whether the file shall end before the next key frame, this one included, as the one after it might come too late.
  public func isDue(before frame: Frame) -> Bool {
    guard let limit = limits.file, size.frames > 0 else { return false }
    return FileBudget.adding(frame, to: size).bytes + room(until: frame, limit) > limit
  }

  /// Whether the file would be larger than it may with this frame, and no key frame has come in time.
  public func isLate(_ frame: Frame) -> Bool {
    limits.file.map { size.frames > 0 && FileBudget.adding(frame, to: size).bytes > $0 } ?? false
  }

  /// Bytes that can come before a key frame does.
  private func room(until frame: Frame, _ limit: Int64) -> Int64 {
    guard makesKeyFrames else { return frame.isKeyFrame ? longest + longest / 5 : 0 }
    let guess = Int64(Double(pictures) / max(1, seconds(at: frame.time)) * FileBudget.patience)
    let known = slowest > 0 ? slowest + slowest / 2 : guess
    return min(limit / 2, max(limit / 10, known))
  }

  /// Seconds that an encoder may take for a key frame, before the first has shown how long it takes.
  private static let patience = 1.2

  private func seconds(at time: Int64) -> Double { Double(time - (first ?? time)) / 1e9 }

  public mutating func add(_ frame: Frame) {
    if frame.isKeyFrame {
      longest = max(longest, size.pictures - lastKeyFrame)
      if let asked { slowest = max(slowest, size.pictures - asked) }
      (lastKeyFrame, asked) = (size.pictures, nil)
    }
    size.add(frame.bytes, isKeyFrame: frame.isKeyFrame, at: frame.time)
    pictures += Int64(frame.bytes)
    first = first ?? frame.time
  }

  /// A key frame was asked for.
  public mutating func ask() { asked = asked ?? size.pictures }

  /// The next frame is the first of another file.
  public mutating func beginFile() {
    longest = max(longest, size.pictures - lastKeyFrame)
    if let asked { slowest = max(slowest, size.pictures - asked) }
    earlier += size.bytes
    (size, lastKeyFrame, asked) = (empty, 0, nil)
  }
}

extension RecordingPlan {
  /// Of a file that holds nothing yet.
  public func budget(_ limits: SizeLimits) -> FileBudget {
    let empty = FileSize(container.overhead, fragment: recovery.fragment.nanoseconds)
    return FileBudget(limits, empty: empty, makesKeyFrames: !encoder.isCopy)
  }
}
