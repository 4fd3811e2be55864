/// Replays: the last seconds in a file of their own, while the recording goes on unharmed.

import Capstan
import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct ReplayTests {
    /// A key frame each half second, of 640x480 at 30.
    private static func preset(bFrames: Int = 0) throws -> Preset {
      var preset = try Preset.named("640x480")
      preset.keyFrameInterval = .milliseconds(500)
      preset.bFrames = bFrames
      return preset
    }

    private static func output(_ folder: TemporaryFolder, _ name: String, _ rule: ReplayRule) -> MovieFileOutput {
      var output = MovieFileOutput(to: folder.file(name))
      output.replay = rule
      return output
    }

    /// Numbers in the pictures follow one another, in the recording and in the replay.
    private func isUnbroken(_ file: URL, _ report: RecordingReport) async throws -> Int {
      let check = try await RecordingCheck(file)
      let frames = try #require(check.frames)
      #expect(frames.reordered == 0 && frames.repeated == 0 && frames.unreadable == 0)
      #expect(frames.lost == 0 || report.lost.total > 0, "\(file.lastPathComponent)")
      return check.probe.readFrames
    }

    @Test(arguments: [("a.mp4", 0), ("a.mp4", 2), ("a.mkv", 0), ("a.mkv", 2)])
    func theLastSecondsAreSaved(_ name: String, _ bFrames: Int) async throws {
      let folder = try TemporaryFolder()
      let session = CaptureSession(device: .synthetic, preset: try Self.preset(bFrames: bFrames))
      let events = session.events
      try await session.start(recordingTo: Self.output(folder, name, ReplayRule(duration: .seconds(1))))
      try await Task.sleep(for: .seconds(3))
      let replay = try await session.saveReplay()
      try await Task.sleep(for: .milliseconds(300))
      let report = try await session.stop()
      #expect(report.isSuccess && report.replays == [replay], "\(report)")
      #expect(replay.file == folder.file("a-replay-0.\(name.suffix(3))"))
      // One second, up to the key frame before it; frames that are still in the encoder are not in it.
      let seconds = replay.duration.inSeconds
      #expect(seconds > 0.8 && (seconds < 1.65 || report.lost.total > 0), "\(replay)")
      #expect(try await isUnbroken(replay.file, report) == replay.frames)
      #expect(try await isUnbroken(folder.file(name), report) == report.framesWritten)
      #expect(replay.start > .milliseconds(500))
      for await event in events {
        if case .replaySaved(let told) = event { #expect(told == replay) }
        if case .finished = event { break }
      }
    }

    /// Before the time is full, twice at once, in a pause, around a split, and as the last thing of all.
    @Test func atAnyMoment() async throws {
      let folder = try TemporaryFolder()
      let session = CaptureSession(device: .synthetic, preset: try Self.preset())
      var output = Self.output(folder, "a.mp4", ReplayRule(duration: .seconds(20)))
      output.segments = SegmentRule()
      try await session.start(recordingTo: output)
      try await Task.sleep(for: .milliseconds(900))
      async let one = session.saveReplay()
      async let other = session.saveReplay()
      let early = try await [one, other]
      #expect(Set(early.map(\.file.lastPathComponent)) == ["a-00000-replay-0.mp4", "a-00000-replay-1.mp4"])
      try await session.split()
      try await session.saveReplay()
      try await session.pause()
      try await Task.sleep(for: .milliseconds(400))
      let inPause = try await session.saveReplay()
      let again = try await session.saveReplay()
      #expect(inPause.frames == again.frames)
      try await session.resume()
      try await Task.sleep(for: .milliseconds(400))
      let last = try await session.startSavingReplay()
      let report = try await session.stop()
      #expect(report.isSuccess && report.replays.count == 6 && report.files.count == 2, "\(report)")
      #expect(try await last.value.get() == report.replays.last)
      for replay in report.replays {
        let check = try await RecordingCheck(replay.file)
        #expect(check.isOrdinaryMP4 && check.probe.readFrames == replay.frames)
        #expect((check.track?.maxGap ?? 9) < 0.06 || report.lost.total > 0, "a pause takes no time")
      }
      let names = try folder.names
      #expect(names.count == 8, "\(names)")
    }

    /// The camera's own buffers are few: the replay keeps copies.
    @Test(arguments: ["H264", "MJPG"]) func ofACamerasOwnStream(_ format: String) async throws {
      let folder = try TemporaryFolder()
      let camera = FakeCamera(format: format, width: 640, height: 480, rate: (30, 1))
      let file = folder.file(format == "H264" ? "a.mp4" : "a.mkv")
      let program = try RunningProgram(
        "capstan",
        [
          "record", "--events", "-p", "passthrough", "-s", "640x480", "-r", "30", "--replay", "1s", "-o",
          file.path(percentEncoded: false),
        ], camera: camera)
      let isUnderWay = try await program.wait {
        program.outputSoFar.components(separatedBy: "\"event\":\"status\"").count > 14
      }
      #expect(isUnderWay)
      program.signal(SIGUSR1)
      #expect(try await program.wait { program.outputSoFar.contains("replaySaved") })
      program.signal(SIGINT)
      let outcome = try await program.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let events = try outcome.events()
      let saved = try #require(events.first { $0["event"] as? String == "replaySaved" })
      let finished = try #require(events.last)
      // A camera whose sixteen buffers are held for a second sends nothing more.
      #expect((finished["lost"] as? [String: Int])?["driver"] ?? .max < 10, "\(finished)")
      #expect((events.last { $0["event"] as? String == "status" })?["replay"] is [String: Any])
      let replay = try #require(saved["file"] as? String)
      let read = try await RecordingCheck(URL(filePath: replay)).probe.readFrames
      // Where the camera lost frames, a decoder leaves out those that build on them.
      let isWhole = finished["framesLost"] as? Int == 0
      #expect(isWhole ? read == saved["frames"] as? Int : read > 0, "\(read) of \(saved)")
    }

    /// Pictures that are hard to code fill the memory before the time is full: less is kept, and that is told.
    @Test func theMemoryIsBounded() async throws {
      let folder = try TemporaryFolder()
      let camera = FakeCamera(format: "MJPG", width: 640, height: 480, rate: (30, 1)).showing("noise")
      let program = try RunningProgram(
        "capstan",
        [
          "record", "--events", "-p", "passthrough", "-s", "640x480", "-r", "30", "--replay", "20s", "--replay-memory",
          "1MiB", "-o", folder.file("a.mkv").path(percentEncoded: false),
        ], camera: camera)
      #expect(
        try await program.wait { program.outputSoFar.components(separatedBy: "\"event\":\"status\"").count > 14 })
      program.signal(SIGUSR1)
      #expect(try await program.wait { program.outputSoFar.contains("replaySaved") })
      program.signal(SIGINT)
      let outcome = try await program.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let kept = try outcome.events().compactMap { ($0["replay"] as? [String: Int])?["bytes"] }
      #expect(kept.count > 10 && kept.allSatisfy { $0 <= 1 << 20 } && (kept.max() ?? 0) > 1 << 19, "\(kept)")
      let saved = try #require(try outcome.events().first { $0["event"] as? String == "replaySaved" })
      let frames = try #require(saved["frames"] as? Int)
      let check = try await RecordingCheck(URL(filePath: try #require(saved["file"] as? String)))
      #expect(frames > 3 && frames < 60 && check.probe.readFrames == frames, "\(saved)")
    }

    @Test func nothingIsWrittenBeforeSomethingIsSaved() async throws {
      let folder = try TemporaryFolder()
      let words = ["record", "-d", "synthetic", "-p", "640x480", "--replay", "5s", "--replay-only", "-o"]
      let file = folder.file("a.mp4").path(percentEncoded: false)
      let none = try await RunningProgram("capstan", words + [file, "--frames", "30"]).finish()
      #expect(none.status == 0 && none.errors.contains("No replay was saved: there is no file."), "\(none.errors)")
      #expect(try folder.names.isEmpty)
      let script = "(sleep 2; echo save-replay; sleep 0.5; echo status; echo quit) | \"$0\" \"$@\" --commands --json"
      let program = Places.programs.appending(path: "capstan").path(percentEncoded: false)
      let some = try await RunningProgram("/bin/sh", ["-c", script, program] + words + [file]).finish()
      #expect(some.status == 0, "\(some.errors)")
      #expect(try folder.names == ["a-replay-0.mp4"])
      #expect(some.errors.contains("a-replay-0.mp4 is saved") && some.errors.contains("  replay "), "\(some.errors)")
      let report = try some.json()
      #expect(report["success"] as? Bool == true && report["replayOnly"] as? Bool == true)
      #expect((report["ledger"] as? [String: Any])?["difference"] as? Int == 0)
      let check = try await RecordingCheck(folder.file("a-replay-0.mp4"))
      #expect(check.isOrdinaryMP4 && (check.frames?.lost == 0 || report["framesLost"] as? Int != 0))
    }

    /// What cannot be kept is told, and the recording goes on.
    @Test func withoutAReplayNothingHappens() async throws {
      let folder = try TemporaryFolder()
      let program = try RunningProgram(
        "capstan",
        [
          "record", "-d", "synthetic", "-p", "640x480", "-o", folder.file("a.mp4").path(percentEncoded: false),
          "--events",
        ])
      #expect(try await program.wait { program.outputSoFar.contains("started") })
      program.signal(SIGUSR1)
      try await Task.sleep(for: .milliseconds(300))
      program.signal(SIGTERM)
      let outcome = try await program.finish()
      #expect(outcome.status == 0 && outcome.errors.contains("Nothing is kept for a replay"), "\(outcome.errors)")
      let wrong = try await capstan("record", "--replay-only")
      #expect(wrong.status == 64 && wrong.errors.contains("--replay 30s"))
      let both = try await capstan(
        "record", "-d", "synthetic", "--replay", "5s", "--replay-only", "--segment", "1s", "-o",
        folder.file("b.mp4").path(percentEncoded: false))
      #expect(both.status == 2, "\(both.errors)")
    }
  }
}
