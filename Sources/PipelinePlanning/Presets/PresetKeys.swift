/// The keys of a preset.

import MediaFormats

extension Preset {
  /// Belong to a file alone: what extends it does not inherit them.
  static let ownKeys = ["$schema", "extends", "summary"]

  static let table = KeyTable<Preset>(
    keys: aboutTheFile + aboutThePicture + aboutTheEncoder + aboutTheRecording,
    alternatives: [["bitrate", "quality", "lossless"]])

  private static let aboutTheFile: [KeyTable<Preset>.Key] = [
    .init("$schema", .text, "Where the JSON Schema of presets is, for editors; not inherited.") { _, _ in },
    .init("summary", .text, initial: "\"\"", "What it is for, in a line of `capstan presets`; not inherited.") {
      $1.summary = $0.text
    },
    .init(
      "extends", .scalar(wanted: "the name or the path of a preset", [.text(pattern: "^[^\\u0000]+$")]),
      "The preset that this one changes: its name, or a path seen from this file; objects are merged key by key, "
        + "lists and everything else replaced, and null takes an inherited value away."
    ) { _, _ in },
  ]

  private static let aboutThePicture: [KeyTable<Preset>.Key] = [
    .init(
      "request",
      .list(of: .object(FormatRequest.table.shape), item: "object { ... }", oneMayStandAlone: true),
      "What is wished of the camera: one wish, or several of which the first that it meets exactly is taken."
    ) { (value, preset) throws(ConfigurationError) in
      var wishes: [FormatRequest] = []
      for item in value.items { wishes.append(try FormatRequest(item)) }
      preset.wishes = wishes
    },
    .init(
      "encodingTarget", .argument,
      "A target of GStreamer's (.gep), by its name in `capstan presets targets`, for container, encoder and restrictions; what "
        + "this file or one that extends it says goes before it."
    ) { $1.encodingTarget = EncodingTargetWish($0.text) },
    .init(
      "matrix", .words(["source", "bt709", "bt601"]), initial: "\"source\"",
      "How colours become luma and chroma: as the camera has it, or converted, pixel by pixel."
    ) { (value, preset) throws(ConfigurationError) in
      preset.color.matrix = try value.parsed(MatrixChoice.init(parsing:)).matrix
    },
    .init(
      "chroma", .words(["4:2:0", "4:2:2", "4:4:4"]), initial: "\"4:2:0\"",
      "How many pixels share their colour; anything but 4:2:0 plays in few players."
    ) { (value, preset) throws(ConfigurationError) in
      preset.color.chroma = try value.parsed(PixelFormat.Chroma.init(encoded:))
    },
    .init("depth", .depth, initial: "8", "Bits a sample; 10 plays in few players.") {
      (value, preset) throws(ConfigurationError) in
      preset.color.depth = try value.parsed(ColorWish.depth(parsing:))
    },
    .init(
      "sourceColor", .sourceColor,
      "What the camera really sends, where its driver is wrong: range, standard, or GStreamer's four numbers."
    ) { (value, preset) throws(ConfigurationError) in
      preset.color.source = try value.parsed(Colorimetry.init(ofCamera:))
    },
    .init(
      "scale", .exactSize,
      "The size of the recorded picture, where it is not to be the camera's; the shape is kept, with black beside it."
    ) { (value, preset) throws(ConfigurationError) in
      preset.scale = try value.parsed { VideoDimensions(parsing: $0) }
    },
    .init(
      "filters", .texts(.launch, item: "text"),
      "Elements in gst-launch-1.0's words, between decoding and the colour steps; each takes and gives raw pictures of "
        + "the same format, size and rate."
    ) { $1.filters = $0.items.map(\.text) },
  ]

