/// Recordings in real time, one after the other: two at once would take each other's processor.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) enum LiveTests {}

/// One recording and what is in it.
struct Recorded {
  let outcome: Outcome
  let check: RecordingCheck

  /// Records by the command into a file of its own; the report is in the outcome.
  init(_ arguments: String..., camera: FakeCamera, device: String = "/dev/video0") async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("clip.mp4")
    let program = try RunningProgram(
      "capstan", ["record", "--device", device, "--output", file.path(percentEncoded: false), "--json"] + arguments,
      camera: camera)
    outcome = try await program.finish()
    guard outcome.status == 0 else { throw RecordingFailure(outcome: outcome) }
    check = try await RecordingCheck(file)
  }

  var lost: Int { get throws { try outcome.json()["framesLost"] as? Int ?? -1 } }
}

struct RecordingFailure: Error, CustomStringConvertible {
  let outcome: Outcome
  var description: String { "capstan ended with \(outcome.status): \(outcome.errors)" }
}
