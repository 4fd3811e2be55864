/// Cameras that misbehave: the right cause, the right exit code, and whatever was recorded.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct FaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ camera: FakeCamera, _ arguments: String...) async throws -> Outcome {
      try await RunningProgram(
        "capstan",
        ["record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(percentEncoded: false), "--json"] + arguments,
        camera: camera
      ).finish()
    }

    private func lost(_ outcome: Outcome) throws -> [String: Int] {
      try outcome.json()["lost"] as? [String: Int] ?? [:]
    }

    @Test func unplugged() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["unplugAfter": 120]))
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("was unplugged"))
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.faultyFrames == 0)
      #expect((115...120).contains(check.frames?.count ?? 0))
    }

    /// Lost while the pipeline was still starting: what there is is whole, and nothing empty is left.
    @Test(arguments: [1, 3]) func lostInTheFirstFrames(_ frames: Int) async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["unplugAfter": frames]), "-t", "3s")
      #expect(outcome.status == 4 && outcome.errors.contains("was unplugged"))
      guard try !folder.names.isEmpty else { return }
      let check = try await RecordingCheck(folder.file("a.mp4"))
      let written = try outcome.json()["framesWritten"] as? Int
      #expect(check.isOrdinaryMP4 && check.frames?.count == written)
    }

    @Test func emptyPicturesOnly() async throws {
      let outcome = try await record(
        FakeCamera("logitech_c922", faults: ["emptyEvery": 1]), "-t", "3s", "--first-frame-timeout", "2s")
      #expect(outcome.status == 4 && outcome.errors.contains("no picture that can be used"))
      #expect(try folder.names.isEmpty)
    }

    @Test func damagedPicturesOnly() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["corruptEvery": 1]), "--frames", "30")
      #expect(outcome.status == 0 && outcome.errors.contains("looks damaged"))
      #expect(try lost(outcome)["corrupt"] == 30)
    }

    @Test(arguments: ["open", "s_fmt", "reqbufs", "streamon"]) func busy(_ place: String) async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["busy": place]), "--frames", "30")
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("is busy: another program is using it"), "\(outcome.errors)")
      #expect(try folder.names.isEmpty)
    }

    /// Somebody only looked who is there.
    @Test(arguments: ["open", "s_fmt", "reqbufs", "streamon"]) func busyForAMoment(_ place: String) async throws {
      let outcome = try await record(
        FakeCamera("logitech_c922", faults: ["busy": place, "busyForMs": 700]), "--frames", "30")
      #expect(outcome.status == 0 && outcome.errors.contains("the camera was busy for 0."), "\(outcome.errors)")
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 30)
    }

    @Test func noPermission() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["permission": true]))
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("You may not open /dev/video0") && outcome.errors.contains("usermod -aG"))
      #expect(try folder.names.isEmpty)
    }

    @Test func noSuchDevice() async throws {
      let outcome = try await capstan("record", "-d", "/dev/video7", camera: FakeCamera("logitech_c922"))
      #expect(outcome.status == 4 && outcome.errors.contains("There is no device /dev/video7"))
    }

    @Test(arguments: ["/dev/video1", "/dev/null"]) func notACamera(_ path: String) async throws {
      let outcome = try await capstan("record", "-d", path, camera: FakeCamera("logitech_c922"))
      #expect(outcome.status == 4 && outcome.errors.contains("not a"), "\(outcome.errors)")
    }

    @Test func noCameraOffersTheSyntheticOne() async throws {
      let outcome = try await capstan("record", environment: ["FAKE_CAMERA": ""])
      try #require(!FileManager.default.fileExists(atPath: "/dev/video0"), "this machine has a camera")
      #expect(outcome.status == 4 && outcome.errors.contains("--device synthetic"))
    }

    @Test func noUSBBandwidth() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["streamonErrno": "ENOSPC"]))
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("USB") && !outcome.errors.lowercased().contains("disk"), "\(outcome.errors)")
      #expect(try folder.names.isEmpty)
    }

    @Test func refusedFormat() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["refuseFormats": ["MJPG"]]), "--frames", "30")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("MJPG is skipped") && outcome.errors.contains("instead of"))
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 30)
    }

    @Test func stalled() async throws {
      let outcome = try await record(
        FakeCamera("logitech_c922", faults: ["stallAfter": 90]), "--stall-timeout", "1500ms")
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("stopped delivering frames for 1.5 seconds"))
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.frames?.count == 90 && check.faultyFrames == 0)
    }

    @Test func wakesSlowly() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["startDelayMs": 3000]), "--frames", "60")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 60 && check.frames?.first == 0 && check.faultyFrames == 0)
      let late = try await record(
        FakeCamera("logitech_c922", faults: ["startDelayMs": 60_000]), "--first-frame-timeout", "1s", "-y")
      #expect(late.status == 4 && late.errors.contains("no picture that can be used for 1 second"), "\(late.errors)")
    }

    /// Without a wait one read error ends a recording, with all that came before.
    @Test func readError() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["dqbufEIOAfter": 90]), "-t", "10s")
      #expect(outcome.status == 4, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.isOrdinaryMP4 && check.faultyFrames == 0 && (85...91).contains(check.frames?.count ?? 0))
    }

    /// Each picture is where its time is.
    @Test func changesItsRate() async throws {
      let faults: [String: Any] = ["rateChangeAfter": 120, "changedRate": "20/1"]
      let outcome = try await record(FakeCamera("logitech_c922", faults: faults), "--frames", "240")
      #expect(outcome.status == 0 && outcome.errors.contains("(60 were agreed)"), "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 240 && check.faultyFrames == 0)
      #expect(abs((check.movie?.duration ?? 0) - 8) < 0.15, "two seconds at 60 and six at 20")
    }

    /// A film that begins with a broken picture would be broken until the next key frame.
    @Test(arguments: ["corruptEvery", "errorFlagEvery"]) func aDamagedFirstPictureIsNone(_ fault: String) async throws {
      let faults: [String: Any] = [fault: 1, "faultsUntil": 3]
      let outcome = try await record(FakeCamera("logitech_c922", faults: faults), "--frames", "60")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.first == 3 && check.frames?.count == 60 && check.faultyFrames == 0)
      #expect(check.track?.keyFrames.first == 1)
    }

    /// A stalled camera cannot hold the end back.
    @Test func stoppedWhileStalled() async throws {
      let program = try RunningProgram(
        "capstan", ["record", "-d", "/dev/video0", "-o", folder.file("a.mp4").path(percentEncoded: false), "--events"],
        camera: FakeCamera("logitech_c922", faults: ["stallAfter": 60]))
      #expect(try await program.wait { program.outputSoFar.split(separator: "\n").count > 8 })
      program.signal(SIGINT)
      #expect(try await program.finish().status == 0)
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 60)
    }

    @Test func slowerThanPromised() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["actualRate": "20/1"]), "--frames", "60")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("(60 were agreed)"))
      let measured = try outcome.json()["measuredRate"] as? Double ?? 0
      #expect((19.5...20.5).contains(measured))
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.repeated == 0 && check.frames?.count == 60)
      #expect(abs((check.movie?.duration ?? 0) - 3) < 0.1, "an honest 20 fps, not a tripled 60")
    }

    @Test func corruptPictures() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["corruptEvery": 10]), "--frames", "90")
      #expect(outcome.status == 0)
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 90 && check.frames?.unreadable == 0)
      #expect(try lost(outcome)["corrupt"] == check.frames?.lost)
    }

    @Test func emptyBuffers() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["emptyEvery": 10]), "--frames", "90")
      #expect(outcome.status == 0)
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 90 && check.frames?.unreadable == 0)
      #expect(try outcome.json()["framesLost"] as? Int == check.frames?.lost)
    }

    @Test func flaggedBuffers() async throws {
      let outcome = try await record(FakeCamera("logitech_c922", faults: ["errorFlagEvery": 10]), "--frames", "60")
      #expect(outcome.status == 0)
      #expect(try await RecordingCheck(folder.file("a.mp4")).frames?.count == 60)
    }

    @Test func smallerThanAsked() async throws {
      let camera = FakeCamera("logitech_c922", faults: ["sFmtSize": ["width": 640, "height": 480]])
      let outcome = try await record(camera, "--frames", "30")
      // Never a report of 720p for a file of 480 lines.
      #expect(outcome.status == 0, "\(outcome.errors)")
      let mode = try outcome.json()["mode"] as? [String: Any]
      #expect(mode?["height"] as? Int == 480)
      #expect(try await RecordingCheck(folder.file("a.mp4")).probe.height == 480)
    }

    @Test func encoderTooSlow() async throws {
      let camera = FakeCamera("logitech_c922", ["noise": true])
      let outcome = try await record(camera, "--frames", "300", "--encoder-opts", "speed-preset=veryslow")
      #expect(outcome.status == 0)
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.frames?.count == 300)
      #expect(try outcome.json()["framesLost"] as? Int == check.frames?.lost, "each missing frame is told")
      #expect(check.frames?.lost ?? 0 > 0)
      // What was waiting gave its buffers back: the loss is in the queue, not in the driver.
      let lost = try lost(outcome)
      #expect(lost["queue"] ?? 0 > 0 && lost["driver"] == 0, "\(lost)")
      #expect(try outcome.json()["speed"] as? String == "veryslow")
    }
  }
}