  private static let aboutTheEncoder: [KeyTable<Preset>.Key] = [
    .init(
      "encoder", .texts(.name, item: "text"), initial: "\"x264enc\"",
      "The encoder's element, or several in order of preference of which the first that works here is taken; \"copy\" "
        + "keeps the camera's own stream; speed, "
        + "profile and encoderOptions are in the words of the first, and another encoder leaves them behind."
    ) { $1.encoders = $0.items.map(\.text) },
    .init("bitrate", .bitRate, initial: "\"8M\"", "Bits a second, whatever unit the encoder has; 1k to below 10G.") {
      (value, preset) throws(ConfigurationError) in
      preset.bitRate = try value.bitRate()
      preset.quality = nil
    },
    .init(
      "quality", .quality,
      "Instead of a bit rate: the same picture quality throughout, 0 for the smallest file to 100 for the best picture."
    ) { $1.quality = $0.number.map { Int($0) } },
    .init(
      "lossless", .boolean, initial: "false",
      "Instead of a bit rate: every sample that reaches the encoder comes back; large files."
    ) { $1.lossless = $0.flag },
    .init(
      "keyFrameInterval", .time, initial: "\"2s\"",
      "The longest time between key frames; no longer than a frame makes every frame one."
    ) { (value, preset) throws(ConfigurationError) in
      preset.keyFrameInterval = try value.parsed(Duration.init(parsing:))
    },
    .init(
      "bFrames", .bFrames, initial: "0",
      "Frames in a row that are coded from those before and after them: smaller files, and each frame waits for the next."
    ) { $1.bFrames = $0.number.map { Int($0) } ?? 0 },
    .init("lowLatency", .boolean, initial: "false", "Whether no frame may wait in the encoder for later ones.") {
      $1.lowLatency = $0.flag
    },
    .init(
      "threads", .threads, initial: "\"auto\"", "How many threads the encoder works with; auto leaves that to it."
    ) { $1.threads = $0.number.map { Int($0) } },
    .init(
      "speed", .speed, initial: "\"auto\"",
      "How much work the encoder puts into a frame, in its own words; auto takes what this machine holds."
    ) { $1.speed = $0.text == "auto" ? nil : $0.text },
    .init(
      "profile", .profile, "The codec's profile, as \"main\"; left out, the one that the encoder's file names."
    ) { $1.profile = $0.text },
    .init(
      "elementPreset", .argument,
      "A preset of GStreamer's for the encoder's element (.prs), by its name in `capstan encoders --presets`; what this file "
        + "or one that extends it says goes before it."
    ) { $1.elementPreset = ElementPresetWish($0.text) },
    .init(
      "encoderOptions", .map(of: .property),
      "Properties of the encoder's element by their own names, set last; gst-inspect-1.0 lists them."
    ) { for (name, value) in $0.members { $1.encoderOptions[name] = value.propertyText } },
  ]

  private static let aboutTheRecording: [KeyTable<Preset>.Key] = [
    .init(
      "container", .texts(.name, item: "text"), initial: "\"mp4\"",
      "How the file is written, where its name does not say: mp4, mov, mkv, webm; of several, in order of preference, the "
        + "first that can hold the codec."
    ) { $1.containers = $0.items.map(\.text) },
    .init("proxy", .object(ProxyWish.table.shape), isOptional: true, "A second, smaller file of the same capture.") {
      (value, preset) throws(ConfigurationError) in
      var proxy = ProxyWish()
      try ProxyWish.table.read(value, into: &proxy)
      preset.proxy = proxy
    },
    .init(
      "recoveryPoint", .time, initial: "\"1s\"",
      "What a crash may take of the end at most, a power cut included: 200ms to 1min."
    ) { (value, preset) throws(ConfigurationError) in
      preset.recoveryPoint = try value.parsed(Duration.init(parsing:))
    },
    .init("limits", .object(RecordingLimits.table.shape), "When a recording ends by itself, whichever comes first.") {
      (value, preset) throws(ConfigurationError) in
      try RecordingLimits.table.read(value, into: &preset.limits)
    },
    .init(
      "controls", .map(of: .control),
      "The camera's controls while it is recorded, by the names of `capstan controls`; put back afterwards."
    ) { for (name, value) in $0.members { $1.controls[name] = ControlValue(value) } },
    .init(
      "exposureLock", .boolean, initial: "true",
      "Whether auto exposure is kept from lowering a rate that was asked for."
    ) { $1.exposureLock = $0.flag },
    .init(
      "report", .boolean, initial: "false",
      "Whether a report is written beside the recording, as NAME.report.json: what was asked, declared and measured."
    ) { $1.report = $0.flag },
    .init(
      "onUnplug", .words(UnplugPolicy.allCases.map(\.rawValue)), initial: "\"stop\"",
      "What happens when the camera goes: stop ends the recording, wait goes on in it once the same camera is back."
    ) { (value, preset) throws(ConfigurationError) in
      preset.onUnplug = try value.parsed(UnplugPolicy.init(rawValue:))
    },
    .init(
      "timeouts", .object(RecordingTimeouts.table.shape), "How long a camera may be silent before it counts as gone."
    ) { (value, preset) throws(ConfigurationError) in
      try RecordingTimeouts.table.read(value, into: &preset.timeouts)
    },
    .init("hooks", .object(RecordingHooks.table.shape), "Programs that are run when something has happened.") {
      (value, preset) throws(ConfigurationError) in
      try RecordingHooks.table.read(value, into: &preset.hooks)
    },
  ]
}

extension ControlValue {
  init(_ value: CheckedValue) {
    if case .bool(let flag) = value.value.content { self = .boolean(flag) } else { self.init(parsing: value.text) }
  }
}
