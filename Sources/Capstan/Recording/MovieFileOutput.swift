/// Where a recording goes: a file of its own, or a folder in which it gets a name.

public import Foundation

public struct MovieFileOutput: Sendable, Hashable {
  public enum Destination: Sendable, Hashable {
    case file(URL)
    /// Named by date, time and a counter, as `2026-11-30-14-05-09-0.mp4`.
    case folder(URL)
  }

  public var destination: Destination
  /// Replaces a file of that name, and only once the new one is complete. A `false` refuses before the camera opens.
  public var mayOverwrite: Bool
  /// Ends the recording after exactly this many frames.
  public var maximumFrames: Int?
  /// Ends the recording after this time, counted from the first frame: 10 s at 60 fps are 600 frames.
  public var maximumDuration: Duration?

  /// Ends the recording before its file could become larger than this, container and index included; of several files,
  /// before all of them together could. A proxy does not count.
  public var maximumBytes: Int64?
  /// Ends the recording while so many bytes are still free on its disk, and refuses one that would begin with less. With
  /// `nil` a mebibyte is kept to complete the file, and to come to it is a failure.
  public var reservedBytes: Int64?
  /// Permissions of its files from their first byte on, as `chmod(2)` takes them, 0o600 to 0o777; `nil` for the usual
  /// ones.
  public var fileMode: UInt32?

  /// Cuts the recording into files that follow one another without a frame missing or doubled between them. The
  /// destination's name is then a pattern (`FilePattern`). `nil` for one file.
  public var segments: SegmentRule?

  /// Keeps the last seconds in memory, to be saved when they are asked for; `nil` for none.
  public var replay: ReplayRule?

  /// Writes the report beside the first file, as `NAME.report.json`, with what was asked, declared and measured.
  public var writesReport = false
  /// Measures the finished files, and takes a recording that is not what was asked for a failed one. What can be known
  /// before is a matter of the request's `fallback`.
  public var isStrict = false

  public init(
    _ destination: Destination, mayOverwrite: Bool = false, maximumFrames: Int? = nil,
    maximumDuration: Duration? = nil, segments: SegmentRule? = nil
  ) {
    self.destination = destination
    self.mayOverwrite = mayOverwrite
    self.maximumFrames = maximumFrames
    self.maximumDuration = maximumDuration
    self.segments = segments
  }

  /// With the limits of a preset where it has none itself.
  func limited(by limits: RecordingLimits, wantsReport: Bool = false) -> MovieFileOutput {
    var output = self
    output.maximumDuration = maximumDuration ?? limits.duration
    output.maximumFrames = maximumFrames ?? limits.frames
    output.maximumBytes = maximumBytes ?? limits.bytes
    output.reservedBytes = reservedBytes ?? limits.reserve
    output.writesReport = writesReport || wantsReport
    return output
  }

  /// A file of this name.
  public init(to file: URL) { self.init(.file(file)) }
}
