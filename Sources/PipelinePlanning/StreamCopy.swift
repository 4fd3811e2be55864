/// Recording the camera's own stream as it is: nothing is decoded, converted or encoded.

public import MediaFormats

extension EncoderProfile {
  /// Stands for an encoder's name where the camera's stream is to be kept.
  public static let copyName = "copy"

  public var isCopy: Bool { element == EncoderProfile.copyName }

  /// What "records" the streams of a payload; `nil` for one that no container holds as it is.
  static func copy(of payload: Payload) -> EncoderProfile? {
    guard let kind = copies[payload] else { return nil }
    return EncoderProfile(
      file: "", element: copyName, summary: "the camera's own stream, not encoded again", isHardware: false,
      isBundled: true, codec: kind.codec, inputs: [], color: OnlyColor(), speeds: [], otherSpeeds: [], properties: [:],
      optionLists: [:], profiles: [], parser: kind.parser)
  }

  private static let copies: [Payload: (codec: String, parser: String?)] = [
    .jpeg: ("mjpeg", "jpegparse"), .h264: ("h264", "h264parse"), .h265: ("h265", "h265parse"), .vp8: ("vp8", nil),
    .vp9: ("vp9", "vp9parse"), .mpeg4: ("mpeg4", "mpeg4videoparse"),
  ]
}

extension Preset {
  /// Those that the preset can record, whatever it wishes of size and rate.
  public func recordable(_ formats: [DeviceFormat]) -> [DeviceFormat] {
    encoders.first == EncoderProfile.copyName
      ? formats.filter { EncoderProfile.copy(of: $0.payload) != nil } : formats
  }

  /// What would change the pictures of a stream that is only copied; `nil` where nothing would.
  func obstacleToCopying(_ color: ColorPlan, range: ColorRange?) -> (key: String, what: String)? {
    if !filters.isEmpty { return ("filters", "filters") }
    if scale != nil { return ("scale", "another size") }
    if proxy != nil { return ("proxy", "a proxy, which has to be encoded") }
    if let word = encodersWord { return word }
    if let matrix = self.color.matrix, matrix != color.source.matrix { return ("matrix", "another matrix") }
    if let range, let own = color.source.range, range != own { return ("request", "the range \(range.name)") }
    return nil
  }

  /// What only an encoder could be told.
  private var encodersWord: (key: String, what: String)? {
    let words: [(isSaid: Bool, key: String, what: String)] = [
      (color.chroma != .yuv420, "chroma", "the chroma \(color.chroma.name)"),
      (color.depth != 8, "depth", "\(color.depth) bits a sample"),
      (quality != nil, "quality", "another quality"), (lossless, "lossless", "a stream without loss"),
      (speed != nil, "speed", "a speed"), (profile != nil, "profile", "a profile"),
      (bFrames > 0, "bFrames", "B-frames"), (threads != nil, "threads", "a number of threads"),
      (lowLatency, "lowLatency", "a lower latency"), (elementPreset != nil, "elementPreset", "an element preset"),
      (!encoderOptions.isEmpty, "encoderOptions", "an encoder's options"),
    ]
    return words.first(where: \.isSaid).map { ($0.key, $0.what) }
  }

  /// What every preset has and a copied stream decides itself.
  func notesOnCopying() -> [String] {
    let usual = Preset(name: "")
    if bitRate == usual.bitRate, keyFrameInterval == usual.keyFrameInterval { return [] }
    return ["bit rate and key frames are as the camera makes them, as its own stream is kept"]
  }
}

extension RecordingPlanner {
  func copy(of mode: CaptureMode) throws(PlanningError) -> EncoderProfile {
    guard let copy = EncoderProfile.copy(of: mode.format.payload) else { throw .nothingToCopy }
    return copy
  }

  /// The samples stay: what is known of them is only said.
  func copiedColor(
    of mode: CaptureMode, _ preset: Preset, _ wish: ColorWish
  ) throws(PlanningError) -> ColorPlan {
    let source = SourceColor(mode, override: wish.source)
    let plan = ColorPlan(
      source: source.color, target: source.color, steps: [], format: .i420, assumptions: source.assumptions)
    if let obstacle = preset.obstacleToCopying(plan, range: wish.range) {
      throw .copyCannot(key: obstacle.key, what: obstacle.what)
    }
    return plan
  }
}
