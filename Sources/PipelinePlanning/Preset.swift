/// What to record and how, by name: a JSON5 file that states only what it means to change.

public import MediaFormats

public struct Preset: Sendable, Hashable {
  public var name: String
  public var summary: String
  /// The first wish.
  public var request: FormatRequest
  /// What is wished in its place, in order, where a camera does not have it exactly.
  public var alternatives: [FormatRequest]
  /// Elements in order of preference; the first that is installed is taken. `copy` stands for the camera's own stream.
  public var encoders: [String]
  /// Not used where there is a `quality`.
  public var bitRate: BitRate
  /// The same picture quality throughout, from 0 for the smallest file to 100 for the best picture; `nil` for a bit rate.
  public var quality: Int?
  /// Every sample that reaches the encoder comes back; neither bit rate nor quality then.
  public var lossless: Bool
  /// Frames between two others that are coded from both: smaller files, and more latency.
  public var bFrames: Int
  /// No frame waits in the encoder for later ones.
  public var lowLatency: Bool
  /// That the encoder works with; `nil` leaves the choice to it.
  public var threads: Int?
  /// Longest distance between key frames.
  public var keyFrameInterval: Duration
  /// The encoder's own word, as `superfast`; `nil` leaves the choice to the planner.
  public var speed: String?
  /// The codec's profile, as `main`; `nil` for the one that the encoder's file names.
  public var profile: String?
  /// One of GStreamer's element presets of the first encoder; `nil` for none.
  public var elementPreset: ElementPresetWish?
  /// One of GStreamer's encoding targets, which says what this preset leaves open; `nil` for none.
  public var encodingTarget: EncodingTargetWish?
  /// Raw properties of the encoder, set last.
  public var encoderOptions: [String: String]
  /// In order of preference: the first that can hold the codec is taken.
  public var containers: [String]
  /// The camera's controls while it is recorded, by the names that v4l2-ctl prints; put back afterwards.
  public var controls: [String: ControlValue]
  /// True where auto exposure may not lower a rate that was asked for.
  public var exposureLock: Bool
  /// Matrix, chroma, depth, and what is known of the camera's own colour; the range is in the request.
  public var color: ColorWish
  /// The size of the recorded picture; `nil` for the camera's own.
  public var scale: VideoDimensions?
  /// A second file of the same capture.
  public var proxy: ProxyWish?
  /// Elements in gst-launch-1.0's words, between decoding and the colour steps.
  public var filters: [String]
  /// What a crash may take of the end at most, a power cut included: 200 ms to a minute.
  public var recoveryPoint: Duration
  /// What a `MovieFileOutput` says itself goes before it.
  public var limits: RecordingLimits
  public var hooks: RecordingHooks
  /// Whether a report is written beside the recording.
  public var report: Bool
  /// What happens when the camera goes while it is recorded.
  public var onUnplug: UnplugPolicy
  public var timeouts: RecordingTimeouts

  public init(
    name: String, summary: String = "", request: FormatRequest = FormatRequest(),
    alternatives: [FormatRequest] = [], encoders: [String] = ["x264enc"],
    bitRate: BitRate = BitRate(bitsPerSecond: 8_000_000), quality: Int? = nil, keyFrameInterval: Duration = .seconds(2),
    lossless: Bool = false, bFrames: Int = 0, lowLatency: Bool = false, threads: Int? = nil, speed: String? = nil,
    profile: String? = nil, elementPreset: ElementPresetWish? = nil,
    encodingTarget: EncodingTargetWish? = nil, encoderOptions: [String: String] = [:],
    container: String = "mp4",
    controls: [String: ControlValue] = [:], exposureLock: Bool = true, color: ColorWish = ColorWish(),
    scale: VideoDimensions? = nil, proxy: ProxyWish? = nil, filters: [String] = [],
    recoveryPoint: Duration = .seconds(1),
    limits: RecordingLimits = RecordingLimits(), hooks: RecordingHooks = RecordingHooks(),
    report: Bool = false, onUnplug: UnplugPolicy = .stop, timeouts: RecordingTimeouts = RecordingTimeouts()
  ) {
    self.name = name
    self.summary = summary
    self.request = request
    self.alternatives = alternatives
    self.encoders = encoders
    self.bitRate = bitRate
    self.quality = quality
    self.lossless = lossless
    self.bFrames = bFrames
    self.lowLatency = lowLatency
    self.threads = threads
    self.keyFrameInterval = keyFrameInterval
    self.speed = speed
    self.profile = profile
    self.elementPreset = elementPreset
    self.encodingTarget = encodingTarget
    self.encoderOptions = encoderOptions
    containers = [container]
    self.controls = controls
    self.exposureLock = exposureLock
    self.color = color
    self.scale = scale
    self.proxy = proxy
    self.filters = filters
    self.recoveryPoint = recoveryPoint
    self.limits = limits
    self.hooks = hooks
    self.report = report
    self.onUnplug = onUnplug
    self.timeouts = timeouts
  }
}

extension Preset {
  /// Everything that is wished, in order. Never empty: the first one is `request`.
  public var wishes: [FormatRequest] {
    get { [request] + alternatives }
    set {
      request = newValue.first ?? FormatRequest()
      alternatives = Array(newValue.dropFirst())
    }
  }
}

extension Preset {
  /// The first choice.
  public var container: String {
    get { containers.first ?? "mp4" }
    set { containers = [newValue] }
  }
}

extension Preset {
  /// Leaves out what is in one encoder's own words: speed, profile, element preset and options.
  public mutating func forgetEncoderWords() {
    (speed, profile, elementPreset, encoderOptions) = (nil, nil, nil, [:])
  }

  /// Speed, profile and options are in the words of the first encoder of the list: one that stands in for it is not told
  /// them, and that is noted.
  /// - Parameter isFirstMissing: false where the first one is installed and not fit.
  func addressed(to encoder: String, isFirstMissing: Bool) -> (preset: Preset, notes: [String]) {
    guard let first = encoders.first, first != encoder else { return (self, []) }
    var preset = self
    preset.forgetEncoderWords()
    let left = preset == self ? "" : "; speed, profile and options that were meant for \(first) are left out"
    let taken = isFirstMissing ? "\(encoder) is taken, as \(first) is not installed" : "\(encoder) is taken instead"
    return (preset, ["\(taken)\(left)"])
  }
}

/// A wished range in words, where "as the camera has it" is one of the answers.
public enum RangeChoice: Sendable, Hashable {
  case asked(ColorRange)
  case source

  /// Reads `full` and `pc`, `limited` and `tv`, and `source`; `nil` for anything else.
  public init?(parsing text: String) {
    switch text.lowercased() {
    case "full", "pc": self = .asked(.full)
    case "limited", "tv": self = .asked(.limited)
    case "source": self = .source
    default: return nil
    }
  }

  public var range: ColorRange? {
    if case .asked(let range) = self { range } else { nil }
  }
}
