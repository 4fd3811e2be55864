/// A plan as text for people and as JSON for programs.

import Capstan

struct PlanDescription: Sendable {
  var plan: RecordingPlan
  var device: CaptureDevice
  /// The command's own, beside those of the plan.
  var notes: [String]

  var text: String {
    let deviations = plan.selection.deviations.map(\.description)
    let told = notes + plan.notes.filter { !deviations.contains($0) }
    var rows = [
      ["device", "\(device.name) (\(device.id))"],
      ["preset", plan.preset.name],
    ]
    if let outcome = plan.preset.encodingTarget?.outcome { rows.append(["target", outcome.words]) }
    rows += [
      ["asked", plan.preset.wishes.map(\.description).joined(separator: "; or else ")],
      ["mode", "\(plan.mode)"],
      ["outcome", ([plan.selection.outcome] + deviations).joined(separator: "; ")],
      ["colour", colour],
      ["encoder", encoder],
    ]
    if let preset = plan.elementPreset { rows.append(["element preset", preset.text]) }
    rows += [
      ["container", "\(plan.container.name) by \(plan.container.muxer)"]
    ]
    if let proxy = plan.proxy {
      rows.append(["proxy", "\(proxy.dimensions), \(encoder(of: proxy)), \(proxy.container.name)"])
    }
    rows += told.map { ["note", $0] }
    return "\(TextTable(rows: rows).text)\n\n\(launch)"
  }

  var launch: String { "gst-launch-1.0 -e \(LaunchLine(plan.pipeline))" }

  private var colour: String {
    let steps = plan.color.steps.map(\.description)
    let range = plan.color.target.range?.name ?? "unknown"
    return "\(plan.color.target), \(range) range; \(steps.isEmpty ? "as it comes" : steps.joined(separator: ", then "))"
  }

  private func encoder(of proxy: ProxyPlan) -> String {
    [proxy.encoder.element, proxy.speed.map { "speed \($0)" }, "\(proxy.bitRate)", proxy.encoder.codec]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private var encoder: String {
    if plan.encoder.isCopy { return "none: the camera's own \(plan.encoder.codec) is kept" }
    return [
      plan.encoder.element, plan.speed.map { "speed \($0)\(basis)" }, rate, plan.encoder.codec,
    ]
    .compactMap { $0 }.joined(separator: ", ")
  }
}

extension PlanDescription {
  /// How large or how good the stream shall be; `nil` where the element preset or a raw option says it.
  fileprivate var rate: String? {
    if let rate = plan.heldBitRate { return "\(rate)" }
    if plan.preset.lossless { return "lossless" }
    return plan.preset.quality.map { "quality \($0)" }
  }

  /// What the speed was chosen by.
  private var basis: String {
    switch plan.speedBasis {
    case .measured(let rate): " (\(Figures.fixed(rate, decimals: 0)) fps when it was tried here)"
    case .file: " (by the figures of its file)"
    case .asked, nil: ""
    }
  }
}

struct PlanAnswer: Encodable, Sendable {
  struct Color: Encodable, Sendable {
    var source: Colorimetry
    var target: Colorimetry
    var range: ColorRange?
    var steps: [String]
    var convertsSamples: Bool
    var assumptions: [String]
  }

  struct Encoder: Encodable, Sendable {
    var name: String
    var codec: String
    var speed: String?
    /// `asked`, `file` for the figures in the encoder's file, `measured` for a trial on this machine.
    var speedBasis: String?
    /// What that trial made.
    var framesPerSecond: Double?
    /// Left out where the stream is held to none.
    var bitRate: Int?
    /// Of 100; left out where that is not what was asked.
    var quality: Int?
    var lossless: Bool?
    /// GStreamer's own preset of the element; left out where there is none.
    var elementPreset: ElementPresetAnswer?
  }

  struct Proxy: Encodable, Sendable {
    var name: String
    var size: VideoDimensions
    var encoder: Encoder
    var container: String

    init(_ plan: ProxyPlan) {
      name = plan.name
      size = plan.dimensions
      encoder = Encoder(
        name: plan.encoder.element, codec: plan.encoder.codec, speed: plan.speed, bitRate: plan.bitRate.bitsPerSecond)
      container = plan.container.name
    }
  }

  var device: CaptureDevice
  var preset: PresetAnswer
  /// Left out where there is none.
  var encodingTarget: EncodingTargetAnswer?
  /// `exact` or `adjusted`.
  var outcome: String
  var deviations: [String]
  var mode: CaptureMode
  var color: Color
  var encoder: Encoder
  var container: String
  /// Left out where there is one file alone.
  var proxy: Proxy?
  var notes: [String]
  /// For a shell.
  var launch: String
  /// Only where they were asked for.
  var rules: [Explanation.Rule]?
  var candidates: [Explanation.Candidate]?

  init(_ description: PlanDescription, _ explanation: Explanation? = nil) {
    let plan = description.plan
    device = description.device
    preset = PresetAnswer(plan.preset)
    encodingTarget = plan.preset.encodingTarget?.outcome.map(EncodingTargetAnswer.init)
    outcome = plan.selection.outcome
    deviations = plan.selection.deviations.map(\.description)
    mode = plan.mode
    color = Color(
      source: plan.color.source, target: plan.color.target, range: plan.color.target.range,
      steps: plan.color.steps.map(\.description), convertsSamples: plan.color.convertsSamples,
      assumptions: plan.color.assumptions)
    encoder = Encoder(
      name: plan.encoder.element, codec: plan.encoder.codec, speed: plan.speed, speedBasis: plan.speedBasis?.word,
      framesPerSecond: plan.speedBasis?.framesPerSecond,
      bitRate: plan.heldBitRate?.bitsPerSecond,
      quality: plan.preset.lossless ? nil : plan.preset.quality, lossless: plan.preset.lossless ? true : nil,
      elementPreset: plan.elementPreset.map { ElementPresetAnswer($0.name, $0.comment, $0.settings) })
    container = plan.container.name
    proxy = plan.proxy.map(Proxy.init)
    notes = description.notes + plan.notes
    launch = description.launch
    rules = explanation?.rules
    candidates = explanation?.candidates
  }
}
