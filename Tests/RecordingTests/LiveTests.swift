/// Lanes of recordings, each one after the other: in one those in real time that two at once would take each other's
/// processor, beside them what is light or waits, and work that can wait itself.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) enum LiveTests {}

/// Small pictures, short recordings, long waits.
@Suite(.serialized) enum LightTests {}

/// The programs of these take the processor when the live ones leave it. One after the other too, in each of them: what is
/// light runs several recordings at once by itself.
@Suite(.serialized, .givingWay) enum ColorWork {}
@Suite(.serialized, .givingWay) enum FileWork {}

/// Runs the programs of a suite's tests so that others go before them.
struct GivingWay: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await RunningProgram.$niceness.withValue(10) { try await function() }
  }
}

extension Trait where Self == GivingWay {
  static var givingWay: Self { GivingWay() }
}

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
