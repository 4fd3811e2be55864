/// What became of a recording: the answer of `CaptureSession.stop()`.

public import Foundation

public struct RecordingReport: Sendable {
  /// Where the recording is; `nil` where nothing was recorded, and then there is no file.
  public var file: URL?
  /// True where the file holds everything up to its end and its index is complete. With an `error` it can still be
  /// true: an unplugged camera ends a recording, it does not spoil it.
  public var isFileComplete: Bool
  /// Every file in its order: one, unless the recording was cut into several. `file` is the last of them, and
  /// `isFileComplete` speaks of all.
  public var files: [FileReport] = []
  public var endedBy = RecordingEnd.stopped
  /// What ended the recording before its time; `nil` for one that ended as asked.
  public var error: CaptureError?
  /// Of several, the last.
  public var mode: CaptureMode
  /// Each mode that was recorded, where the camera got another signal meanwhile; else empty.
  public var modes: [RecordedMode] = []
  /// Of the recorded picture; of several, the last.
  public var dimensions: VideoDimensions
  /// Differences between what was asked and what the camera has, and what had to be assumed.
  public var notes: [String]
  /// The encoder's element.
  public var encoder: String
  /// The encoder's own word for the speed that it began with.
  public var speed: String?
  /// Every change of it.
  public var speedSteps: [GovernorStep] = []
  public var colorimetry: Colorimetry
  /// Length of the recording: from the first frame to the end of the last.
  public var duration: Duration
  public var framesCaptured: Int
  public var framesEncoded: Int
  public var framesWritten: Int
  public var lost: LostFrames
  /// The sum: every frame that the recording should hold is in it, or has a place where it was lost.
  public var ledger = LedgerReport()
  /// Frames a second as they came, by their times; `nil` with fewer than two.
  public var measuredRate: Double?
  /// The rate that the camera agreed to and the one it gave, and how many of its pictures were new.
  public var rate = RateReport()
  public var bytes: Int64
  /// When the camera was away.
  public var interruptions: [Interruption] = []
  /// What a crash would have taken of the end.
  public var recoveryPoint = RecoveryReport(asked: .seconds(1), worst: .zero)
  /// The second file; `nil` where none was asked for.
  public var proxy: ProxyReport?

  /// The replays that were saved.
  public var replays: [ReplayReport] = []
  /// True where nothing but replays is written: a recording without one leaves no file, and that is none's failure.
  public var isReplayOnly = false
  /// What was asked against what the finished files are, read from them; `nil` where nobody asked for it.
  public var contract: RecordingContract?
  /// Where this report was written; `nil` where it was not.
  public var reportFile: URL?

  /// True where a strict recording is not what was asked.
  public var isContractBreached: Bool { contract.map { $0.isBinding && !$0.breaches.isEmpty } ?? false }

  /// True where the recording ended as asked and the file is good.
  public var isSuccess: Bool {
    error == nil && (isReplayOnly || isFileComplete && file != nil) && proxy?.isFileComplete != false
  }
}

extension RecordingReport: Encodable {
  private enum CodingKeys: CodingKey {
    case file, success, fileComplete, files, endedBy, recoveryPoint, error, mode, modes, size, notes, encoder, speed,
      speedSteps, colorimetry, duration, proxy, interruptions
    case replays, replayOnly, version, contract, breaches, reportFile
    case framesCaptured, framesEncoded, framesWritten, framesLost, lost, ledger, measuredRate, rate, bytes
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ReportFile.version, forKey: .version)
    try container.encode(file?.path(percentEncoded: false), forKey: .file)
    try container.encode(isSuccess, forKey: .success)
    try container.encode(isFileComplete, forKey: .fileComplete)
    if files.count > 1 { try container.encode(files, forKey: .files) }
    try container.encode(endedBy, forKey: .endedBy)
    try container.encode(recoveryPoint, forKey: .recoveryPoint)
    try container.encodeIfPresent(error, forKey: .error)
    try container.encode(mode, forKey: .mode)
    if !modes.isEmpty { try container.encode(modes, forKey: .modes) }
    try container.encode(dimensions, forKey: .size)
    try container.encode(notes, forKey: .notes)
    try container.encode(self.encoder, forKey: .encoder)
    try container.encodeIfPresent(speed, forKey: .speed)
    try container.encode(speedSteps, forKey: .speedSteps)
    try container.encode(colorimetry, forKey: .colorimetry)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encode(framesCaptured, forKey: .framesCaptured)
    try container.encode(framesEncoded, forKey: .framesEncoded)
    try container.encode(framesWritten, forKey: .framesWritten)
    try container.encode(lost.total, forKey: .framesLost)
    try container.encode(lost, forKey: .lost)
    try container.encode(ledger, forKey: .ledger)
    try container.encode(measuredRate, forKey: .measuredRate)
    try container.encode(rate, forKey: .rate)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(interruptions, forKey: .interruptions)
    try container.encodeIfPresent(proxy, forKey: .proxy)
    if !replays.isEmpty { try container.encode(replays, forKey: .replays) }
    if isReplayOnly { try container.encode(isReplayOnly, forKey: .replayOnly) }
    try container.encodeIfPresent(contract, forKey: .contract)
    try container.encodeIfPresent(contract?.breaches, forKey: .breaches)
    try container.encodeIfPresent(reportFile?.path(percentEncoded: false), forKey: .reportFile)
  }
}
