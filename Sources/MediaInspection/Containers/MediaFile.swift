/// What a container says of its pictures, whichever container it is.

public import Foundation
public import MediaFormats

public struct MediaFile: Sendable, Hashable {
  public enum Container: String, Sendable, Hashable { case mp4, mov, mkv, webm }

  /// A frame as the index has it. Times are in the track's own units.
  public struct Frame: Sendable, Hashable {
    /// When it is shown.
    public var time: Int64
    /// `nil` where the container does not say it.
    public var duration: Int64?
    public var isKey: Bool
    public var offset: UInt64
    public var size: Int
  }

  /// A stretch of the track, as an edit list takes it into the movie.
  public struct Edit: Sendable, Hashable {
    /// Seconds of the movie.
    public var duration: Double
    /// Where it starts in the track, in seconds; `nil` for an empty stretch.
    public var start: Double?
  }

  public struct Layout: Sendable, Hashable {
    /// Kinds of the parts on the top level, in order; runs of the same are one.
    public var parts: [String]
    /// True where the index stands before the pictures.
    public var isIndexFirst: Bool
    /// Fragments (`moof`).
    public var fragments: Int
    /// True where the last part is not whole.
    public var isTruncated: Bool
    /// True where the index of fragments (`mfra`) is there, which is written last.
    public var hasFragmentIndex = false
    /// Tracks beside the one of pictures that is read: sound, other pictures, subtitles.
    public var otherTracks = 0
    /// Where the parts cease to make sense, or the last one is cut off; `nil` where all of the file was read.
    public var readEnd: UInt64?
    /// Bytes before it that had to be passed over, as they are damaged.
    public var skippedBytes: UInt64 = 0
  }

  public var container: Container
  /// As presets name it: `h264`, `h265`, `vp8`, `vp9`, `av1`; else the container's own code.
  public var codec: String
  public var dimensions: VideoDimensions
  public var color: CodedColor
  /// Length of the box that holds the colour, and its kind, as `nclx` and 19; `nil` in Matroska and where there is none.
  public var colorBox: ColorBox?
  /// The decoder's record: `avcC`, `hvcC`, `av1C`, or CodecPrivate.
  public var configuration: [UInt8]?
  public var frames: [Frame]
  /// The track's units in a second.
  public var timescale: Double
  public var edits: [Edit]
  /// In seconds, each where it is said.
  public var movieDuration: Double?
  public var trackDuration: Double?
  /// Where the last of the other tracks ends, in seconds of the movie; 0 without one.
  public var othersEnd: Double
  public var layout: Layout

  public struct ColorBox: Sendable, Hashable {
    public var kind: String
    public var size: Int
  }

  /// Reads a file's index, whatever its size.
  public init(contentsOf file: URL) throws(InspectionError) {
    let bytes = try FileBytes(file)
    if bytes.size == 0 { throw .noRecording("the file is empty") }
    if bytes.read(at: 0, count: 4) == MatroskaReader.signature {
      self = try MatroskaReader(bytes).file()
    } else if ISOMediaReader.recognizes(bytes) {
      self = try ISOMediaReader(bytes).file()
    } else {
      throw .unknownContainer
    }
  }

  init(
    container: Container, codec: String, dimensions: VideoDimensions, color: CodedColor, colorBox: ColorBox?,
    configuration: [UInt8]?, frames: [Frame], timescale: Double, edits: [Edit], movieDuration: Double?,
    trackDuration: Double?, othersEnd: Double, layout: Layout
  ) {
    self.container = container
    self.codec = codec
    self.dimensions = dimensions
    self.color = color
    self.colorBox = colorBox
    self.configuration = configuration
    self.frames = frames
    self.timescale = timescale
    self.edits = edits
    self.movieDuration = movieDuration
    self.trackDuration = trackDuration
    self.othersEnd = othersEnd
    self.layout = layout
  }

  /// The bytes of a frame as the container has them; fewer where the file ends before.
  public static func bytes(of frame: Frame, in file: URL) throws(InspectionError) -> [UInt8] {
    try FileBytes(file).read(at: frame.offset, count: min(frame.size, 64 << 20))
  }

  /// Bytes that hold frames, and that reading did not come to: a damaged place stands before them. 0 for a file that
  /// only ends in the middle of its last fragment.
  package func unreadBytes(in file: URL) throws(InspectionError) -> UInt64 {
    guard let end = layout.readEnd else { return layout.skippedBytes }
    let bytes = try FileBytes(file)
    let isMatroska = [.mkv, .webm].contains(container)
    let next = isMatroska ? MatroskaReader.cluster(in: bytes, from: end) : ISOMediaReader.fragment(in: bytes, from: end)
    return layout.skippedBytes + (next.map { bytes.size - $0 } ?? 0)
  }

  /// Frames that begin with nothing but zeros, as no frame of these codecs does: a hole that a full disk, a dead card or
  /// half a copy has left.
  /// - Parameter most: looks at so many frames, evenly spread over the file.
  public func holes(in file: URL, most: Int = 500) throws(InspectionError) -> (found: Int, looked: Int) {
    guard ["h264", "h265", "vp8", "vp9", "av1", "mjpeg", "mpeg4"].contains(codec) else { return (0, 0) }
    let bytes = try FileBytes(file)
    let step = max(1, frames.count / most)
    let looked = stride(from: 0, to: frames.count, by: step).map { frames[$0] }.filter { $0.size > 0 }
    let found = looked.count { frame in
      let start = bytes.read(at: frame.offset, count: min(frame.size, 64))
      return start.count == min(frame.size, 64) && start.allSatisfy { $0 == 0 }
    }
    return (found, looked.count)
  }
}
