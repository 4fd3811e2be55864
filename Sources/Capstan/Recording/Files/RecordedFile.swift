/// One file of a recording: where it is on disk, what writes it, and what is in it.

public import Foundation
import GStreamer
import Synchronization

final class RecordedFile: Sendable {
  private struct Counts {
    var frames = 0
    var bytes: Int64 = 0
    /// Of the capture, in nanoseconds.
    var first: Int64?
    var last: Int64?
  }

  /// From 0.
  let number: Int
  let writer: FileWriter
  let output: OutputFile
  private let synchronizer: DiskSynchronizer
  private let agreement: CameraAgreement
  private let timeline: RecordingTimeline
  private let counts = Mutex(Counts())

  /// Builds the pipeline, opens nothing.
  /// - Parameter observe: called on a streaming thread for every frame that the muxer takes.
  init(
    _ output: OutputFile, number: Int, agreement: CameraAgreement, timeline: RecordingTimeline,
    observe: @escaping @Sendable (BufferInfo) -> Void
  ) throws(CaptureError) {
    self.output = output
    self.number = number
    self.agreement = agreement
    self.timeline = timeline
    let plan = agreement.plan
    writer = try FileWriter(
      plan.filePipeline(to: output.location), plan.container, period: agreement.period, timeline: timeline)
    synchronizer = DiskSynchronizer(output.handle, every: plan.recovery.synchronization) { [writer] in writer.fail($0) }
    writer.observeFrames { [weak self] frame in
      self?.add(frame)
      observe(frame)
    }
  }

  /// Opens the file, and brings what is written to the disk from now on.
  func start() throws(StateChangeError) {
    try writer.start()
    synchronizer.start()
  }

  /// The most time in which what was written was not on the disk.
  var longestGap: Duration { synchronizer.longestGap }

  private func add(_ frame: BufferInfo) {
    counts.withLock { counts in
      counts.frames += 1
      counts.bytes += Int64(frame.size)
      counts.first = counts.first ?? frame.pts
      counts.last = frame.pts ?? counts.last
    }
  }

  var framesWritten: Int { counts.withLock(\.frames) }

  /// Gives the file its name, or takes it away where nothing can be played.
  /// - Parameters:
  ///   - isComplete: whether the muxer got to its end.
  ///   - origin: when the recording begins, on its timeline.
  func settle(isComplete: Bool, origin: Int64?) -> Settlement {
    synchronizer.stop()
    var (counts, output, told) = (counts.withLock { $0 }, output, nil as String?)
    // A muxer that did not get to its end may have taken frames and written none of them.
    let unfinished = isComplete ? nil : UnfinishedFile(output.temporary)
    guard counts.frames > 0, unfinished?.isPlayable != false else {
      output.remove()
      return Settlement(report: FileReport(file: nil, isComplete: false))
    }
    if let frames = unfinished?.frames { counts.frames = min(frames, counts.frames) }
    var failure: CaptureError?
    let wanted = output.final
    do {
      try output.finish()
      if output.final != wanted {
        told = "\(wanted.lastPathComponent) was taken meanwhile and is kept: this is \(output.final.lastPathComponent)."
      }
      if output.wasPutBack { failure = output.removal }
    } catch { failure = error }
    let (first, last) = (timeline.recorded(counts.first ?? 0), timeline.recorded(counts.last ?? 0))
    let report = FileReport(
      file: output.isThere ? output.current : nil, isComplete: isComplete && output.isThere,
      start: .nanoseconds(first - (origin ?? first)), duration: .nanoseconds(last - first + (agreement.period ?? 0)),
      dimensions: writer.dimensions ?? agreement.plan.dimensions, framesWritten: counts.frames, bytes: counts.bytes)
    return Settlement(report: report, failure: failure, warning: told)
  }

  struct Settlement: Sendable {
    var report: FileReport
    var failure: CaptureError?
    var warning: String?
  }
}

/// What is in one file of a recording.
public struct FileReport: Sendable, Hashable {
  /// Where it is; `nil` where there is none.
  public var file: URL?
  /// True where it holds everything up to its end and its index is complete.
  public var isComplete: Bool
  /// When in the recording it begins.
  public var start = Duration.zero
  public var duration = Duration.zero
  /// Of its pictures; `nil` where there is no file.
  public var dimensions: VideoDimensions?
  public var framesWritten = 0
  /// Of the encoded pictures.
  public var bytes: Int64 = 0
}

extension FileReport: Encodable {
  private enum CodingKeys: CodingKey { case file, fileComplete, start, duration, size, framesWritten, bytes }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file?.path(percentEncoded: false), forKey: .file)
    try container.encode(isComplete, forKey: .fileComplete)
    try container.encode(start.nanoseconds, forKey: .start)
    try container.encode(duration.nanoseconds, forKey: .duration)
    try container.encodeIfPresent(dimensions, forKey: .size)
    try container.encode(framesWritten, forKey: .framesWritten)
    try container.encode(bytes, forKey: .bytes)
  }
}
