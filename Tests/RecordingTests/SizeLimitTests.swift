/// Recordings that end, or go on in another file, by their size: what is on the disk is never larger than asked.

import Foundation
import PipelinePlanning
import TestSupport
import Testing

extension LightTests {
  @Suite struct SizeLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func size(_ file: URL) throws -> Int64 {
      Int64(try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize))
    }

    private func record(_ name: String, _ arguments: String...) async throws -> Outcome {
      try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-o", folder.file(name).path(percentEncoded: false), "--json", "-s", "640x480",
          "-r", "30",
        ] + arguments, camera: FakeCamera("logitech_c922", ["noise": true])
      ).finish()
    }

    @Test(
      arguments: [
        ("a.mp4", ["--encoder", "x264enc"]), ("a.mp4", ["--encoder", "x264enc", "--bframes", "3"]),
        ("a.mov", ["--encoder", "openh264enc"]), ("a.mkv", ["--encoder", "x264enc"]), ("a.mkv", ["--encoder", "copy"]),
        ("a.webm", ["--encoder", "vp8enc"]),
      ])
    func theFileIsNeverLarger(_ name: String, _ options: [String]) async throws {
      let limit: Int64 = options.contains("copy") ? 3_000_000 : 600_000
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-o", folder.file(name).path(percentEncoded: false), "--json", "-s", "640x480",
          "-r", "30", "--bitrate", "3M", "--max-size", "\(limit)B", "-t", "60s",
        ] + (options.contains("copy") ? ["--encoder", "copy", "-p", "passthrough"] : options),
        camera: FakeCamera("logitech_c922", ["noise": true])
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect(report["endedBy"] as? String == "size")
      let size = try size(folder.file(name))
      #expect(size <= limit && size > limit * 8 / 10, "\(size) of \(limit)")
      let check = try await RecordingCheck(folder.file(name))
      #expect(check.frames?.count == report["framesWritten"] as? Int)
      #expect(check.frames?.lost == report["framesLost"] as? Int && check.frames?.unreadable == 0)
      #expect(outcome.errors.contains("as large as it may be"))
    }

    @Test func tooSmallForOnePicture() async throws {
      let outcome = try await record("a.mp4", "--max-size", "4kB", "-t", "10s")
      #expect(outcome.status == 2 && outcome.errors.contains("first picture alone"), "\(outcome.errors)")
      #expect(try folder.names.isEmpty)
    }

    /// With the container, of which each has its own share.
    @Test(arguments: ["a.mp4", "a.mkv"]) func segmentsAreNeverLarger(_ name: String) async throws {
      let outcome = try await record(name, "--bitrate", "3M", "--segment-size", "400kB", "--frames", "180")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let sizes = try folder.names.map { try size(folder.file($0)) }
      #expect(sizes.count >= 4 && sizes.allSatisfy { $0 <= 400_000 }, "\(sizes)")
      #expect(sizes.dropLast().allSatisfy { $0 > 150_000 }, "\(sizes)")
      #expect(try outcome.json()["endedBy"] as? String == "frames")
    }

    /// The figures of the containers against what their muxers write, frames at uneven times and B-frames among them.
    @Test(
      arguments: [
        ("a.mp4", "x264enc", "2s", 0), ("a.mp4", "x264enc", "1ms", 0), ("a.mp4", "x264enc", "2s", 3),
        ("a.mov", "x264enc", "2s", 2), ("a.mov", "openh264enc", "200ms", 0), ("a.mkv", "x264enc", "2s", 2),
        ("a.mkv", "x264enc", "1ms", 0), ("a.webm", "vp8enc", "500ms", 0), ("a.mp4", "x265enc", "1s", 0),
      ])
    func containersAddNoMoreThanTheySay(_ name: String, _ encoder: String, _ keys: String, _ bFrames: Int) async throws
    {
      let preset = folder.file("p.json5")
      try Data("{ keyFrameInterval: '\(keys)', bFrames: \(bFrames) }".utf8).write(to: preset)
      let outcome = try await record(
        name, "--encoder", encoder, "-p", preset.path(percentEncoded: false), "--frames", "90", "--bitrate", "500k")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let file = folder.file(name)
      let container = try #require(
        try ProfileLibrary.standard.containers().first { $0.fileExtension == file.pathExtension })
      let packets = try await Packets(file)
      var bound = FileSize(container.overhead, fragment: 500_000_000)
      for packet in packets.inOrder { bound.add(packet.bytes, isKeyFrame: packet.isKeyFrame, at: packet.time) }
      let added = try size(file) - bound.pictures
      #expect(
        try size(file) <= bound.bytes, "\(added) bytes beside the pictures, at most \(bound.bytes - bound.pictures)")
      print("\(name) \(encoder) \(keys) \(bFrames): \(added) added, \(bound.bytes - bound.pictures) allowed")
    }

    @Test(.enabled("needs root, to mount a small file system") { geteuid() == 0 }) func theReserveHolds() async throws {
      let disk = folder.file("disk").path(percentEncoded: false)
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let mount = try RunningProgram("/bin/mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", disk])
      try #require(try await mount.finish().status == 0)
      let outcome = try await RunningProgram(
        "capstan",
        ["record", "-d", "/dev/video0", "-o", "\(disk)/a.mp4", "--json", "--min-free", "12MiB", "-t", "60s"],
        camera: FakeCamera("logitech_c922", ["noise": true])
      ).finish()
      #expect(outcome.status == 0 && outcome.errors.contains("reserve"), "\(outcome.errors)")
      #expect(try outcome.json()["endedBy"] as? String == "reserve")
      let check = try await RecordingCheck(URL(filePath: "\(disk)/a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count ?? 0 > 30)
      let free = try FileManager.default.attributesOfFileSystem(forPath: disk)[.systemFreeSize] as? NSNumber
      #expect(free?.int64Value ?? 0 >= 12 << 20)
      let second = try await capstan("record", "-d", "synthetic", "--min-free", "19M", "-o", "\(disk)/b.mp4")
      #expect(second.status == 5 && second.errors.contains("to leave the reserve"), "\(second.errors)")
      _ = try await RunningProgram("/bin/umount", [disk]).finish()
    }
  }
}
