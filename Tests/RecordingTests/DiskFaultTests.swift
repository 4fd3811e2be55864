/// Disks that fail: the right cause, the right exit code, and a file that plays up to the fault.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct DiskFaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Small disks

    /// A file system of so many bytes in memory, on a folder; root only.
    private func mount(_ size: String) async throws -> String {
      let disk = folder.file("disk").path(percentEncoded: false)
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let mount = try RunningProgram("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", disk])
      try #require(try await mount.finish().status == 0)
      return disk
    }

    private func unmount(_ disk: String) async throws {
      _ = try await RunningProgram("/bin/umount", ["-l", disk]).finish()
    }

    private func bytes(_ file: String) -> Int64 {
      (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// What is left of the disk completes the file.
    @Test(.enabled("needs root, to mount a small file system") { geteuid() == 0 }) func diskFull() async throws {
      let disk = try await mount("4m")
      let outcome = try await RunningProgram(
        "capstan", ["record", "-d", "/dev/video0", "-o", "\(disk)/a.mp4", "--json"],
        camera: FakeCamera("logitech_c922", ["noise": true])
      ).finish()
      #expect(outcome.status == 5 && outcome.errors.contains("The disk is full"), "\(outcome.errors)")
      #expect(try outcome.json()["endedBy"] as? String == "failed")
      let check = try await RecordingCheck(URL(filePath: "\(disk)/a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count ?? 0 > 30 && check.frames?.unreadable == 0)
      _ = try await RunningProgram("/bin/dd", ["if=/dev/zero", "of=\(disk)/rest", "bs=64k"]).finish()
      let second = try await capstan("record", "-d", "synthetic", "-t", "1s", "-o", "\(disk)/b.mp4")
      #expect(second.status == 5 && second.errors.contains("free"), "\(second.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(disk)/b.mp4"))
      try await unmount(disk)
    }

    /// Somebody else fills it between two looks.
    @Test(.enabled("needs root, to mount a small file system") { geteuid() == 0 })
    func diskFullAllAtOnce() async throws {
      let disk = try await mount("64m")
      let program = try RunningProgram(
        "capstan", ["record", "-d", "/dev/video0", "-o", "\(disk)/a.mp4", "--json"],
        camera: FakeCamera("logitech_c922", ["noise": true]))
      #expect(try await program.wait { bytes("\(disk)/a.recording.mp4") > 1_500_000 })
      _ = try await RunningProgram("/bin/dd", ["if=/dev/zero", "of=\(disk)/rest", "bs=64k"]).finish()
      let outcome = try await program.finish(within: .seconds(60))
      #expect(outcome.status == 5 && outcome.errors.contains("disk is full"), "\(outcome.errors)")
      let check = try await RecordingCheck(URL(filePath: "\(disk)/a.mp4"))
      #expect(check.frames?.count ?? 0 > 30 && check.frames?.unreadable == 0)
      #expect(try check.frames?.count == outcome.json()["framesWritten"] as? Int)
      try await unmount(disk)
    }

    /// No file may be larger than the session allows: the recording goes on in the next, and no frame is missing.
    @Test func theLargestFile() async throws {
      let command =
        "ulimit -f 1000; exec '\(Places.programs.appending(path: "capstan").path(percentEncoded: false))' record"
        + " -d /dev/video0 -s 640x480 -r 30 --bitrate 3M --frames 150 --json -o"
        + " '\(folder.file("100% a.mp4").path(percentEncoded: false))'"
      let outcome = try await RunningProgram(
        "/bin/bash", ["-c", command], camera: FakeCamera("logitech_c922", ["noise": true])
      ).finish()
      #expect(outcome.status == 0 && outcome.errors.contains("ulimit -f"), "\(outcome.errors)")
      let names = try folder.names.sorted { $0.count < $1.count || ($0.count == $1.count && $0 < $1) }
      #expect(names.count >= 2 && names.prefix(2) == ["100% a.mp4", "100% a-00001.mp4"], "\(names)")
      var (count, last) = (0, nil as Int?)
      for name in names {
        #expect(bytes(folder.file(name).path(percentEncoded: false)) <= 1_024_000)
        let frames = try #require(try await RecordingCheck(folder.file(name)).frames)
        if let last { #expect(frames.first.map { $0 > last } == true) }
        (count, last) = (count + frames.count, frames.last)
      }
      #expect(count == 150)
    }

    // MARK: Broken disks

    private func played(_ faults: [String: String], _ arguments: String...) async throws -> Outcome {
      try await start(faults, arguments).finish(within: .seconds(60))
    }

    private func start(_ faults: [String: String], _ arguments: [String]) throws -> RunningProgram {
      try RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-s", "640x480", "-r", "30", "--bitrate", "3M", "--json", "-o",
          folder.file("a.mp4").path(percentEncoded: false),
        ] + arguments, camera: FakeCamera("logitech_c922", ["noise": true]),
        environment: FakeDisk.environment("a.recording.mp4", faults))
    }

    @Test(
      arguments: [
        (["WRITE": "800000:\(ENOSPC)"], "disk is full"), (["WRITE": "800000:\(EDQUOT)"], "quota"),
        (["WRITE": "800000:\(EROFS)"], "read-only"), (["WRITE": "800000:\(EIO)"], "the disk reports a fault"),
        (["WRITE": "800000:\(EFBIG)"], "no larger file"), (["WRITE": "800000:\(ENOTCONN)"], "not connected"),
        (["SYNC": "40:\(ENOSPC)"], "disk is full"), (["SYNC": "12:\(EIO)"], "the disk reports a fault"),
      ])
    func theCauseIsTold(_ faults: [String: String], _ words: String) async throws {
      let outcome = try await played(faults, "-t", "30s")
      #expect(outcome.status == 5, "\(outcome.errors)")
      #expect(outcome.errors.lowercased().contains(words) && !outcome.errors.contains("pipeline"), "\(outcome.errors)")
      let name = try #require(try folder.names.first)
      let check = try await RecordingCheck(folder.file(name))
      #expect(check.frames?.count ?? 0 >= 30 && check.frames?.unreadable == 0)
      #expect(check.frames?.repeated == 0 && check.frames?.reordered == 0)
      #expect(try check.frames?.count == outcome.json()["framesWritten"] as? Int)
    }

    /// Five seconds without a byte: what comes meanwhile waits, and is written then.
    @Test(arguments: [5000]) func aDiskThatStops(_ time: Int) async throws {
      let outcome = try await played(["STALL": "500000:\(time)"], "--frames", "300")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 300 && check.isOrdinaryMP4)
      #expect(try check.frames?.lost == outcome.json()["framesLost"] as? Int)
    }

    /// So long that frames are lost, each told of, and not the camera's fault; the memory stays within bounds.
    @Test func aDiskThatStopsForLong() async throws {
      let program = try start(["STALL": "500000:20000"], ["--frames", "750"])
      var most = 0
      _ = try await program.wait(.seconds(40)) {
        most = max(most, residentKilobytes(program.identifier))
        return false
      }
      let outcome = try await program.finish(within: .seconds(60))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(try check.frames?.lost == outcome.json()["framesLost"] as? Int)
      #expect(most < 900_000, "\(most) kB")
    }

    private func residentKilobytes(_ process: Int32) -> Int {
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
    }

    // MARK: Folders that go

    private func recording(in place: URL, _ arguments: String...) async throws -> RunningProgram {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let program = try RunningProgram(
        "capstan",
        [
          "record", "-d", "synthetic", "-s", "640x480", "--json", "-o",
          place.appending(path: "a.mp4").path(percentEncoded: false),
        ] + arguments)
      let file = place.appending(path: "a.recording.mp4").path(percentEncoded: false)
      #expect(try await program.wait { bytes(file) > 10_000 })
      return program
    }

    @Test func theFolderIsRenamed() async throws {
      let (place, other) = (folder.file("one"), folder.file("two"))
      let program = try await recording(in: place)
      try FileManager.default.moveItem(at: place, to: other)
      program.signal(SIGINT)
      let outcome = try await program.finish(within: .seconds(60))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let file = other.appending(path: "a.mp4")
      #expect(try outcome.json()["file"] as? String == file.path(percentEncoded: false))
      #expect(try await RecordingCheck(file).isOrdinaryMP4)
    }

    @Test func theFolderIsRemoved() async throws {
      let place = folder.file("one")
      let program = try await recording(in: place)
      try FileManager.default.removeItem(at: place)
      let outcome = try await program.finish(within: .seconds(60))
      #expect(outcome.status == 5 && outcome.errors.contains("was removed while"), "\(outcome.errors)")
      // What was recorded is put back where it was.
      let check = try await RecordingCheck(place.appending(path: "a.mp4"))
      #expect(check.isOrdinaryMP4)
      #expect(try check.frames?.count == outcome.json()["framesWritten"] as? Int)
    }

    // MARK: Notes that cannot be kept

    /// What is remembered between recordings is worth less than the recording.
    @Test(.enabled("needs root, to mount a small file system") { geteuid() == 0 })
    func noRoomForTheState() async throws {
      let disk = try await mount("4k")
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "--frames", "60", "--json", "-o",
          folder.file("a.mp4").path(percentEncoded: false),
        ], camera: FakeCamera("logitech_c922"), environment: ["XDG_STATE_HOME": disk, "XDG_CACHE_HOME": disk]
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("NSCocoa") && !outcome.errors.contains("Error Domain"), "\(outcome.errors)")
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 60)
      try await unmount(disk)
    }

    /// Of every file of a recording, while it is written and afterwards.
    @Test func theModeIsThatOfAllFiles() async throws {
      let preset = folder.file("p.json5")
      try Data("{ request: { size: '640x480', framerate: 30 }, proxy: { scale: '320x240' } }".utf8).write(to: preset)
      let outcome = try await capstan(
        "record", "-d", "synthetic", "-p", preset.path(percentEncoded: false), "--mode", "0600", "--segment", "500ms",
        "--frames", "40", "-o", folder.file("a.mp4").path(percentEncoded: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = try folder.names.filter { $0.hasPrefix("a-") }
      #expect(names.count >= 3, "\(names)")
      for name in names {
        let path = folder.file(name).path(percentEncoded: false)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600, "\(name)")
      }
    }

    /// A real file system that holds writers back (`fsfreeze`), and one that turns read-only (`abort`).
    @Test(
      .enabled("needs root, to mount a file system") {
        geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/loop-control")
          && FileManager.default.fileExists(atPath: "/sbin/fsfreeze")
      }, arguments: ["freeze", "abort"])
    func aRealFileSystem(_ fault: String) async throws {
      let (image, disk) = (folder.file("image"), folder.file("disk").path(percentEncoded: false))
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let make =
        "truncate -s 64M '\(image.path(percentEncoded: false))' && mkfs.ext4 -q -F '\(image.path(percentEncoded: false))'"
        + " && mount -o loop '\(image.path(percentEncoded: false))' '\(disk)'"
      try #require(try await RunningProgram("/bin/bash", ["-c", make]).finish().status == 0)
      let program = try RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-s", "640x480", "-r", "30", "--bitrate", "3M", "--json", "--frames", "360",
          "-o", "\(disk)/a.mp4",
        ], camera: FakeCamera("logitech_c922", ["noise": true]))
      #expect(try await program.wait { bytes("\(disk)/a.recording.mp4") > 700_000 })
      let breaking =
        fault == "freeze"
        ? "fsfreeze -f '\(disk)'; sleep 5; fsfreeze -u '\(disk)'" : "mount -o remount,abort '\(disk)'"
      _ = try await RunningProgram("/bin/bash", ["-c", breaking]).finish()
      let outcome = try await program.finish(within: .seconds(60))
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: disk).first { $0.hasPrefix("a.") })
      let check = try await RecordingCheck(URL(filePath: "\(disk)/\(name)"))
      if fault == "freeze" {
        #expect(outcome.status == 0 && name == "a.mp4" && check.isOrdinaryMP4, "\(outcome.errors)")
        #expect(try check.frames?.count == 360 && check.frames?.lost == outcome.json()["framesLost"] as? Int)
      } else {
        #expect(outcome.status == 5, "\(outcome.errors)")
        #expect(outcome.errors.contains("read-only") || outcome.errors.contains("fault"), "\(outcome.errors)")
        #expect(check.frames?.count ?? 0 > 30 && check.frames?.unreadable == 0)
      }
      try await unmount(disk)
    }
  }
}
