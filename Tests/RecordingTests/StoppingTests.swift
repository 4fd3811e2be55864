/// Every way to stop leaves a file that plays.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct StoppingTests {
    private let folder: TemporaryFolder
    private let camera = FakeCamera("logitech_c922")

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: [String] = []) throws -> RunningProgram {
      try RunningProgram(
        "capstan",
        ["record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(percentEncoded: false), "--events"] + arguments,
        camera: camera)
    }

    private func writtenFrames(_ program: RunningProgram) -> Int {
      program.outputSoFar.split(separator: "\n").last.flatMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["framesWritten"] as? Int
      } ?? 0
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signal(_ number: Int32) async throws {
      let program = try start()
      #expect(try await program.wait { writtenFrames(program) >= 90 })
      program.signal(number)
      let outcome = try await program.finish()
      #expect(outcome.status == 0 && !outcome.wasKilled)
      #expect(try folder.names == ["a.mp4"])
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.faultyFrames == 0)
      #expect(check.frames?.first == 0 && check.frames?.count ?? 0 >= 90)
      let last = try #require(try outcome.events().last)
      #expect(last["event"] as? String == "finished")
      #expect(last["framesWritten"] as? Int == check.frames?.count)
    }

    @Test func killedAtFiveSeconds() async throws {
      let program = try start()
      #expect(try await program.wait { writtenFrames(program) >= 300 })
      program.signal(SIGKILL)
      #expect(try await program.finish().wasKilled)
      #expect(try folder.names == ["a.recording.mp4"], "the name says that it is not finished")
      let check = try await RecordingCheck(folder.file("a.recording.mp4"))
      #expect(check.frames?.first == 0 && check.frames?.count ?? 0 >= 260)
      #expect(check.faultyFrames == 0)
      // The next recording of that name neither fails nor touches the unfinished one.
      let program2 = try start(["--frames", "30"])
      #expect(try await program2.finish().status == 0)
      #expect(try folder.names == ["a.mp4", "a.recording.mp4"])
    }

    /// An easy picture fits into a file buffer for seconds: it must not wait there.
    @Test func killedEarly() async throws {
      let program = try RunningProgram(
        "capstan",
        ["record", "-d", "synthetic", "-o", folder.file("a.mp4").path(percentEncoded: false), "--events"])
      #expect(try await program.wait { writtenFrames(program) >= 105 })
      program.signal(SIGKILL)
      #expect(try await program.finish().wasKilled)
      #expect(try await RecordingCheck(folder.file("a.recording.mp4")).frames?.count ?? 0 >= 60)
    }

    /// A limit that the source does not reach is a failure, and what there is is kept.
    @Test func sourceEndsEarly() async throws {
      let outcome = try await capstan(
        "record", "-d", "element:videotestsrc is-live=true num-buffers=30", "-t", "10s", "-o",
        folder.file("a.mp4").path(percentEncoded: false))
      #expect(outcome.status == 4 && outcome.errors.contains("ended its stream"))
      #expect(try await RecordingCheck(folder.file("a.mp4")).probe.readFrames == 30)
    }

    /// Whoever started it is killed, and cannot say anything.
    @Test func endOfTheParent() async throws {
      let file = folder.file("a.mp4").path(percentEncoded: false)
      let command =
        "'\(Places.programs.appending(path: "capstan").path(percentEncoded: false))' record"
        + " -d /dev/video0 -o '\(file)' --exit-with-parent & wait"
      let shell = try RunningProgram("/bin/bash", ["-c", command], camera: camera)
      let temporary = folder.file("a.recording.mp4").path(percentEncoded: false)
      func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: temporary))?[.size] as? Int ?? 0 }
      #expect(try await shell.wait { size() > 20_000 })
      shell.signal(SIGKILL)
      _ = try await shell.finish()
      let end = ContinuousClock.now + .seconds(60)
      while !FileManager.default.fileExists(atPath: file), ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(50))
      }
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.unreadable == 0 && check.frames?.count ?? 0 > 10)
    }

    /// What is said goes nowhere, and is not what is recorded.
    @Test(arguments: ["--events", "--json"]) func nowhereToSayIt(_ option: String) async throws {
      let file = folder.file("a.mp4").path(percentEncoded: false)
      let command =
        "'\(Places.programs.appending(path: "capstan").path(percentEncoded: false))' record"
        + " -d /dev/video0 -o '\(file)' --frames 60 \(option) >/dev/full"
      let outcome = try await RunningProgram("/bin/bash", ["-c", command], camera: camera).finish()
      #expect(outcome.status == 5)
      #expect(outcome.errors.contains("standard output: the disk is full"), "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count == 60)
    }

    /// A device that takes no byte is no file, and stays what it is.
    @Test(arguments: [[], ["-y"]]) func aDeviceIsNoFile(_ words: [String]) async throws {
      let all = ["record", "-d", "synthetic", "--frames", "5", "-o", "/dev/full"] + words
      let outcome = try await RunningProgram("capstan", all).finish()
      #expect(outcome.status == 5 && outcome.errors.contains("/dev/full is not a file but a device"))
      #expect(
        try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
          == .typeCharacterSpecial)
    }

    /// A reader that goes away must not take the recording with it.
    @Test func closedEventPipe() async throws {
      let file = folder.file("a.mp4").path(percentEncoded: false)
      let command =
        "'\(Places.programs.appending(path: "capstan").path(percentEncoded: false))' record"
        + " -d /dev/video0 -o '\(file)' --frames 120 --events | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}"
      let outcome = try await RunningProgram("/bin/bash", ["-c", command], camera: camera).finish()
      #expect(outcome.status == 0)
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 120)
    }
  }
}
