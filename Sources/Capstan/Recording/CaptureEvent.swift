/// What a session tells while it runs.

public import Foundation

public enum CaptureEvent: Sendable {
  /// Frames arrive. The path is the final one; until the end the file has another name. The mode is the one that was
  /// negotiated.
  case started(file: URL, mode: CaptureMode, plan: RecordingPlan)
  /// Four times a second.
  case status(RecordingStatus)
  /// Nothing is recorded until `resumed`; the time is that of the recording, which stands still meanwhile.
  case paused(time: Duration)
  case resumed(time: Duration)
  /// A file is finished and has its final name; the recording goes on in the next one.
  case fileChanged(finished: FileReport, next: URL)
  /// The camera went, or fell silent for too long, and is waited for; see `Preset.onUnplug`.
  case interrupted(reason: CaptureError, time: Duration)
  /// It is back, and the recording goes on.
  case interruptionEnded(Interruption)
  /// The camera got another signal, and goes on in another mode. What one file cannot hold of it goes into a next one.
  case modeChanged(RecordedMode, plan: RecordingPlan)
  /// A recording of an earlier run that was cut off, found in the folder of this one, is complete now. May come after
  /// `finished`.
  case recovered(SalvageReport)
  /// The last seconds were saved into a file of their own.
  case replaySaved(ReplayReport)
  /// The encoder goes on at another speed, because it fell behind or because there is room again.
  case governorStep(GovernorStep)
  /// Something that does not end the recording.
  case warning(String)
  /// A recording could not be begun; there is no file. The last event of that attempt.
  case failed(CaptureError)
  /// After the file has been synchronised and has its final name. The last event.
  case finished(RecordingReport)
}

/// A look at a running recording.
public struct RecordingStatus: Sendable, Hashable {
  /// Length of what has been taken in.
  public var time: Duration
  public var framesWritten: Int
  /// Frames a second over the last two seconds.
  public var rate: Double
  public var framesLost: Int
  /// Bits a second over the last two seconds.
  public var bitRate: Double
  public var bytes: Int64
  /// How long the disk lasts at this bit rate; `nil` while that is not known.
  public var diskTime: Duration?
  /// The encoder's own word for the speed that it has now, where it has one.
  public var speed: String?
  /// What a replay saved now would be made of, whole groups of pictures; `nil` where nothing is kept for one.
  public var replay: ReplayStatus?
  /// How long the camera has been waited for; `nil` while it is there.
  public var waiting: Duration?
}

/// A time in a recording when the camera was away.
public struct Interruption: Sendable, Hashable, Encodable {
  /// Of the recording, at its beginning.
  public var time: Duration
  public var duration: Duration
  /// That would have come meanwhile; none for one in which somebody ended the recording.
  public var frames: Int

  private enum CodingKeys: CodingKey { case time, duration, frames }

  /// Times in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.nanoseconds, forKey: .time)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(frames, forKey: .frames)
  }
}

/// A mode of the camera that was recorded.
public struct RecordedMode: Sendable, Hashable, Encodable {
  /// As it was negotiated.
  public var mode: CaptureMode
  /// Of the recording, at its first picture.
  public var time: Duration

  private enum CodingKeys: CodingKey { case mode, time }

  /// Time in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(mode, forKey: .mode)
    try container.encode(time.nanoseconds, forKey: .time)
  }
}

/// A change of the encoder's speed while it records, in one file and without a frame lost.
public struct GovernorStep: Sendable, Hashable {
  public enum Reason: String, Sendable, Hashable, Encodable {
    /// Frames waited: the machine did not keep up.
    case behind
    /// None had waited for some time.
    case room
  }

  /// Of the recording.
  public var time: Duration
  /// The encoder's own words.
  public var from: String
  public var to: String
  public var reason: Reason
  /// Between the newest frame of the camera and the newest that the encoder had taken.
  public var waiting: Duration
}

extension GovernorStep: Encodable {
  private enum CodingKeys: CodingKey { case time, from, to, reason, waiting }

  /// Times in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.nanoseconds, forKey: .time)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encode(reason, forKey: .reason)
    try container.encode(waiting.nanoseconds, forKey: .waiting)
  }
}

/// Rates over a window that slides along with the status.
struct RateWindow: Sendable {
  private static let length = Duration.seconds(2)
  private var samples: [(time: Duration, frames: Int, bytes: Int64)] = []

  mutating func add(time: Duration, frames: Int, bytes: Int64) {
    samples.append((time, frames, bytes))
    while samples.count > 2, time - samples[1].time >= RateWindow.length { samples.removeFirst() }
  }

  /// Frames and bits a second.
  var rates: (frames: Double, bits: Double) {
    guard let first = samples.first, let last = samples.last, last.time > first.time else { return (0, 0) }
    let seconds = (last.time - first.time).inSeconds
    // The count of a recording that is full goes back to its last frame.
    return (Double(max(0, last.frames - first.frames)) / seconds, Double(last.bytes - first.bytes) * 8 / seconds)
  }
}
