/// `capstan formats`: everything that a camera can do.

import Capstan
import GStreamer

enum FormatsCommand: Subcommand {
  static let name = "formats"
  static let summary = "everything that a camera can do"
  static let options = [RecordOptions.device, RecordOptions.json]
  static let help = """
    Usage: capstan formats [-d DEV] [--json]

    Lists the modes of a camera in its own order, one a line: media type and code
    (420f and 420v are NV12 in full and in video range), size, rates in frames a
    second, what is known of view, binning, stabilisation and zoom, range, colour
    as range:matrix:transfer:primaries where 0 is what the driver does not say,
    node, and the number of the mode. What is not known is left out.
    --device listing:FILE reads such a list back, to plan with.

      -d, --device DEV       path, number, name, element:..., synthetic or
                             listing:FILE (default: the first camera)
          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let device = try CaptureDevice.chosen(options.string("device"))
    let listing = try device.listing()
    if options.flag("json") {
      console.answer(try JSONText.answer(listing.formats))
    } else {
      for remark in remarks(listing.formats, of: device) { console.say(remark) }
      console.answer(listing.lines.joined(separator: "\n"))
    }
    return .done
  }

  /// Beside the listing, so that it can be kept as it is.
  private static func remarks(_ formats: [DeviceFormat], of device: CaptureDevice) -> [String] {
    var seen = Set<FourCC>()
    let refused = formats.compactMap { format in
      format.payload.refusal.flatMap {
        seen.insert(format.fourCC).inserted ? "\(format.fourCC.trimmed) cannot be recorded: \($0)." : nil
      }
    }
    return ["\(device.name) (\(device.id))"] + refused
  }
}
