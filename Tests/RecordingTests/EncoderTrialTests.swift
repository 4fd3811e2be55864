/// Encoders with faults, tried by the command: each is found out, and none takes the program or a recording with it.

import Capstan
import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct EncoderTrialTests {
    private func probe(_ encoder: FakeEncoder, _ arguments: String...) async throws -> [String: Any] {
      let words = ["encoders", "--probe", FakeEncoder.element, "--size", "320x240", "--json"] + arguments
      let outcome = try await RunningProgram("capstan", words, environment: encoder.environment).finish()
      #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.errors)")
      let answers = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
      return try #require((answers?.first?["trials"] as? [[String: Any]])?.first)
    }

    /// The first fault as it is told; whether a list of encoders may rest on it. Speed is not judged here: others may be
    /// busy.
    @Test(arguments: [
      ("open", "did not start: fakeenc says \"There is no such device\"", false),
      ("hang", "hangs: it took 1 picture and gave none", false),
      ("hang-start", "hangs when it is started", false), ("hang-stop", "hangs when it is stopped", false),
      ("segfault", "crashes: its trial was ended by signal 11", false),
      ("abort", "crashes: its trial was ended by signal 6", false),
      ("exit", "crashes: its trial ended by itself with exit code 3", false),
      ("drop", "made ", false), ("garble", "made pictures that are not those that went in", false),
      ("keyless", "ignores the distance of key frames (15 frames asked, ", false),
      ("lavish", "missed the bit rate by ", true),
    ])
    func faultsAreFound(_ fault: String, _ told: String, _ works: Bool) async throws {
      let trial = try await probe(try FakeEncoder(fault: fault), "--framerate", "60")
      let faults = try #require(trial["faults"] as? [String])
      #expect(faults.contains { $0.hasPrefix(told) }, "\(faults)")
      #expect(trial["works"] as? Bool == works)
    }

    /// At a rate that any machine makes, so that the speed is no fault.
    @Test func oneWithoutFaultWorks() async throws {
      let trial = try await probe(try FakeEncoder(fault: "none"), "--framerate", "5")
      #expect(trial["faults"] as? [String] == [] && trial["works"] as? Bool == true, "\(trial)")
      let decoding = try #require(trial["decoding"] as? [String: Any])
      #expect(trial["framesIn"] as? Int == trial["framesOut"] as? Int)
      #expect(trial["framesIn"] as? Int == decoding["frames"] as? Int)
      #expect((trial["color"] as? [String: Any])?["isCompleted"] as? Bool == true)
      #expect(trial["framesPerSecond"] as? Double ?? 0 > 5)
    }

    // MARK: Recordings

    private func record(
      _ preset: String, _ encoder: FakeEncoder, camera: FakeCamera, in folder: TemporaryFolder
    ) async throws -> Outcome {
      let file = folder.file("p.json5")
      try Data(preset.utf8).write(to: file)
      return try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "-p", file.path(percentEncoded: false), "-o",
          folder.file("a.mp4").path(percentEncoded: false), "--frames", "30", "--json",
        ], camera: camera, environment: encoder.environment
      ).finish()
    }

    private let camera = FakeCamera(format: "YU12", width: 320, height: 240, rate: (30, 1))

    @Test(arguments: ["open", "segfault", "hang"])
    func whatListsButFailsIsSkippedAndSaid(_ fault: String) async throws {
      let folder = try TemporaryFolder()
      let encoder = try FakeEncoder(fault: fault)
      let outcome = try await record("{ encoder: ['fakeenc', 'x264enc'] }", encoder, camera: camera, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try outcome.json()
      #expect(report["encoder"] as? String == "x264enc" && report["framesWritten"] as? Int == 30)
      #expect(outcome.errors.contains("fakeenc is tried for a moment"))
      let notes = try #require(report["notes"] as? [String])
      #expect(notes.contains { $0.hasPrefix("fakeenc is skipped: it ") }, "\(notes)")
      #expect(notes.contains("x264enc is taken instead"))
    }

    @Test func aPinnedOneThatFailsDoesSoBeforeTheCamera() async throws {
      let folder = try TemporaryFolder()
      let log = folder.file("log")
      let outcome = try await record(
        "{ encoder: 'fakeenc' }", try FakeEncoder(fault: "open"), camera: camera.logging(to: log), in: folder)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains("Preset p: the encoder fakeenc did not start: fakeenc says "), "\(outcome.errors)")
      #expect(((try outcome.json()["error"] as? [String: Any])?["code"]) as? String == "encoderUnfit")
      #expect(try Set(folder.names).isSubset(of: ["p.json5", "log"]))
      let calls = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      #expect(!calls.contains("start") && !calls.contains("STREAMON"), "\(calls)")
    }

    @Test func oneThatWorksIsTakenAndTriedOnce() async throws {
      let folder = try TemporaryFolder()
      let encoder = try FakeEncoder(fault: "none")
      let first = try await record("{ encoder: ['fakeenc', 'x264enc'] }", encoder, camera: camera, in: folder)
      #expect(try first.json()["encoder"] as? String == "fakeenc", "\(first.errors)")
      let known = try Data(contentsOf: encoder.cache)
      try FileManager.default.removeItem(at: folder.file("a.mp4"))
      let second = try await record("{ encoder: ['fakeenc', 'x264enc'] }", encoder, camera: camera, in: folder)
      #expect(try second.json()["encoder"] as? String == "fakeenc")
      #expect(try Data(contentsOf: encoder.cache) == known)
    }

    /// What speaks against an encoder holds for its settings: a mended file is believed at once.
    @Test func aMendedEncoderIsTriedAnew() async throws {
      let folder = try TemporaryFolder()
      let encoder = try FakeEncoder(fault: "open")
      _ = try await record("{ encoder: ['fakeenc', 'x264enc'] }", encoder, camera: camera, in: folder)
      let mended = try FakeEncoder(fault: "none")
      try FileManager.default.copyItem(at: encoder.cache, to: mended.cache)
      try FileManager.default.removeItem(at: folder.file("a.mp4"))
      let outcome = try await record("{ encoder: ['fakeenc', 'x264enc'] }", mended, camera: camera, in: folder)
      #expect(try outcome.json()["encoder"] as? String == "fakeenc", "\(outcome.errors)")
    }

    // MARK: The cache

    @Test func aBrokenCacheIsMadeAnew() async throws {
      let encoder = try FakeEncoder(fault: "none")
      try Data("{ \"version\": 1, \"trials\": [".utf8).write(to: encoder.cache)
      let trial = try await probe(encoder)
      #expect(trial["framesPerSecond"] != nil)
      let cached = try JSONSerialization.jsonObject(with: Data(contentsOf: encoder.cache)) as? [String: Any]
      #expect((cached?["trials"] as? [Any])?.count == 1)
    }

    @Test func aFolderThatCannotBeWrittenCostsANote() async throws {
      let encoder = try FakeEncoder(fault: "none")
      let environment = encoder.environment.merging(["XDG_CACHE_HOME": "/proc/nowhere"]) { $1 }
      let words = ["encoders", "--probe", FakeEncoder.element, "--size", "320x240"]
      let outcome = try await RunningProgram("capstan", words, environment: environment).finish()
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains(
          "note: what was found of fakeenc is not kept, as /proc/nowhere/capstan/encoders.json cannot be written"))
    }

    /// Figures of a trial are what the list shows and the plan's speed goes by.
    @Test func whatIsKnownIsShown() async throws {
      let encoder = try FakeEncoder(fault: "none")
      _ = try await probe(encoder)
      let list = try await capstan("encoders", environment: encoder.environment)
      let row = try #require(list.output.split(separator: "\n").first { $0.hasPrefix("fakeenc ") })
      #expect(row.contains(" fps of 320x240"), "\(list.output)")
    }

    @Test func speedsAreTriedFromTheFastestOn() async throws {
      let words = ["encoders", "--probe", "x264enc", "--size", "160p5", "--json"]
      let outcome = try await RunningProgram("capstan", words).finish()
      let answers = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
      let trials = try #require(answers?.first?["trials"] as? [[String: Any]])
      let names = trials.compactMap { $0["speed"] as? String }
      #expect(Array(names.prefix(2)) == ["ultrafast", "superfast"], "\(outcome.errors)")
      #expect(outcome.errors.contains("x264enc at ultrafast: "), "progress is told while it goes on")
    }

    @Test(arguments: [
      (["encoders", "--size", "320x240"], "--size is for --probe"),
      (["encoders", "x246enc"], "did you mean x264enc?"),
      (["encoders", "--probe", "--size", "33x33"], "even sides"),
    ])
    func wordsThatMakeNoSense(_ words: [String], _ told: String) async throws {
      let outcome = try await RunningProgram("capstan", words).finish()
      #expect(outcome.status == 64 && outcome.errors.contains(told), "\(outcome.errors)")
    }
  }
}
