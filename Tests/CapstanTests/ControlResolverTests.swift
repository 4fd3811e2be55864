/// Wishes for controls, by table: names, values, and what is said of those that are wrong.

import Foundation
import Testing

@testable import Capstan

@Suite struct ControlResolverTests {
  private let resolver = ControlResolver(
    camera: "The camera",
    controls: [
      CameraControl(name: "brightness", title: "Brightness", kind: .integer, minimum: -10, maximum: 10),
      CameraControl(name: "zoom_absolute", title: "Zoom", kind: .integer, minimum: 100, maximum: 500, step: 10),
      CameraControl(
        name: "exposure_dynamic_framerate", title: "Exposure, Dynamic Framerate", kind: .boolean, maximum: 1,
        defaultValue: 1),
      CameraControl(
        name: "power_line_frequency", title: "Power Line Frequency", kind: .menu, maximum: 2,
        menu: [.init(number: 0, name: "Disabled"), .init(number: 2, name: "60 Hz")]),
      CameraControl(
        name: "link_frequency", title: "Link Frequency", kind: .integerMenu, maximum: 1,
        menu: [.init(number: 0, name: "400000000"), .init(number: 1, name: "200000000")]),
      CameraControl(name: "save", title: "Save", kind: .button),
      CameraControl(name: "notes", title: "Notes", kind: .other, obstacle: "its values are no numbers"),
      CameraControl(name: "gain", title: "Gain", kind: .integer, maximum: 9, obstacle: "it can only be read"),
    ])

  @Test(
    arguments: [
      ("brightness", "3", 3), ("brightness", "-10", -10), ("Brightness", "0x0a", 10), ("zoom_absolute", "110", 110),
      ("exposure_dynamic_framerate", "on", 1), ("exposure_auto_priority", "false", 0),
      ("Exposure, Dynamic Framerate", "default", 1), ("power_line_frequency", "2", 2),
      ("power_line_frequency", "60 hz", 2), ("link_frequency", "200000000", 1), ("link_frequency", "0", 0),
      ("save", "1", 1),
    ] as [(String, String, Int64)])
  func takes(_ name: String, _ value: String, _ number: Int64) throws {
    let settings = try resolver.settings(for: [name: ControlValue(parsing: value)])
    #expect(settings.map(\.value) == [number])
  }

  @Test(arguments: [
    ("brightness", "11", "It takes -10 to 10."), ("brightness", "dark", "It takes -10 to 10."),
    ("zoom_absolute", "105", "in steps of 10"), ("exposure_dynamic_framerate", "2", "on or off"),
    ("power_line_frequency", "1", "0 (Disabled), 2 (60 Hz)"), ("save", "off", "It takes 1."),
    ("notes", "x", "no numbers"), ("gain", "3", "it can only be read"), ("brigthness", "1", "Did you mean brightness?"),
    ("xyzzy", "1", "It has brightness,"),
    ("brightness", "9223372036854775807", "It takes -10 to 10."),
  ])
  func refuses(_ name: String, _ value: String, _ reason: String) {
    let error = #expect(throws: CaptureError.self) {
      try resolver.settings(for: [name: ControlValue(parsing: value)])
    }
    #expect(error?.code == .requestImpossible && "\(error!)".contains(reason), "\(error!)")
  }

  /// Manual exposure has to be on before the exposure time counts.
  @Test func switchesComeFirst() throws {
    let settings = try resolver.settings(for: ["brightness": 1, "power_line_frequency": 0, "zoom_absolute": 200])
    #expect(settings.map(\.name) == ["power_line_frequency", "brightness", "zoom_absolute"])
  }

  @Test func oneControlByTwoNames() {
    #expect(throws: CaptureError.self) {
      try resolver.settings(for: ["exposure_auto_priority": 1, "exposure_dynamic_framerate": 0])
    }
  }

  // MARK: The lock

  private func lock(_ change: (inout Preset) -> Void) throws -> [ControlResolver.Setting] {
    var preset = Preset(name: "mine", request: FormatRequest(frameRate: Fraction(60)))
    change(&preset)
    return try ControlWishes(preset: preset, camera: "It").settings(among: resolver.controls)
  }

  @Test func case5_lockOnlyForAFixedRate() throws {
    let off = ControlResolver.Setting(name: "exposure_dynamic_framerate", value: 0)
    #expect(try lock { _ in } == [off])
    #expect(try lock { $0.request.frameRate = nil }.isEmpty)
    #expect(try lock { $0.exposureLock = false }.isEmpty)
    #expect(try lock { $0.controls = ["exposure_auto_priority": true] }.map(\.value) == [1], "the user's word counts")
  }

  @Test func case5_aCameraWithoutTheControl() throws {
    let preset = Preset(name: "mine", request: FormatRequest(frameRate: Fraction(60)))
    let wishes = ControlWishes(preset: preset, camera: "It")
    #expect(try wishes.settings(among: []).isEmpty && wishes.notes(among: []).isEmpty)
  }
}

@Suite struct ControlRecordTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "capstan-records-\(UUID())")

  private func file(_ camera: String = "C922 / Pro") -> ControlRecordFile {
    ControlRecordFile(identity: [camera, "usb-0000:00:14.0-3"], folder: folder)
  }

  private func record(_ owner: ControlRecord.Owner?) -> ControlRecord {
    ControlRecord(camera: "C922", owner: owner, controls: [.init(name: "gain", before: 3, during: 7)])
  }

  @Test func namedByTheCamera() {
    #expect(file().url.lastPathComponent == "controls-C922___Pro-usb-0000_00_14.0-3.json")
  }

  @Test func whatRunsIsLeftAlone() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let running = file("running")
    try running.write(record(.current))
    #expect(running.leftBehind() == nil)
    running.release()
    #expect(running.leftBehind() == record(.current))
    running.remove()
    #expect(running.leftBehind() == nil)
  }

  /// Process 1 lives, but it is not the one that wrote the record.
  @Test(arguments: [(1, UInt64.max), (Int32.max, 5)] as [(Int32, UInt64)])
  func whatIsDeadIsLeftBehind(_ process: Int32, _ startTime: UInt64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let dead = record(ControlRecord.Owner(process: process, startTime: startTime))
    try file("dead").write(dead)
    #expect(file("dead").leftBehind() == dead)
  }

  @Test func nonsenseIsRemoved() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try file().write(record(nil))
    try Data("{".utf8).write(to: file().url)
    #expect(file().leftBehind() == nil)
    #expect(!FileManager.default.fileExists(atPath: file().url.path(percentEncoded: false)))
  }
}
