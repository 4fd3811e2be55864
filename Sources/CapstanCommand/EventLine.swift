/// One event as one line of JSON, for programs: `{"event":"started",...}`, times in nanoseconds of the recording.

import Capstan
import Foundation

struct EventLine: Sendable {
  /// With its line end.
  let text: String
  let isLast: Bool

  init(_ event: CaptureEvent) throws {
    switch event {
    case .started(let file, let mode, let plan):
      let payload = Started(
        file: file.path(percentEncoded: false), mode: mode, encoder: plan.encoder.element, speed: plan.speed,
        notes: plan.notes)
      try self.init("started", payload)
    case .status(let status): try self.init("status", Status(status))
    case .governorStep(let step): try self.init("governorStep", step)
    case .replaySaved(let report): try self.init("replaySaved", report)
    case .recovered(let report): try self.init("recovered", report)
    case .paused(let time): try self.init("paused", ["time": time.nanoseconds])
    case .resumed(let time): try self.init("resumed", ["time": time.nanoseconds])
    case .interrupted(let reason, let time):
      try self.init("interrupted", Interrupted(time: time.nanoseconds, reason: reason))
    case .interruptionEnded(let interruption):
      let gap = interruption.duration.nanoseconds
      try self.init(
        "interruptionEnded", Returned(time: interruption.time.nanoseconds, gap: gap, frames: interruption.frames))
    case .modeChanged(let change, let plan):
      try self.init("modeChanged", ModeChanged(time: change.time.nanoseconds, mode: change.mode, notes: plan.notes))
    case .fileChanged(let finished, let next):
      try self.init("fileChanged", Changed(finished: finished, next: next.path(percentEncoded: false)))
    case .warning(let message): try self.init("warning", ["message": message])
    case .failed(let error): try self.init(error)
    case .finished(let report): try self.init("finished", report, isLast: true)
    }
  }

  /// The last line of a recording that never began.
  init(_ failure: CaptureError) throws { try self.init("finished", FailureAnswer(error: failure), isLast: true) }

  /// The name comes first, for people who read along.
  private init(_ name: String, _ payload: some Encodable, isLast: Bool = false) throws {
    text = "{\"event\":\"\(name)\",\(try JSONText.line(payload).dropFirst())\n"
    self.isLast = isLast
  }

  private struct Started: Encodable {
    var time = 0
    var file: String
    var mode: CaptureMode
    var encoder: String
    var speed: String?
    var notes: [String]
  }

  private struct Interrupted: Encodable {
    var time: Int64
    var reason: CaptureError
  }

  private struct ModeChanged: Encodable {
    var time: Int64
    var mode: CaptureMode
    var notes: [String]
  }

  private struct Returned: Encodable {
    /// Of the recording, at the beginning of the gap.
    var time: Int64
    var gap: Int64
    var frames: Int
  }

  private struct Changed: Encodable {
    var finished: FileReport
    var next: String
  }

  private struct Status: Encodable {
    var time: Int64
    var framesWritten: Int
    var framesLost: Int
    var frameRate: Double
    var bitRate: Double
    var bytes: Int64
    var diskTime: Int64?
    var speed: String?
    var replay: ReplayStatus?
    var waiting: Int64?

    init(_ status: RecordingStatus) {
      replay = status.replay
      time = status.time.nanoseconds
      framesWritten = status.framesWritten
      framesLost = status.framesLost
      frameRate = status.rate
      bitRate = status.bitRate
      bytes = status.bytes
      diskTime = status.diskTime?.nanoseconds
      speed = status.speed
      waiting = status.waiting?.nanoseconds
    }
  }
}
