/// `capstan formats`: everything that a camera can do.

import Capstan
import GStreamer

enum FormatsCommand: Subcommand {
  static let name = "formats"
  static let summary = "everything that a camera can do"
  static let options = [RecordOptions.device, RecordOptions.json]
  static let help = """
    Usage: capstan formats [-d DEV] [--json]

    Lists the modes of a camera in its own order: code, size, rates in frames a
    second, range, and colour as GStreamer's range:matrix:transfer:primaries, where
    0 is what the driver does not say.

      -d, --device DEV       path, number, name, element:... or synthetic
                             (default: the first camera)
          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let device = try CaptureDevice.chosen(options.string("device"))
    let formats = try device.formats()
    if options.flag("json") {
      console.answer(try JSONText.answer(formats))
    } else {
      let heading = ["#", "CODE", "SIZE", "RATES", "RANGE", "COLOUR", ""]
      console.answer("\(device.name) (\(device.id))\n" + TextTable(rows: [heading] + formats.map(row)).text)
    }
    return .done
  }

  private static func row(_ format: DeviceFormat) -> [String] {
    let rates = format.frameRates.map(\.description).joined(separator: " ")
    let remarks = [
      format.isInterlaced ? "interlaced" : nil, format.isEmulated ? "emulated" : nil, format.payload.refusal,
    ].compactMap { $0 }
    return [
      "\(format.index)", format.fourCC.trimmed, "\(format.dimensions)", rates.isEmpty ? "unknown" : rates,
      format.range.name, "\(format.colorimetry)",
    ] + (remarks.isEmpty ? [] : [remarks.joined(separator: ", ")])
  }
}
