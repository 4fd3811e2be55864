/// Grabbers whose input gets another signal while it is recorded.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct SignalChangeTests {
    private let folder: TemporaryFolder
    private let presets: TemporaryFolder

    init() throws { (folder, presets) = (try TemporaryFolder(), try TemporaryFolder()) }

    private func grabber(after frames: Int = 60, _ signal: [String: Any]) -> FakeCamera {
      FakeCamera(
        formats: [
          FakeCamera.format("YUYV", width: 640, height: 360, rate: (30, 1)),
          FakeCamera.format("NV12", width: 640, height: 360, rate: (30, 1)),
        ], faults: ["signalChangeAfter": frames, "changedSignal": signal])
    }

    private func record(
      _ camera: FakeCamera, preset: String = "inputPriority", _ words: String..., file: String = "a.mp4"
    ) async throws -> Outcome {
      let path = folder.file(file).path(percentEncoded: false)
      return try await RunningProgram(
        "capstan", ["record", "-d", "0", "-p", preset, "-o", path, "--events"] + words, camera: camera
      ).finish()
    }

    /// A file of presets elsewhere than the recordings.
    private func preset(_ text: String) throws -> String {
      let file = presets.file("own.json5")
      try Data(text.utf8).write(to: file)
      return file.path(percentEncoded: false)
    }

    private func names(_ outcome: Outcome) throws -> [String] {
      try outcome.events().compactMap { $0["event"] as? String }.filter { !["status", "warning"].contains($0) }
    }

    private func finished(_ outcome: Outcome) throws -> [String: Any] { try #require(try outcome.events().last) }

    private func sizes(_ report: [String: Any], _ key: String, of field: String) -> [Int] {
      (report[key] as? [[String: Any]] ?? []).compactMap { ($0[field] as? [String: Any])?["width"] as? Int }
    }

    @Test(arguments: [nil, "25/1"]) func goesOnInTheNextFile(_ rate: String?) async throws {
      let signal = ["width": 480, "height": 270].merging(rate.map { ["rate": $0] } ?? [:]) { $1 } as [String: Any]
      let outcome = try await record(grabber(signal), "--frames", "120", "--report")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let told = ["started", "interrupted", "interruptionEnded", "modeChanged", "fileChanged", "finished"]
      let names = try names(outcome)
      #expect(names.sorted() == told.sorted(), "\(names)")
      let report = try finished(outcome)
      #expect(sizes(report, "modes", of: "mode") == [640, 480] && sizes(report, "files", of: "size") == [640, 480])
      #expect(try folder.names.count == 3)
      for (name, width) in [("a.mp4", 640), ("a-00001.mp4", 480)] {
        let check = try await RecordingCheck(folder.file(name))
        #expect(check.isOrdinaryMP4 && check.probe.width == width && check.frames?.count == 60, "\(name) \(check)")
        #expect(check.frames?.lost == 0 && check.frames?.unreadable == 0, "\(name)")
        #expect(try await Packets.complaints(about: folder.file(name)) == "")
      }
      #expect((report["ledger"] as? [String: Any])?["difference"] as? Int == 0)
      let written = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("a.report.json")))
      let whole = try #require(written as? [String: Any])
      #expect(try await ReportSchema.judge([whole], in: presets) == [true])
      #expect((whole["breaches"] as? [[String: Any]])?.compactMap { $0["what"] as? String } == ["lost"])
      #expect(outcome.errors.contains("the camera gives YUYV 480x270"), "\(outcome.errors)")
    }

    /// Pictures that change without a word: none is missing between the files.
    @Test func picturesOfAnotherSize() async throws {
      let camera = FakeCamera(
        format: "MJPG", width: 640, height: 360, rate: (30, 1),
        faults: ["signalChangeAfter": 60, "changedSignal": ["width": 480, "height": 272, "silent": true]])
      let outcome = try await record(camera, "--frames", "120")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try finished(outcome)
      #expect(sizes(report, "files", of: "size") == [640, 480], "\(report)")
      var all = 0
      for (name, width) in [("a.mp4", 640), ("a-00001.mp4", 480)] {
        let check = try await RecordingCheck(folder.file(name))
        #expect(check.isOrdinaryMP4 && check.probe.width == width && check.frames?.lost == 0, "\(name) \(check)")
        all += check.frames?.count ?? 0
      }
      #expect(all == 120)
    }

    /// A stream that is kept as it comes: v4l2src cannot change the mode while its pictures are on their way.
    @Test func copyOfACodedStream() async throws {
      let camera = FakeCamera(
        format: "MJPG", width: 640, height: 360, rate: (30, 1),
        faults: ["signalChangeAfter": 60, "changedSignal": ["width": 320, "height": 176]])
      let outcome = try await record(camera, preset: "passthrough", "--frames", "120", file: "a.mkv")
      #expect(outcome.status == 0, "\(outcome.errors)")
      for (name, width) in [("a.mkv", 640), ("a-00001.mkv", 320)] {
        let check = try await RecordingCheck(folder.file(name))
        #expect(check.probe.width == width && check.frames?.count == 60 && check.frames?.lost == 0, "\(name) \(check)")
      }
    }

    /// A picture that is scaled is the same one for its file.
    @Test func scaledItStaysOneFile() async throws {
      let outcome = try await record(
        grabber(["width": 480, "height": 270]), "--scale", "320x180", "--frames", "120")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.names == ["a.mp4"])
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 120)
      #expect(sizes(try finished(outcome), "modes", of: "mode") == [640, 480])
    }

    /// What was asked for is not given: told, and what was recorded before is whole.
    @Test func whatWasAskedForIsGone() async throws {
      let outcome = try await record(
        grabber(["width": 480, "height": 270]),
        preset: try preset("{ request: { size: '640x360', framerate: 30, range: 'source', fallback: 'exact' } }"), "-t",
        "20s")
      #expect(outcome.status == 4, "\(outcome.status) \(outcome.errors)")
      let error = try finished(outcome)["error"] as? [String: Any]
      #expect(error?["code"] as? String == "deviceFailed", "\(error ?? [:])")
      #expect((error?["message"] as? String)?.contains("640x360") == true, "\(error ?? [:])")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count == 60)
      #expect(try folder.names == ["a.mp4"])
    }

    /// A larger picture than was asked for is one that v4l2src takes a corner of, without a word.
    @Test func aLargerSignal() async throws {
      let camera = FakeCamera(
        format: "YUYV", width: 640, height: 360, rate: (30, 1),
        faults: ["signalChangeAfter": 60, "changedSignal": ["width": 960, "height": 540]])
      let outcome = try await record(camera, "--frames", "120")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try finished(outcome)
      #expect(sizes(report, "modes", of: "mode") == [640, 960] && sizes(report, "files", of: "size") == [640, 960])
      let check = try await RecordingCheck(folder.file("a-00001.mp4"))
      #expect(check.isOrdinaryMP4 && check.probe.width == 960 && check.frames?.unreadable == 0, "\(check)")
    }

    /// One file cannot hold both pictures, and there is room for no other: the first one is whole.
    @Test(.enabled("needs the right to mount") { getuid() == 0 }) func noNextFile() async throws {
      let disk = folder.file("disk").path(percentEncoded: false)
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      let options = ["-t", "tmpfs", "-o", "size=50m,nr_inodes=2", "tmpfs", disk]
      try #require(try await RunningProgram("/bin/mount", options).finish().status == 0)
      defer { unmount(disk) }
      let outcome = try await record(grabber(["width": 480, "height": 270]), "-t", "6s", file: "disk/a.mp4")
      #expect(outcome.status == 5, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("disk/a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count == 60 && check.frames?.unreadable == 0, "\(check)")
      let report = try finished(outcome)
      #expect(report["framesWritten"] as? Int == 60 && report["success"] as? Bool == false)
      #expect((report["ledger"] as? [String: Any])?["difference"] as? Int == 0, "\(report)")
      #expect(try await Packets.complaints(about: folder.file("disk/a.mp4")) == "")
    }

    private func unmount(_ disk: String) {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/umount")
      process.arguments = ["-l", disk]
      try? process.run()
      process.waitUntilExit()
    }

    /// The proxy has one file.
    @Test func theProxyEnds() async throws {
      let both = "{ extends: 'inputPriority', bitrate: '1M', proxy: { scale: '240x134', bitrate: '200k' } }"
      let outcome = try await record(
        grabber(["width": 480, "height": 360]), preset: try preset(both), "--frames", "120")
      #expect(outcome.status == 0, "\(outcome.errors)")
      var frames: [Int?] = []
      for name in ["a.mp4", "a-00001.mp4", "a-proxy.mp4"] {
        frames.append(try await RecordingCheck(folder.file(name)).frames?.count)
      }
      #expect(frames[0] == 60 && frames[1] == 60 && [60, 120].contains(frames[2]), "\(frames)")
    }
  }
}
