/// A camera's controls while it is recorded: set before the stream, put back on every exit; and the rate that they hold.

import Foundation
import TestSupport
import Testing

extension LightTests {
  @Suite struct ControlTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private typealias Control = [String: Any]

    private static var brightness: Control { ["id": "brightness", "min": 0, "max": 255, "default": 128] }
    /// Auto exposure may lower the rate.
    private static var stretching: Control {
      ["id": "exposure_dynamic_framerate", "type": "bool", "default": 0, "value": 1]
    }
    private static var exposure: [Control] {
      [
        [
          "id": "auto_exposure", "type": "menu", "menu": ["", "Manual Mode", "", "Aperture Priority Mode"],
          "default": 3,
        ],
        ["id": "exposure_time_absolute", "min": 3, "max": 2047, "default": 250],
        ["id": "gain", "min": 0, "max": 255, "flags": ["read_only"]],
        ["id": "zoom_absolute", "min": 100, "max": 500, "step": 10, "default": 100],
      ]
    }

    private func camera(
      _ controls: [[String: Any]] = [brightness, stretching], faults: [String: Any] = [:]
    ) -> FakeCamera {
      FakeCamera(
        "logitech_c922",
        [
          "controls": controls, "faults": faults, "log": path("log"), "controlState": path("controls"),
        ])
    }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    private func start(_ camera: FakeCamera, _ arguments: [String]) throws -> RunningProgram {
      try RunningProgram(
        "capstan", arguments, camera: camera, environment: ["XDG_STATE_HOME": path("state")])
    }

    private func record(_ camera: FakeCamera, _ arguments: String...) async throws -> Outcome {
      try await start(camera, ["record", "-d", "/dev/video0", "-o", path("a.mp4"), "--json"] + arguments).finish()
    }

