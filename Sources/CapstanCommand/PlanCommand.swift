/// `capstan plan`: what `record` would do with the same options, without doing it.

import Capstan
import GStreamer

enum PlanCommand: Subcommand {
  static let name = "plan"
  static let summary = "what record would do with the same options"
  static let options = RecordOptions.all
  static let takesWords = true
  static let help = """
    Usage: capstan plan [OPTION...] [720p60]

    Prints what record would do with the same options: the mode and how it differs
    from what was asked, colour steps, encoder and speed, container, and the line
    for gst-launch-1.0. Records nothing; the camera is only asked for its formats.

    Takes the options of record (capstan help record), and
          --json             the plan as one object on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let request = try RecordRequest(options, library: .standard)
    let device = try CaptureDevice.chosen(request.deviceName)
    let isJSON = options.flag("json")
    do {
      let session = CaptureSession(device: device, preset: request.preset)
      let plan = try await session.plan(recordingTo: request.output)
      let description = PlanDescription(plan: plan, device: device, notes: request.notes)
      console.answer(isJSON ? try JSONText.answer(PlanAnswer(description)) : description.text)
      return .done
    } catch let error as CaptureError where isJSON && error.code == .requestImpossible {
      console.answer(try JSONText.answer(ImpossiblePlan(device, request.preset, error)))
      return .requestImpossible
    }
  }
}

/// The answer where no mode meets the request, with the modes that come nearest.
struct ImpossiblePlan: Encodable, Sendable {
  var success = false
  var outcome = "impossible"
  var device: CaptureDevice
  var preset: PresetAnswer
  var error: CaptureError
  var nearest: [CaptureMode]

  init(_ device: CaptureDevice, _ preset: Preset, _ error: CaptureError) {
    self.device = device
    self.preset = PresetAnswer(preset)
    self.error = error
    let selection = FormatSelector(preset.request).select(from: (try? device.formats()) ?? [])
    if case .impossible(_, let modes) = selection { nearest = modes } else { nearest = [] }
  }
}
