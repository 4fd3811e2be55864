/// `capstan plan`: what `record` would do with the same options, without doing it.

import Capstan
import GStreamer

enum PlanCommand: Subcommand {
  static let name = "plan"
  static let summary = "what record would do with the same options"
  static let options = RecordOptions.all + [CommandOption("explain", description: "")]
  static let takesWords = true
  static let help = """
    Usage: capstan plan [OPTION...] [720p60]

    Prints what record would do with the same options: the mode and how it differs
    from what was asked, colour steps, encoder and speed, container, and the line
    for gst-launch-1.0. Records nothing; the camera is only asked for its formats.
    --device listing:FILE plans with a list that capstan formats printed.

    Takes the options of record (capstan help record), and
          --explain          every mode: its figures by each rule or why it is
                             out, bandwidth, load, and how long the disk lasts
          --json             the plan as one object on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let request = try RecordRequest(options, library: .standard)
    let device = try CaptureDevice.chosen(request.deviceName)
    let isJSON = options.flag("json")
    let session = CaptureSession(device: device, preset: request.preset, prober: .byThisProgram)
    do {
      let plan = try await session.plan(recordingTo: request.output)
      let description = PlanDescription(plan: plan, device: device, notes: request.notes)
      let explanation =
        options.flag("explain") ? Explanation(of: try device.formats(), request, taken: plan.request) : nil
      console.answer(
        isJSON
          ? try JSONText.answer(PlanAnswer(description, explanation))
          : [description.text, explanation?.text].compactMap { $0 }.joined(separator: "\n\n"))
      return .done
    } catch let error as CaptureError
      where error.code == .requestImpossible && (isJSON || options.flag("explain"))
    {
      let impossible = ImpossiblePlan(device, request, error, isExplained: options.flag("explain"))
      guard isJSON else {
        if let explanation = impossible.explanation { console.answer(explanation.text) }
        throw error
      }
      console.answer(try JSONText.answer(impossible))
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
  var rules: [Explanation.Rule]?
  var candidates: [Explanation.Candidate]?
  /// For people.
  let explanation: Explanation?

  private enum CodingKeys: CodingKey { case success, outcome, device, preset, error, nearest, rules, candidates }

  init(_ device: CaptureDevice, _ request: RecordRequest, _ error: CaptureError, isExplained: Bool) {
    self.device = device
    preset = PresetAnswer(request.preset)
    self.error = error
    let formats = (try? device.formats()) ?? []
    let granted = FormatSelector.select(from: formats, wishes: request.preset.wishes)
    if case .impossible(_, let modes) = granted.selection { nearest = modes } else { nearest = [] }
    explanation = isExplained ? Explanation(of: formats, request, taken: granted.request) : nil
    rules = explanation?.rules
    candidates = explanation?.candidates
  }
}
