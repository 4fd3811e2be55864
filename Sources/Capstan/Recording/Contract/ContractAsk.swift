/// What a recording was asked to be, out of its plan and its limits.

/// What is `nil` was left to the camera or to the encoder.
struct ContractAsk: Sendable, Hashable {
  var dimensions: VideoDimensions?
  var rate: Double?
  var range: ColorRange?
  var codec: String?
  var bitRate: Int?
  /// Nanoseconds.
  var duration: Int64?
  var frames: Int?
  /// True where it was ended before a limit, because somebody wanted it to end: it may be shorter than asked.
  var wasStopped = false

  init() {}

  init(_ plan: RecordingPlan, _ output: MovieFileOutput, wasStopped: Bool) {
    let preset = plan.preset
    // Filters may turn, cut or scale pictures on purpose, and leave some out.
    let isFiltered = !preset.filters.isEmpty
    dimensions = preset.scale ?? (isFiltered ? nil : plan.request.dimensions)
    rate = isFiltered ? nil : plan.request.frameRate?.value
    range = plan.request.range
    codec = plan.encoder.codec
    bitRate = ContractAsk.bitRate(of: plan)
    duration = output.maximumDuration?.nanoseconds
    frames = output.maximumFrames
    self.wasStopped = wasStopped
  }

  /// Words of the encoder's own may say something else.
  private static func bitRate(of plan: RecordingPlan) -> Int? {
    let preset = plan.preset
    let isOther = preset.quality != nil || preset.lossless || plan.encoder.isCopy || plan.encoder.bitRate == nil
    let hasWords = !preset.encoderOptions.isEmpty || plan.elementPreset != nil
    return isOther || hasWords ? nil : preset.bitRate.bitsPerSecond
  }
}
