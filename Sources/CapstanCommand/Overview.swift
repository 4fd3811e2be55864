/// What `capstan` alone shows: the cameras, the mode that would be taken, and the command to type.

import Capstan

struct Overview: Sendable {
  let console: Console

  func show() async -> ExitCode {
    let devices = CaptureDevice.discover()
    guard !devices.isEmpty else {
      console.answer(
        """
        No camera was found. Plug one in, or try the built-in one:
          capstan record --device synthetic --duration 10s
        More: capstan --help
        """)
      return .done
    }
    var lines = ["Cameras:"]
    for device in devices { lines.append("  \(device.id)  \(device.name)\(Overview.trouble(device))") }
    if let first = devices.first(where: { $0.problem == nil }) {
      lines.append("Mode of \(first.id) with the preset \(ProfileLibrary.defaultPreset): \(await mode(of: first))")
      lines.append("To record it, until Ctrl-C:")
      lines.append("  capstan record")
    }
    lines.append("More: capstan --help")
    console.answer(lines.joined(separator: "\n"))
    return .done
  }

  private func mode(of device: CaptureDevice) async -> String {
    do {
      let preset = try ProfileLibrary.standard.preset(ProfileLibrary.defaultPreset)
      let plan = try await CaptureSession(device: device, preset: preset, prober: .byThisProgram).plan()
      let deviations = plan.selection.deviations.map(\.description)
      return (["\(plan.mode)"] + deviations).joined(separator: "; ")
    } catch {
      return "none. \(error)"
    }
  }

  private static func trouble(_ device: CaptureDevice) -> String { device.problem.map { "  (\($0))" } ?? "" }
}
