/// Recordings that were killed, completed by hand and by the next recording: every whole frame, nothing overwritten.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct SalvageTests {
    /// A recording that was killed once so many frames of it could be read, under the name that it had then. Fewer than
    /// 61 are not yet in several fragments.
    private func killed(
      _ name: String, in folder: TemporaryFolder, frames: Int = 61, _ arguments: String...
    ) async throws -> URL {
      let file = folder.file(name)
      let program = try RunningProgram(
        "capstan",
        ["record", "-d", "synthetic", "-s", "640x480", "-q", "-o", file.path(percentEncoded: false)] + arguments)
      let unfinished = folder.file(
        "\(file.deletingPathExtension().lastPathComponent).recording.\(file.pathExtension)")
      try await waitUntil(within: .seconds(60)) {
        (try? await RecordingCheck(unfinished))?.probe.readFrames ?? 0 >= frames
      }
      program.signal(SIGKILL)
      _ = try await program.finish()
      return unfinished
    }

    private func waitUntil(within patience: Duration, _ holds: () async -> Bool) async throws {
      let deadline = ContinuousClock.now + patience
      while await !holds() {
        try #require(ContinuousClock.now < deadline)
        try await Task.sleep(for: .milliseconds(200))
      }
    }

    private func pictures(of file: URL) async throws -> [Substring] {
      let outcome = try await RunningProgram(
        "/usr/bin/env", ["ffmpeg", "-v", "error", "-i", file.path(percentEncoded: false), "-f", "framemd5", "-"]
      ).finish()
      return outcome.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }
    }

    @Test(
      arguments: [
        ("a.mp4", "x264enc", "0"), ("a.mp4", "x264enc", "2"), ("a.mov", "openh264enc", nil), ("a.mkv", "x265enc", nil),
        ("a.webm", "vp9enc", nil), ("a.mp4", "vp9enc", nil),
      ] as [(String, String, String?)])
    func everyWholeFrameIsKept(_ name: String, _ encoder: String, _ bFrames: String?) async throws {
      let folder = try TemporaryFolder()
      let options = bFrames.map { ["--encoder-opts", "bframes=\($0)"] } ?? []
      let unfinished =
        options.isEmpty
        ? try await killed(name, in: folder, "--encoder", encoder)
        : try await killed(name, in: folder, "--encoder", encoder, options[0], options[1])
      let before = try await pictures(of: unfinished)
      let outcome = try await capstan("salvage", folder.url.path(percentEncoded: false))
      // One that was written to a moment ago may still be somebody's.
      #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains("only moments ago"))
      #expect(try folder.names == [unfinished.lastPathComponent])
      let byName = try await capstan("salvage", unfinished.path(percentEncoded: false), "--json")
      #expect(byName.status == 0, "\(byName.errors)")
      #expect(try folder.names == [name])
      let after = try await pictures(of: folder.file(name))
      // Of an unfinished file with B-frames ffmpeg leaves one out, and it shows a last one that was cut off in its midst.
      #expect(after.count >= 30 && abs(after.count - before.count) <= 1, "\(after.count) of \(before.count)")
      #expect(Set(before.dropLast()).isSubset(of: after))
      let check = try await RecordingCheck(folder.file(name))
      if !name.hasSuffix("mkv"), !name.hasSuffix("webm") { #expect(check.isOrdinaryMP4) }
      #expect((check.track?.maxGap ?? 0) < 0.1)
      let sound = try await capstan("check", folder.file(name).path(percentEncoded: false))
      #expect(!sound.output.contains("unfinished") && !sound.output.contains("edited"), "\(sound.output)")
    }

    /// Cut off in the midst of a frame; and what is no recording.
    @Test func brokenFilesAreKept() async throws {
      let folder = try TemporaryFolder()
      let unfinished = try await killed("a.mp4", in: folder, frames: 150)
      let bytes = try Data(contentsOf: unfinished)
      try bytes.prefix(bytes.count * 2 / 3).write(to: unfinished)
      try Data("no recording".utf8).write(to: folder.file("b.recording.mp4"))
      let none = try await capstan("salvage", folder.file("b.recording.mp4").path(percentEncoded: false))
      #expect(none.status == 1 && none.errors.contains("b.recording.mp4 cannot be completed"))
      try Data("mine".utf8).write(to: folder.file("a.mp4"))
      let outcome = try await capstan("salvage", unfinished.path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names == ["a-1.mp4", "a.mp4", "b.recording.mp4"])
      #expect(try Data(contentsOf: folder.file("a.mp4")) == Data("mine".utf8))
      #expect(try await RecordingCheck(folder.file("a-1.mp4")).probe.readFrames >= 15)
    }

    @Test func theNextRecordingCompletesWhatIsThere() async throws {
      let folder = try TemporaryFolder()
      let unfinished = try await killed("a.mp4", in: folder)
      let old = Date(timeIntervalSinceNow: -60)
      try FileManager.default.setAttributes(
        [.modificationDate: old], ofItemAtPath: unfinished.path(percentEncoded: false))
      let outcome = try await capstan(
        "record", "-d", "synthetic", "-s", "640x480", "--frames", "60", "-o",
        folder.file("b.mp4").path(percentEncoded: false))
      #expect(outcome.status == 0 && outcome.errors.contains("a.mp4 is complete"), "\(outcome.errors)")
      #expect(try folder.names == ["a.mp4", "b.mp4"])
      #expect(try await RecordingCheck(folder.file("a.mp4")).isOrdinaryMP4)
    }

    /// Of another program, with sound: in fragments, and live without an index.
    @Test(arguments: ["a.recording.mp4", "a.recording.mkv", "b.mp4"])
    func whatHasSoundIsLeftAlone(_ name: String) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file(name)
      let layout =
        name.hasSuffix("mkv") ? ["-live", "1"] : ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
      let made = try await RunningProgram(
        "/usr/bin/env",
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=30", "-f", "lavfi", "-i", "sine"]
          + ["-t", "3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "30", "-c:a", "aac"] + layout
          + [file.path(percentEncoded: false)]
      ).finish()
      #expect(made.status == 0, "\(made.errors)")
      let before = try Data(contentsOf: file)
      let outcome = try await capstan("salvage", file.path(percentEncoded: false))
      #expect(outcome.status == 1 && outcome.errors.contains("holds sound or further tracks"), "\(outcome.errors)")
      #expect(try folder.names == [name])
      #expect(try Data(contentsOf: file) == before)
    }

    /// Only a name that unfinished files get says whose it is.
    @Test func whatHasAnotherNameStays() async throws {
      let folder = try TemporaryFolder()
      let unfinished = try await killed("a.mp4", in: folder)
      let file = folder.file("x.mp4")
      try FileManager.default.moveItem(at: unfinished, to: file)
      let outcome = try await capstan("salvage", file.path(percentEncoded: false))
      #expect(outcome.status == 0 && outcome.output.contains("The unfinished one is kept."), "\(outcome.errors)")
      #expect(try folder.names == ["x-recovered.mp4", "x.mp4"])
    }

    /// In its middle: zeros, or a length that leads nowhere. What is behind stays in the unfinished file.
    @Test(arguments: [(0, 4096), (0, 4), (0xFF, 4)] as [(UInt8, Int)])
    func whatIsDamagedIsKept(_ byte: UInt8, _ count: Int) async throws {
      let folder = try TemporaryFolder()
      let unfinished = try await killed("a.mp4", in: folder, frames: 150)
      var bytes = try Data(contentsOf: unfinished)
      var (fragments, next) = ([Int](), bytes.startIndex)
      while let found = bytes.range(of: Data("moof".utf8), in: next..<bytes.endIndex) {
        fragments.append(found.lowerBound - 4)
        next = found.upperBound
      }
      try #require(fragments.count >= 3)
      let place = fragments[1]
      try #require(fragments[fragments.count - 1] >= place + count)
      bytes.replaceSubrange(place..<place + count, with: [UInt8](repeating: byte, count: count))
      try bytes.write(to: unfinished)
      let outcome = try await capstan("salvage", unfinished.path(percentEncoded: false))
      #expect(outcome.status == 1 && outcome.output.contains("The unfinished one is kept"), "\(outcome.output)")
      #expect(try folder.names == ["a.mp4", "a.recording.mp4"])
      #expect(try Data(contentsOf: unfinished) == bytes)
      #expect(try await RecordingCheck(folder.file("a.mp4")).probe.readFrames >= 1)
    }

    /// One that runs is not touched, not even by name.
    @Test func aRecordingThatRunsIsLeftAlone() async throws {
      let folder = try TemporaryFolder()
      let program = try RunningProgram(
        "capstan",
        ["record", "-d", "synthetic", "-s", "640x480", "-q", "-o", folder.file("a.mp4").path(percentEncoded: false)])
      let running = folder.file("a.recording.mp4")
      try await waitUntil(within: .seconds(60)) {
        (try? FileManager.default.attributesOfItem(atPath: running.path(percentEncoded: false))[.size] as? Int) ?? 0 > 0
      }
      let outcome = try await capstan("salvage", running.path(percentEncoded: false))
      #expect(outcome.status == 1 && outcome.errors.contains("is being written by"), "\(outcome.errors)")
      program.signal(SIGINT)
      #expect(try await program.finish().status == 0)
      #expect(try folder.names == ["a.mp4"])
    }
  }
}
