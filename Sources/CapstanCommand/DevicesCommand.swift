/// `capstan devices`: the cameras of this machine.

import Capstan
import GStreamer

enum DevicesCommand: Subcommand {
  static let name = "devices"
  static let summary = "the cameras of this machine"
  static let options = [RecordOptions.json]
  static let help = """
    Usage: capstan devices [--json]

    Lists the cameras of this machine: what --device takes, the name, the driver,
    and what keeps one from being used. The built-in camera, which is always there
    and is not listed, is called synthetic.

          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let devices = CaptureDevice.discover()
    if options.flag("json") {
      console.answer(try JSONText.answer(devices))
    } else if devices.isEmpty {
      console.say("No camera was found. Plug one in, or use the built-in one: --device synthetic.")
    } else {
      console.answer(TextTable(rows: devices.map(row)).text)
    }
    return .done
  }

  private static func row(_ device: CaptureDevice) -> [String] {
    let kind =
      switch device.kind {
      case .v4l2(_, let driver, let bus): [driver, bus].filter { !$0.isEmpty }.joined(separator: ", ")
      case .element: "GStreamer element"
      case .synthetic: "built in"
      }
    return [device.id, device.name, device.problem.map(\.description) ?? kind]
  }
}
