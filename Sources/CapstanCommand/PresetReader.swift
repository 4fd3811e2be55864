/// The preset that was named, with everything that the command line says over it.

import Capstan
import Foundation
import GStreamer

struct PresetReader {
  let options: ParsedOptions
  let library: ProfileLibrary

  /// - Returns: the preset, and what of it gave way to something typed.
  func preset() throws -> (preset: Preset, notes: [String]) {
    var preset = try library.preset(try name())
    // What is typed is wished in every case.
    for place in preset.wishes.indices {
      try readSize(into: &preset.wishes[place])
      try readPicture(into: &preset.wishes[place])
    }
    try readColor(into: &preset.color)
    if let scale = try options.value("scale", "a size such as 640x360", { VideoDimensions(parsing: $0) }) {
      preset.scale = scale
    }
    let notes = try EncoderReader(options: options, library: library).read(into: &preset)
    if let name = options.string("element-preset") { preset.elementPreset = ElementPresetWish(name) }
    if let name = options.string("encoding-target") { preset.encodingTarget = EncodingTargetWish(name) }
    let typed = try typedKeys()
    preset.elementPreset?.saidKeys.formUnion(typed)
    preset.encodingTarget?.saidKeys.formUnion(typed)
    for text in options.strings("control") {
      let (name, value) = try ControlWords.pair(text)
      preset.controls[name] = value
    }
    if options.flag("no-exposure-lock") { preset.exposureLock = false }
    try readFaults(into: &preset)
    if let point = try options.value("rpo", "a time from 200ms to 1min", PresetReader.recoveryPoint) {
      preset.recoveryPoint = point
    }
    return (try preset.readingEncodingTarget(library: library), notes)
  }

  private static func recoveryPoint(_ text: String) -> Duration? {
    Duration(parsing: text).flatMap { RecoveryPlan.range.contains($0) ? $0 : nil }
  }

  /// A name that is nobody's is a slip of the fingers; a file that is wrong is not.
  private func name() throws(UsageError) -> String {
    guard let name = options.string("preset") else { return ProfileLibrary.defaultPreset }
    guard ProfileLibrary.isPath(name) || library.presetNames.contains(name) else {
      throw UsageError(unknown: "preset", name.isEmpty ? "''" : name, known: library.presetNames)
    }
    return name
  }

  private func readFaults(into preset: inout Preset) throws(UsageError) {
    if let policy = try options.value("on-unplug", "wait or stop", UnplugPolicy.init(rawValue:)) {
      preset.onUnplug = policy
    }
    let wanted = "a time such as 10s, or 0 for as long as it takes"
    if let time = try options.value("first-frame-timeout", wanted, Duration.init(parsing:)) {
      preset.timeouts.firstFrame = time.unlessZero
    }
    if let time = try options.value("stall-timeout", wanted, Duration.init(parsing:)) {
      preset.timeouts.stall = time.unlessZero
    }
  }

  // MARK: Size and rate

  private func readSize(into request: inout FormatRequest) throws(UsageError) {
    let choice = try sizeChoice()
    if let choice { request.dimensions = choice.dimensions }
    if let rate = choice?.frameRate { request.frameRate = rate }
    if let rate = try options.value("framerate", FrameRateChoice.allowed, FrameRateChoice.parse) {
      if let other = choice?.frameRate, !other.isSameRate(as: rate) {
        throw UsageError("Two rates were given, \(other.decimal) and \(rate.decimal) frames a second; give one.")
      }
      request.frameRate = rate
    }
  }

  /// From `--size`, from a short form that stands by itself, or from `--width` and `--height`.
  private func sizeChoice() throws(UsageError) -> SizeChoice? {
    var found: [SizeChoice] = []
    if let choice = try options.value("size", SizeChoice.allowed, SizeChoice.init(parsing:)) { found.append(choice) }
    for word in options.remaining { found.append(try shortForm(word)) }
    if options.has("width") || options.has("height") {
      guard let width = try side("width"), let height = try side("height") else {
        throw UsageError("--width and --height belong together; give both, or --size 1280x720.")
      }
      if let choice = SizeChoice(parsing: "\(width)x\(height)") { found.append(choice) }
    }
    guard found.count < 2 || found.allSatisfy({ $0 == found[0] }) else {
      let sizes = found.map { "\($0.dimensions)" }.joined(separator: " and ")
      throw UsageError("The size was given more than once, as \(sizes); give it once.")
    }
    return found.first
  }

  private func shortForm(_ word: String) throws(UsageError) -> SizeChoice {
    if let choice = SizeChoice(parsing: word) { return choice }
    throw UsageError("\(word) cannot stand by itself; a file is named with --output, a camera with --device.")
  }

  private func side(_ option: String) throws(UsageError) -> Int? {
    try options.value(option, "a whole number from 1 to 65535") {
      VideoDimensions(parsing: "\($0)x1")?.width
    }
  }

  // MARK: Picture

  private func readPicture(into request: inout FormatRequest) throws(UsageError) {
    if let range = try options.value("color-range", "full, limited or source", RangeChoice.init(parsing:)) {
      request.range = range.range
    }
    if let payload = try options.value("input-format", PresetReader.formats, PresetReader.payload) {
      request.payload = payload
    }
    let fallback = try options.value("fallback", FallbackStrategy.names) { FallbackStrategy(parsing: $0) }
    if options.flag("strict"), let fallback, fallback != .exact {
      throw UsageError("--strict and --fallback \(fallback.rawValue) contradict each other; give one of them.")
    }
    request.fallback = options.flag("strict") ? .exact : fallback ?? request.fallback
  }

  private func readColor(into color: inout ColorWish) throws(UsageError) {
    if let choice = try options.value("color-matrix", MatrixChoice.words, MatrixChoice.init(parsing:)) {
      color.matrix = choice.matrix
    }
    color.source =
      try options.value("source-color", ColorWish.sourceWords) { Colorimetry(ofCamera: $0) } ?? color.source
    color.chroma = try options.value("chroma", "4:2:0, 4:2:2 or 4:4:4") { .init(encoded: $0) } ?? color.chroma
    color.depth = try options.value("depth", "8 or 10", ColorWish.depth(parsing:)) ?? color.depth
  }

  private static let formats = "auto, raw, mjpeg, h264 or a code of up to four characters such as NV12"

  private static func payload(_ text: String) -> PayloadChoice? {
    let choice = PayloadChoice(parsing: text)
    guard case .code = choice else { return text.isEmpty ? nil : choice }
    return text.count <= 4 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") } ? choice : nil
  }

  /// Keys of presets that something typed stands for.
  private func typedKeys() throws(UsageError) -> Set<String> {
    let choice = try sizeChoice()
    var keys = Set(PresetReader.keysOfOptions.filter { options.has($0.key) }.map(\.value))
    if choice != nil { keys.insert("request.size") }
    if choice?.frameRate != nil { keys.insert("request.framerate") }
    return keys
  }

  private static let keysOfOptions = [
    "bitrate": "bitrate", "quality": "quality", "lossless": "lossless", "bframes": "bFrames", "threads": "threads",
    "low-latency": "lowLatency", "framerate": "request.framerate", "scale": "scale", "codec": "encoder",
    "encoder": "encoder", "element-preset": "elementPreset", "encoder-opts": "encoderOptions", "chroma": "chroma",
    "depth": "depth",
  ]
}
