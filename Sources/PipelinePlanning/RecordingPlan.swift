/// Everything that a recording will do, decided before anything is opened.

public import MediaFormats

public struct RecordingPlan: Sendable, Hashable {
  public var preset: Preset
  /// The one of the preset's wishes that the selection is of.
  public var request: FormatRequest
  public var selection: FormatSelection
  /// The chosen mode.
  public var mode: CaptureMode
  public var color: ColorPlan
  public var encoder: EncoderProfile
  /// One of GStreamer's element presets, as it is set on the encoder; `nil` for none.
  public var elementPreset: ElementPresetLayer?
  /// The encoder's own word for its speed, where it has one.
  public var speed: String?
  /// What that speed was chosen by; `nil` for an encoder without speeds.
  public var speedBasis: SpeedBasis?
  /// What the speed may be changed to while the recording runs, the fastest first, that of the plan last; empty where
  /// it stays.
  public var speedLadder: [SpeedRung]
  public var container: ContainerProfile
  /// The size of the recorded picture.
  public var dimensions: VideoDimensions
  /// The second file; `nil` where there is one alone.
  public var proxy: ProxyPlan?
  public var pipeline: PipelineDescription
  /// How much of the end a crash may take, and what keeps it from taking more.
  public var recovery = RecoveryPlan(asked: .seconds(1))
  /// What the encoder is still to be tried at before the plan can be trusted; `nil` where it needs no proof, or there is
  /// one.
  public var trial: EncoderTrial?
  /// What the user should know: each a sentence.
  public var notes: [String]

  /// What the stream is held to; `nil` where quality, no loss, an element preset, a raw option or the camera decides.
  public var heldBitRate: BitRate? {
    let isReplaced = elementPreset?.replacedKeys.contains("bitrate") == true
    return !isReplaced && encoder.holdsBitRate(of: preset) ? preset.bitRate : nil
  }
}

extension RecordingPlan {
  /// The same from another node, as that of a camera that came back.
  public func recording(from node: String) -> RecordingPlan {
    var plan = self
    plan.mode.format.node = node
    for stage in plan.pipeline.stages.indices {
      for place in plan.pipeline.stages[stage].nodes.indices
      where plan.pipeline.stages[stage].nodes[place].name == NodeName.source {
        plan.pipeline.stages[stage].nodes[place].set("device", to: .string(node))
      }
    }
    return plan
  }
}

extension PipelineDescription.Node {
  /// Changes a property that is there.
  fileprivate mutating func set(_ name: String, to value: PropertyValue) {
    for place in properties.indices where properties[place].name == name { properties[place].value = value }
  }
}

/// One speed of an encoder that others can take over from in one file.
public struct SpeedRung: Sendable, Hashable {
  /// The encoder's own word.
  public var speed: String
  /// The encoder, set to it.
  public var node: PipelineDescription.Node
}

/// An encoder that is installed and not taken.
public struct EncoderRefusal: Sendable, Hashable {
  public var encoder: String
  /// The end of a sentence that the encoder begins.
  public var reason: String

  /// For the plan that goes on without it.
  var note: String { "\(encoder) is skipped: it \(reason)" }
}

