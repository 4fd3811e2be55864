/// Pauses: what comes in them is in no file and is not lost, and the times of the file do not know of them.

import Capstan
import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct PauseTests {
    /// Through the session: the numbers in the pictures jump where the pause was, the times go on evenly.
    @Test(arguments: [0, 2]) func aPauseTakesNoTime(bFrames: Int) async throws {
      let folder = try TemporaryFolder()
      var preset = try Preset.named("640x480")
      preset.encoderOptions["bframes"] = "\(bFrames)"
      let session = CaptureSession(device: .synthetic, preset: preset)
      var output = MovieFileOutput(to: folder.file("a.mp4"))
      output.maximumFrames = 60
      let events = session.events
      try await session.start(recordingTo: output)
      try await Task.sleep(for: .milliseconds(400))
      try await session.pause()
      #expect(await session.isPaused)
      try await session.pause()
      try await Task.sleep(for: .milliseconds(900))
      try await session.resume()
      let report = try await session.waitUntilFinished()
      #expect(report.isSuccess && report.framesWritten == 60 && report.framesCaptured == 60, "\(report)")
      #expect(abs(report.duration.inSeconds - 60 / 30.0) < 0.1 || report.lost.total > 0, "\(report.duration)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.probe.readFrames == 60 && check.isOrdinaryMP4)
      #expect((check.track?.maxGap ?? 9) < 0.06 || report.lost.total > 0, "\(check.track?.maxGap ?? 9)")
      let frames = try #require(check.frames)
      #expect(frames.reordered == 0 && frames.repeated == 0)
      #expect((frames.last ?? 0) - (frames.first ?? 0) >= 60 + 20, "what came in the pause is not in the file")
      var told: [String] = []
      for await event in events {
        switch event {
        case .paused: told.append("paused")
        case .resumed: told.append("resumed")
        default: break
        }
        if case .finished = event { break }
      }
      #expect(told == ["paused", "resumed"])
    }

    @Test func stoppedInAPauseTheFileEndsWhereItBegan() async throws {
      let folder = try TemporaryFolder()
      let session = CaptureSession(device: .synthetic, preset: try Preset.named("640x480"))
      let output = MovieFileOutput(to: folder.file("a.mp4"))
      try await session.start(recordingTo: output)
      try await Task.sleep(for: .milliseconds(500))
      try await session.pause()
      try await Task.sleep(for: .milliseconds(700))
      let report = try await session.stop()
      #expect(report.isSuccess && report.duration < .milliseconds(900), "\(report.duration)")
      #expect(try await RecordingCheck(folder.file("a.mp4")).probe.readFrames == report.framesWritten)
    }

    /// By the command: commands on its input, and the signal.
    @Test func commandsAndSignals() async throws {
      let folder = try TemporaryFolder()
      let program = try RunningProgram(
        "/bin/sh",
        [
          "-c",
          """
          (sleep 1; echo pause; sleep 0.6; echo resume; sleep 0.4; echo split; sleep 0.6; echo splt; echo status; \
          sleep 0.2; echo quit) \
          | "$0" record --events --commands -d synthetic -s 640x480 --segment 1h -o "$1"
          """, Places.programs.appending(path: "capstan").path(percentEncoded: false),
          folder.file("a.mp4").path(percentEncoded: false),
        ])
      let outcome = try await program.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = outcome.output.split(separator: "\n").compactMap {
        (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["event"] as? String
      }.filter { $0 != "status" }
      #expect(names == ["started", "paused", "resumed", "fileChanged", "finished"], "\(names)")
      #expect(
        outcome.errors.contains("there is no command splt; did you mean split?") && outcome.errors.contains("REC 00:"))
      #expect(try folder.names == ["a-00000.mp4", "a-00001.mp4"])
    }

    @Test func theEndOfTheInputEndsTheRecording() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("a.mp4")
      let outcome = try await RunningProgram(
        "/bin/sh",
        [
          "-c", "sleep 1.5 | \"$0\" record --commands -d synthetic -s 640x480 -o \"$1\"",
          Places.programs.appending(path: "capstan").path(percentEncoded: false), file.path(percentEncoded: false),
        ]
      ).finish()
      #expect(outcome.status == 0 && outcome.errors.contains("quit: finishing the file."), "\(outcome.errors)")
      #expect(try await RecordingCheck(file).isOrdinaryMP4)
    }
  }
}
