/// What the command line says of the encoder: which one, and the words that all of them share.

import Capstan
import GStreamer

struct EncoderReader {
  let options: ParsedOptions
  let library: ProfileLibrary

  /// - Returns: what the encoder that was typed is not told.
  func read(into preset: inout Preset) throws -> [String] {
    let notes = try readChoice(into: &preset)
    try readAim(into: &preset)
    if let count = try number("bframes", in: 0...16) { preset.bFrames = count }
    if let count = try options.value("threads", "auto or a whole number from 1 to 256", EncoderReader.threads) {
      preset.threads = count == 0 ? nil : count
    }
    if options.flag("low-latency") { preset.lowLatency = true }
    if let text = options.string("encoder-opts") {
      preset.encoderOptions.merge(try EncoderOptions.parse(text)) { _, typed in typed }
    }
    return notes
  }

  // MARK: Words

  /// A bit rate, a quality or no loss: what is typed takes the place of what the preset says.
  private func readAim(into preset: inout Preset) throws(UsageError) {
    let rate = try options.value("bitrate", "bits a second such as 8M or 800k", BitRate.init(parsing:))
    let quality = try number("quality", in: 0...100)
    let given = ["bitrate", "quality", "lossless"].filter { options.has($0) }
    if given.count > 1 {
      throw UsageError("--\(given[0]) and --\(given[1]) exclude one another; give one of them.")
    }
    if given.isEmpty { return }
    preset.bitRate = rate ?? preset.bitRate
    (preset.quality, preset.lossless) = (quality, options.flag("lossless"))
  }

  private func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    try options.value(option, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// 0 for `auto`.
  private static func threads(_ text: String) -> Int? {
    text == "auto" ? 0 : Int(text).flatMap { (1...256).contains($0) ? $0 : nil }
  }

  // MARK: Choice

  private func readChoice(into preset: inout Preset) throws -> [String] {
    let profiles = try library.encoders()
    guard let chosen = try chosenEncoders(profiles, preset) else { return [] }
    defer { preset.encoders = chosen }
    guard let other = chosen.first, let first = preset.encoders.first, other != first else { return [] }
    let left =
      (preset.elementPreset.map { ["element preset \"\($0.name)\""] } ?? [])
      + (preset.profile.map { ["profile=\($0)"] } ?? []) + preset.encoderOptions.map { "\($0)=\($1)" }.sorted()
    // Speeds and options are in one encoder's words: another would refuse them.
    preset.forgetEncoderWords()
    guard !left.isEmpty else { return [] }
    return ["what the preset \(preset.name) tells \(first) is not told \(other): \(left.joined(separator: " "))"]
  }

  private func chosenEncoders(_ profiles: [EncoderProfile], _ preset: Preset) throws(UsageError) -> [String]? {
    let codec = try codec(profiles)
    guard let name = options.string("encoder") else {
      return codec.map { EncoderReader.encoders(of: $0, profiles, preset) }
    }
    if name == EncoderProfile.copyName, codec == nil { return [name] }
    guard let profile = profiles.first(where: { $0.element == name }) else {
      throw UsageError(
        unknown: "encoder", name.isEmpty ? "''" : name, known: profiles.map(\.element) + [EncoderProfile.copyName])
    }
    if let codec, codec != profile.codec {
      throw UsageError("--encoder \(name) makes \(profile.codec), --codec says \(codec); give one of them.")
    }
    return [name]
  }

  private func codec(_ profiles: [EncoderProfile]) throws(UsageError) -> String? {
    let known = Set(profiles.map(\.codec)).sorted()
    return try options.value("codec", known.joined(separator: " or ")) { text in
      let plain = text.lowercased().filter { $0 != "." }
      let codec = ["avc": "h264", "hevc": "h265"][plain] ?? plain
      return known.contains(codec) ? codec : nil
    }
  }

  /// Those of the preset first, those that need certain hardware last.
  private static func encoders(of codec: String, _ profiles: [EncoderProfile], _ preset: Preset) -> [String] {
    let able = profiles.filter { $0.codec == codec }
    let own = preset.encoders.filter { name in able.contains { $0.element == name } }
    let others = able.filter { !own.contains($0.element) }
    return own + (others.filter { !$0.isHardware } + others.filter(\.isHardware)).map(\.element)
  }
}