/// Why there is no plan.
public enum PlanningError: Error, Sendable, Hashable {
  case noMode(request: FormatRequest, reason: String, nearest: [CaptureMode])
  case unknownEncoder(String, known: [String])
  /// None of the preset's encoders is installed; the ones that are.
  case encoderMissing([String], installed: [String])
  /// None of the preset's encoders that are installed works here; what is wrong with each.
  case encoderUnfit([EncoderRefusal])
  case unknownContainer(String, known: [String])
  /// In an encoder's file; the codecs that containers can hold.
  case unknownCodec(String, file: String, known: [String])
  /// What is wrong with the wish for a second file.
  indirect case ofProxy(PlanningError)
  /// The camera sends raw pictures only.
  case nothingToCopy
  /// A stream that is copied cannot be changed; the key that asks for it, and what it asks for.
  case copyCannot(key: String, what: String)
  /// Subsampled chroma needs even sides.
  case oddScale(VideoDimensions)
  case containerCannotHold(codec: String, container: String, able: [String])
  case unknownSpeed(String, encoder: String, known: [String])
  /// The targets that there are.
  case unknownEncodingTarget(String, known: [String])
  /// A target of which Capstan makes nothing; the end of a sentence that it begins.
  case encodingTargetUnusable(String, reason: String)
  /// The element presets that the encoder has.
  case unknownElementPreset(String, encoder: String, known: [String])
  case unknownProfile(String, encoder: String, known: [String])
  /// A profile of the codec that is not made for such samples; the encoder's profiles that are.
  case profileCannotHold(String, encoder: String, chroma: PixelFormat.Chroma, depth: Int, able: [String])
  case profileWithoutBFrames(String, encoder: String)
  /// The profile in which the encoder codes without loss.
  case profileWithLoss(String, encoder: String, able: String)
  /// The encoder has not got a word of the vocabulary; what it has in its place, and the installed ones that have it.
  case noWord(EncoderWord, encoder: String, instead: [EncoderWord], able: [String])
  /// In the vocabulary's unit.
  case outOfRange(EncoderWord, Int, encoder: String, range: ClosedRange<Int>)
  /// The first excludes the second.
  case contradiction(EncoderWord, EncoderWord)
  /// The codec's streams can say one range or matrix only; both in words, and the key that asks.
  case colorNotHeld(String, only: String, encoder: String, key: String)
  /// The colour that is wished, and installed encoders that could.
  case color(ColorPlanningError, encoder: String, able: [String])
  /// What a crash may take at most; shorter or longer than can be promised.
  case recoveryPoint(Duration)
  /// The element that an encoder's file names to stand behind it.
  case parserMissing(String, file: String)
  /// Elements other than those two.
  case elementsMissing([String])
}

extension PlanningError {
  /// The way to the key of a preset that is wrong; `nil` where the machine or the camera is what is missing.
  public var presetPath: [String]? {
    if case .ofProxy(let error) = self { return error.presetKey.map { ["proxy", $0] } }
    return presetKey.map { [$0] }
  }

  /// Its last part.
  public var presetKey: String? {
    switch self {
    case .unknownEncoder: "encoder"
    case .unknownContainer, .containerCannotHold: "container"
    case .unknownSpeed: "speed"
    case .unknownElementPreset: "elementPreset"
    case .unknownEncodingTarget, .encodingTargetUnusable: "encodingTarget"
    case .ofProxy(let error): error.presetKey
    case .unknownProfile, .profileCannotHold, .profileWithoutBFrames, .profileWithLoss: "profile"
    case .nothingToCopy: "encoder"
    case .copyCannot(let key, _): key
    case .oddScale: "scale"
    case .recoveryPoint: "recoveryPoint"
    case .noWord(let word, _, _, _), .outOfRange(let word, _, _, _), .contradiction(let word, _): word.rawValue
    case .colorNotHeld(_, _, _, let key): key
    case .color(.noLayout(_, let depth), _, _): depth == 8 ? "chroma" : "depth"
    default: nil
    }
  }
}