    /// The camera's log: the settings of controls as `Brightness=7`, and what happened to the stream.
    private func log() throws -> [String] {
      try String(contentsOf: folder.file("log"), encoding: .utf8).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 2 else { return nil }
        guard words[2] == "s_ctrl" else { return String(words[2]) }
        let value = words.first { $0.hasPrefix("value=") }?.dropFirst("value=".count) ?? ""
        return "\(line.split(separator: "name=").last ?? "")=\(value)"
      }
    }

    private var records: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: path("state/capstan"))) ?? []
    }

    // MARK: The command

    @Test func listsReadsAndSets() async throws {
      let camera = camera([Self.brightness] + Self.exposure)
      let list = try await start(camera, ["controls", "-d", "0", "--json"]).finish()
      let controls = try #require(
        try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
      #expect(
        controls.compactMap { $0["name"] as? String }.sorted() == [
          "auto_exposure", "brightness", "exposure_time_absolute", "gain", "zoom_absolute",
        ])
      #expect(controls.filter { $0["settable"] as? Bool == false }.compactMap { $0["name"] as? String } == ["gain"])

      let set = try await start(
        camera, ["controls", "-d", "0", "exposure_absolute=0x20", "auto_exposure=manual mode", "brightness"]
      ).finish()
      #expect(set.status == 0, "\(set.errors)")
      #expect(set.output.contains("1 (Manual Mode)") && set.output.contains("32"))
      #expect(try log().filter { $0.contains("=") } == ["Auto Exposure=1", "Exposure Time, Absolute=32"])
    }

    @Test(arguments: [
      ("brigtness=3", "Did you mean brightness?"), ("brightness=300", "It takes 0 to 255."),
      ("zoom_absolute=105", "100 to 500 in steps of 10"), ("auto_exposure=2", "1 (Manual Mode), 3 (Aperture"),
      ("gain=3", "it can only be read"), ("noise_reduction=1", "has no control noise_reduction"),
    ])
    func refusesWithTheReason(_ word: String, _ reason: String) async throws {
      let outcome = try await start(
        camera([Self.brightness] + Self.exposure), ["controls", "-d", "0", "exposure_time_absolute=5", word]
      ).finish()
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(try !log().contains { $0.contains("=") }, "nothing is set where one is wrong")
    }

    /// Where one fails at its turn, those before it are put back.
    @Test func allOrNone() async throws {
      var controls = Self.exposure
      controls[1]["flags"] = ["inactive"]
      let outcome = try await start(
        camera(controls), ["controls", "-d", "0", "auto_exposure=1", "exposure_time_absolute=5"]
      ).finish()
      #expect(outcome.status == 2 && outcome.errors.contains("overrides it"), "\(outcome.errors)")
      #expect(try log().filter { $0.contains("=") } == ["Auto Exposure=1", "Auto Exposure=3"])
    }

    // MARK: In a recording

    @Test func setBeforeTheStreamAndPutBackAfterIt() async throws {
      let outcome = try await record(camera(), "--frames", "30", "--control", "brightness=7")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let log = try log()
      let settings = log.filter { $0.contains("=") }
      #expect(
        settings == [
          "Exposure, Dynamic Framerate=0", "Brightness=7", "Brightness=128", "Exposure, Dynamic Framerate=1",
        ])
      let firstStream = try #require(log.firstIndex(of: "streamon"))
      let lastStream = try #require(log.lastIndex(of: "streamoff"))
      #expect(log[..<firstStream].count { $0.contains("=") } == 2)
      #expect(log[lastStream...].count { $0.contains("=") } == 2)
      #expect(records.isEmpty)
      let notes = try outcome.json()["notes"] as? [String] ?? []
      #expect(notes.contains { $0.contains("auto exposure may not lower the rate") })
      #expect(notes.contains { $0.contains("brightness is 7") })
    }

    @Test func putBackAfterASignal() async throws {
      let program = try start(
        camera(), ["record", "-d", "0", "-o", path("a.mp4"), "--events", "--control", "brightness=7"])
      #expect(try await program.wait { program.outputSoFar.contains("\"status\"") })
      #expect(records.count == 1)
      program.signal(SIGTERM)
      #expect(try await program.finish().status == 0)
      #expect(try log().suffix(3).contains("Brightness=128") && records.isEmpty)
    }

    @Test func putBackAfterAnError() async throws {
      let failing = camera(faults: ["dqbufEIOAfter": 30])
      let outcome = try await record(failing, "--control", "brightness=7")
      #expect(outcome.status == 4, "\(outcome.errors)")
      #expect(try log().filter { $0.hasPrefix("Brightness") } == ["Brightness=7", "Brightness=128"])
      #expect(records.isEmpty)
    }

    /// What is wrong without the camera is found out before anything is set on it.
    @Test func nothingIsSetForWhatCannotBe() async throws {
      let outcome = try await record(camera(), "--control", "brightness=7", "--encoder-opts", "nonsense=1")
      #expect(outcome.status == 2 && outcome.errors.contains("nonsense"), "\(outcome.errors)")
      #expect(try log().filter { $0.hasPrefix("Brightness") } == [] && records.isEmpty)
    }

    @Test func aWrongControlChangesNothing() async throws {
      let outcome = try await record(camera(), "--control", "brightness=700")
      #expect(outcome.status == 2 && outcome.errors.contains("It takes 0 to 255"))
      #expect(try !log().contains { $0.contains("=") } && !folder.names.contains("a.mp4"))
    }

    /// A busy camera belongs to someone else, its controls too.
    @Test func aBusyCameraIsLeftAlone() async throws {
      let outcome = try await record(camera(faults: ["busy": "s_fmt"]), "--control", "brightness=7")
      #expect(outcome.status == 4 && outcome.errors.contains("is busy"), "\(outcome.errors)")
      #expect(try !log().contains { $0.contains("=") })
    }

    @Test func unpluggedWithItsControls() async throws {
      let outcome = try await record(camera(faults: ["unplugAfter": 60]), "--control", "brightness=7")
      #expect(outcome.status == 4 && outcome.errors.contains("was unplugged"))
      #expect(records.count == 1, "kept for the next start")
      // The camera is back, and its state with it.
      #expect(try await record(camera(), "--frames", "5", "-y").status == 0)
      #expect(try log().contains("Brightness=128") && records.isEmpty)
    }

    @Test(arguments: ["record", "controls"]) func putBackAtTheNextStartAfterAKill(_ next: String) async throws {
      let program = try start(
        camera(), ["record", "-d", "0", "-o", path("a.mp4"), "--events", "--control", "brightness=7"])
      #expect(try await program.wait { program.outputSoFar.contains("\"status\"") })
      // Another start while it runs takes nothing from it.
      #expect(try await start(camera(), ["controls", "-d", "0", "brightness"]).finish().output.contains(" 7 "))
      program.signal(SIGKILL)
      #expect(try await program.finish().wasKilled)
      #expect(records.count == 1)
      let outcome =
        next == "record"
        ? try await record(camera(), "--frames", "5", "--no-exposure-lock", "-y")
        : try await start(camera(), ["controls", "-d", "0"]).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try log().filter { $0.contains("=") }.suffix(2) == ["Brightness=128", "Exposure, Dynamic Framerate=1"])
      #expect(records.isEmpty)
    }

    @Test func presetsHaveControls() async throws {
      try Data(
        "{ request: { size: \"640x480\", framerate: 30 }, controls: { brightness: 9 }, exposureLock: false }".utf8
      ).write(to: folder.file("mine.json5"))
      let outcome = try await record(camera(), "-p", path("mine.json5"), "--frames", "5")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try log().filter { $0.contains("=") } == ["Brightness=9", "Brightness=128"])
    }

    // MARK: The rate

    /// Case 5: the rate halves in dim light, unless the camera may not lengthen the exposure.
    @Test(arguments: ["Exposure, Dynamic Framerate", "Exposure, Auto Priority"])
    func case5_dimLightWithTheLock(_ title: String) async throws {
      let control = Self.stretching.merging(["name": title]) { $1 }
      let outcome = try await record(camera([control], faults: ["dim": true]), "-t", "3s")
      let rate = try #require(try outcome.json()["rate"] as? [String: Any])
      #expect((57...63).contains(rate["measured"] as? Double ?? 0), "\(rate)")
      #expect(rate["warning"] == nil)
    }

    /// Case 5: without the lock, and for a camera without the control, it is measured and told, and the file is honest.
    @Test(arguments: [true, false]) func case5_dimLightWithoutTheLock(_ hasControl: Bool) async throws {
      let program = try start(
        camera(hasControl ? [Self.stretching] : [], faults: ["dim": true]),
        ["record", "-d", "0", "-o", path("a.mp4"), "--events", "--no-exposure-lock", "-t", "6s"])
      let outcome = try await program.finish()
      let events = try outcome.events()
      let warnings = events.filter { $0["event"] as? String == "warning" }.compactMap { $0["message"] as? String }
      #expect(warnings.count { $0.contains("frames a second although 60 were agreed") } == 1, "\(warnings)")
      let rate = try #require(events.last?["rate"] as? [String: Any])
      #expect(rate["negotiated"] as? String == "60/1")
      #expect((28...32).contains(rate["measured"] as? Double ?? 0))
      #expect((20...32).contains(rate["lowestWindow"] as? Double ?? 0))
      #expect(outcome.errors.contains("(60 were agreed)"))
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(abs((check.movie?.duration ?? 0) - 6) < 0.2 && check.frames?.repeated == 0)
    }

    /// Case 10: time is that of the pictures, not that of a promise.
    @Test func case10_playbackTakesAsLongAsTheRecording() async throws {
      let outcome = try await record(camera(faults: ["actualRate": "20/1"]), "--frames", "60")
      let rate = try #require(try outcome.json()["rate"] as? [String: Any])
      #expect((19...21).contains(rate["measured"] as? Double ?? 0))
      #expect((rate["warning"] as? String)?.contains("although 60 were agreed") == true)
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(abs((check.movie?.duration ?? 0) - 3) < 0.1 && check.frames?.count == 60)
      #expect(try outcome.json()["framesLost"] as? Int == check.frames?.lost)
    }

    /// Case 45: each picture sent twice is no 60 frames a second.
    @Test func case45_repeatedPicturesAreCounted() async throws {
      let program = try start(
        camera(faults: ["repeatEach": 2]), ["record", "-d", "0", "-o", path("a.mp4"), "--events", "-t", "6s"])
      let events = try await program.finish().events()
      #expect(events.contains { ($0["message"] as? String)?.contains("are exactly the one before") == true })
      let rate = try #require(events.last?["rate"] as? [String: Any])
      #expect((27...33).contains(rate["effectiveRate"] as? Double ?? 0), "\(rate)")
      let written = try #require(events.last?["framesWritten"] as? Int)
      #expect(abs((rate["repeatedFrames"] as? Int ?? 0) - written / 2) <= 20)
    }

    /// Case 45: pictures that differ only in their numbers are not taken for repeated ones.
    @Test(arguments: ["MJPG", "NV12", "YUYV", "BGR3"]) func case45_newPicturesAreNotRepeated(_ code: String)
      async throws
    {
      let outcome = try await record(FakeCamera(format: code, rate: (30, 1)), "-r", "30", "--frames", "60")
      let rate = try #require(try outcome.json()["rate"] as? [String: Any])
      #expect(rate["repeatedFrames"] as? Int == 0, "\(rate)")
    }
  }
}
