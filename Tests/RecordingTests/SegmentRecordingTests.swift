/// Recordings in several files: whole to the frame, and the frames of all of them together those of the camera.

import Capstan
import Foundation
import Synchronization
import TestSupport
import Testing

extension LiveTests {
  @Suite struct SegmentRecordingTests {
    private func frames(_ files: [URL]) async throws -> [RecordingCheck.Frames] {
      var all: [RecordingCheck.Frames] = []
      for file in files {
        let check = try await RecordingCheck(file)
        #expect(check.isOrdinaryMP4 && check.track?.keyFrames.first == 1)
        all.append(try #require(check.frames))
      }
      return all
    }

    /// Numbers in the pictures go on from file to file.
    @Test(arguments: ["x264enc", "openh264enc"]) func noFrameIsMissingOrDoubledBetweenFiles(_ encoder: String)
      async throws
    {
      let folder = try TemporaryFolder()
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "--json", "--encoder", encoder, "-s", "640x480", "-r", "30", "--frames", "150", "--segment", "1s",
          "-o", folder.file("a.mp4").path(percentEncoded: false),
        ], camera: FakeCamera("logitech_c922")
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = (0..<5).map { "a-0000\($0).mp4" }
      #expect(try folder.names == names)
      let parts = try await frames(names.map(folder.file))
      #expect(parts.map(\.count) == [30, 30, 30, 30, 30])
      for (one, next) in zip(parts, parts.dropFirst()) {
        let (last, first) = (try #require(one.last), try #require(next.first))
        let lost = try outcome.json()["framesLost"] as? Int ?? 0
        #expect(first == last + 1 || (lost > 0 && first > last), "\(last) is followed by \(first)")
        #expect(one.repeated == 0 && one.reordered == 0)
      }
      let files = try #require(try outcome.json()["files"] as? [[String: Any]])
      #expect(files.count == 5 && files.allSatisfy { $0["fileComplete"] as? Bool == true })
      #expect(files.compactMap { $0["framesWritten"] as? Int } == [30, 30, 30, 30, 30])
      let starts = files.compactMap { $0["start"] as? Int }.map { Double($0) / 1e9 }
      for (place, start) in starts.enumerated() { #expect(abs(start - Double(place)) < 0.05) }
    }

    @Test func theOldestAreTakenAway() async throws {
      let folder = try TemporaryFolder()
      let copies = folder.file("copies")
      try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
      let preset = folder.file("p.json5")
      try Data("{ hooks: { finished: ['cp', '{file}', '\(copies.path(percentEncoded: false))'] } }".utf8).write(
        to: preset)
      let outcome = try await capstan(
        "record", "--events", "-d", "synthetic", "-p", preset.path(percentEncoded: false), "--frames", "150",
        "--segment",
        "500ms", "--keep", "2", "-o", folder.file("k-%03d.mp4").path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names == ["copies", "k-002.mp4", "k-003.mp4", "k-004.mp4", "p.json5"])
      let copied = try FileManager.default.contentsOfDirectory(atPath: copies.path(percentEncoded: false)).sorted()
      #expect(copied.contains("k-004.mp4") && copied.count >= 3, "each finished file went to the hook: \(copied)")
      let changes = outcome.output.split(separator: "\n").filter { $0.contains("\"event\":\"fileChanged\"") }
      #expect(changes.count == 4 && changes[0].contains("k-000.mp4") && changes[0].contains("k-001.mp4"))
    }

    @Test func aFileEndsWhenItIsTold() async throws {
      let folder = try TemporaryFolder()
      let session = CaptureSession(device: .synthetic, preset: try Preset.named("640x480"))
      let none = await #expect(throws: CaptureError.self) { try await session.split() }
      #expect(none?.code == .invalidState)
      var output = MovieFileOutput(to: folder.file("a.mp4"))
      output.segments = SegmentRule()
      try await session.start(recordingTo: output)
      try await Task.sleep(for: .milliseconds(700))
      try await session.split()
      try await Task.sleep(for: .milliseconds(700))
      let report = try await session.stop()
      #expect(report.isSuccess && report.files.count == 2 && report.file?.lastPathComponent == "a-00001.mp4")
      #expect(report.files.map(\.framesWritten).reduce(0, +) == report.framesWritten)
      let parts = try await frames(report.files.compactMap(\.file))
      #expect(parts[1].first == parts[0].last.map { $0 + 1 } || report.lost.total > 0)
    }

    /// The first of the names decides, before the camera is opened.
    @Test func aNameThatIsThereIsKept() async throws {
      let folder = try TemporaryFolder()
      try Data("mine".utf8).write(to: folder.file("a-00000.mp4"))
      try Data("mine too".utf8).write(to: folder.file("b-00001.mp4"))
      let taken = try await capstan(
        "record", "-d", "synthetic", "--frames", "9", "--segment", "1s", "-o",
        folder.file("a.mp4").path(percentEncoded: false))
      #expect(taken.status == 5 && taken.errors.contains("a-00000.mp4 exists already"))
      let later = try await capstan(
        "record", "-d", "synthetic", "--frames", "90", "--segment", "1s", "-o",
        folder.file("b.mp4").path(percentEncoded: false))
      #expect(later.status == 0, "\(later.errors)")
      #expect(try folder.names == ["a-00000.mp4", "b-00000.mp4", "b-00001-1.mp4", "b-00001.mp4"])
      #expect(try Data(contentsOf: folder.file("b-00001.mp4")) == Data("mine too".utf8))
    }
  }
}
