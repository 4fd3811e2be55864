/// Values of controls in presets and on the command line.

import Foundation
import PipelinePlanning
import Testing

@Suite struct ControlValueTests {
  @Test(
    arguments: [
      ("7", .integer(7)), ("-3", .integer(-3)), ("0x1F", .integer(31)), (" 12 ", .integer(12)), ("on", .text("on")),
      ("60 Hz", .text("60 Hz")), ("0x", .text("0x")), ("", .text("")),
    ] as [(String, ControlValue)])
  func reads(_ text: String, _ value: ControlValue) { #expect(ControlValue(parsing: text) == value) }

  private func preset(_ text: String) throws -> Preset {
    try Preset(name: "p", file: "p.json5", json5: Data(text.utf8))
  }

  @Test func presetsHaveThem() throws {
    let preset = try preset(
      "{ controls: { brightness: 9, exposure_dynamic_framerate: false, power_line_frequency: '60 Hz' } }")
    #expect(
      preset.controls == [
        "brightness": 9, "exposure_dynamic_framerate": false, "power_line_frequency": .text("60 Hz"),
      ])
    #expect(preset.exposureLock)
    #expect(try !self.preset("{ exposureLock: false }").exposureLock)
  }

  @Test(arguments: [
    (
      "{ controls: { brightness: [] } }",
      "p.json5:1:27: controls.brightness: a number, true or false, or a text such as \"50 Hz\" is wanted"
    ),
    ("{ controls: 3 }", "p.json5:1:13: controls: an object { ... } is wanted"),
    ("{ exposureLock: 1 }", "p.json5:1:17: exposureLock: true or false is wanted"),
  ])
  func mistakes(_ text: String, _ message: String) {
    let error = #expect(throws: ConfigurationError.self) { try preset(text) }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
  }
}