extension PlanningError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noMode(_, let reason, let nearest):
      nearest.isEmpty ? reason : "\(reason); nearest: \(nearest.map(\.description).joined(separator: "; "))"
    case .unknownEncoder(let name, let known):
      "there is no encoder profile \"\(name)\"\(PlanningError.hint(name, known)); known are \(known.joined(separator: ", "))"
    case .encoderMissing(let wanted, let installed):
      "the encoder \(wanted.joined(separator: " or ")) is not installed; "
        + (installed.isEmpty ? "no other is either" : "installed are \(installed.joined(separator: ", "))")
    case .encoderUnfit(let refusals):
      refusals.map { "the encoder \($0.encoder) \($0.reason)" }.joined(separator: "; ")
    case .unknownContainer(let name, let known):
      "there is no container \"\(name)\"\(PlanningError.hint(name, known)); known are \(known.joined(separator: ", "))"
    case .containerCannotHold(let codec, let container, let able):
      "\(container) cannot hold \(codec); \(able.isEmpty ? "no container can" : "use \(able.joined(separator: " or "))")"
    case .nothingToCopy:
      "the camera sends raw pictures in every mode that would do, and they have to be encoded; name an encoder"
    case .copyCannot(let key, let what):
      "a stream that is copied stays as the camera sends it: \(what) cannot be had; "
        + "\(key == "request" ? "ask for the range source" : "leave it out"), or name an encoder"
    case .ofProxy(let error): "\(error)"
    case .unknownCodec(let codec, _, let known):
      "no container holds \(codec)\(PlanningError.hint(codec, known)); known are "
        + known.joined(separator: ", ")
    case .oddScale(let size):
      "\(size) has an odd side, which 4:2:0 cannot have; \(max(2, size.width / 2 * 2))x\(max(2, size.height / 2 * 2)) would do"
    case .unknownSpeed(let speed, let encoder, let known):
      "\(encoder) has no speed \"\(speed)\"\(PlanningError.hint(speed, known)); it has \(known.joined(separator: ", "))"
    case .unknownEncodingTarget(let name, let known):
      known.isEmpty
        ? "GStreamer has no encoding targets here; leave \"\(name)\" out"
        : "GStreamer has no encoding target \"\(name)\"; it has \(known.joined(separator: ", "))"
    case .encodingTargetUnusable(let path, let reason): "the encoding target \(path) \(reason)"
    case .unknownElementPreset(let name, let encoder, let known):
      known.isEmpty
        ? "\(encoder) has no element presets here; leave \"\(name)\" out"
        : "\(encoder) has no element preset \"\(name)\"\(PlanningError.hint(name, known)); it has "
          + known.map { "\"\($0)\"" }.joined(separator: ", ")
    case .unknownProfile(let profile, let encoder, let known):
      known.isEmpty
        ? "the profile of \(encoder) follows from chroma and depth; leave it out"
        : "\(encoder) has no profile \"\(profile)\"\(PlanningError.hint(profile, known)); it has "
          + known.joined(separator: ", ")
    case .profileCannotHold(let profile, let encoder, let chroma, let depth, let able):
      "\(encoder) writes no \(chroma.name) of \(depth) bits in the profile \(profile); leave it out"
        + (able.isEmpty ? "" : ", or take \(able.joined(separator: " or "))")
    case .profileWithoutBFrames(let profile, let encoder):
      "the profile \(profile) of \(encoder) has no B-frames; leave them or the profile out"
    case .profileWithLoss(let profile, let encoder, let able):
      "\(encoder) codes without loss in the profile \(able), not in \(profile); leave the profile out"
    case .noWord(let word, let encoder, let instead, let able):
      word.refusal(by: encoder, instead: instead, able: able)
    case .outOfRange(let word, let amount, let encoder, let range):
      "\(word.words(for: amount)) is out of range for \(encoder), which takes "
        + "\(word.words(for: range.lowerBound)) to \(word.words(for: range.upperBound))"
    case .contradiction(let word, let other):
      "\(word.rawValue) and \(other.rawValue) exclude one another; leave one of them out"
    case .colorNotHeld(let asked, let only, let encoder, _):
      "what \(encoder) makes can say \(only) only, not \(asked); ask for that, or take another encoder"
    case .color(.noLayout(let chroma, let depth), let encoder, let able):
      "\(encoder) takes no \(chroma.name) of \(depth) bits; "
        + (able.isEmpty ? "no encoder here does" : "\(able.joined(separator: ", ")) would")
    case .color(.rangeOfDeepSamples, _, _):
      "the range of samples of more than 8 bits is not converted; ask for the range source, or for 8 bits"
    case .parserMissing(let name, let file): "\(file): parser: GStreamer has no element \(name) here"
    case .recoveryPoint(let asked):
      "a recovery point of \(asked.inSeconds) s cannot be promised; ask for 200ms to 1min"
    case .elementsMissing(let names):
      "GStreamer lacks the element\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))"
    }
  }

  private static func hint(_ word: String, _ known: [String]) -> String {
    Spelling.nearest(to: word, among: known).map { " (did you mean \($0)?)" } ?? ""
  }
}
