/// What an encoder is set to for a preset: the vocabulary in the element's own words.

import MediaFormats

extension EncoderProfile {
  /// - Parameters:
  ///   - keyFrameDistance: in frames.
  ///   - pins: what holds the stream's headers equal where the speed may change.
  func properties(
    for preset: Preset, speed: String?, keyFrameDistance: Int, pins: [String: String] = [:]
  ) -> [PipelineDescription.Property] {
    var settings = ElementSettings(lists: optionLists)
    settings.set(properties)
    settings.set(pins)
    if let speedProperty, let speed { settings.set(speedProperty, .string(speed)) }
    tellRate(preset, &settings)
    keyFrameInterval?.tell(min(keyFrameDistance, keyFrameInterval?.range.upperBound ?? .max), &settings)
    // Without them an encoder is as its file's properties make it.
    if preset.bFrames > 0 { bFrames?.tell(preset.bFrames, &settings) }
    if let count = preset.threads { threads?.tell(count, &settings) }
    if preset.lowLatency, let lowLatency { settings.set(lowLatency.properties) }
    settings.set(preset.encoderOptions)
    return settings.properties
  }

  private func tellRate(_ preset: Preset, _ settings: inout ElementSettings) {
    if preset.lossless, let lossless {
      settings.set(lossless.properties)
    } else if let asked = preset.quality, let quality {
      settings.set(quality.others)
      for property in quality.properties { settings.set(property, .int(quality.quantizer(asked))) }
    } else if let bitRate, isRaw(bitRate, in: preset) {
      settings.set(bitRate.others)
    } else {
      bitRate?.tell(preset.bitRate.bitsPerSecond, &settings)
    }
  }

  /// The profile that the stream is held to, as caps; `nil` for what the encoder makes of itself.
  func outputCaps(for preset: Preset) -> String? {
    if let profile = preset.profile ?? (preset.lossless ? lossless?.profile : nil) {
      return "\(mediaType), profile=(string)\(profile)"
    }
    return preset.color.isPlayableEverywhere && !preset.lossless ? output : nil
  }

  private var mediaType: String { codec == "mjpeg" ? "image/jpeg" : "video/x-\(codec)" }

  /// True where the stream is to have the preset's bit rate; a raw option is the user's own matter.
  func holdsBitRate(of preset: Preset) -> Bool {
    guard let bitRate else { return false }
    return !preset.lossless && preset.quality == nil && !isRaw(bitRate, in: preset)
  }

  private func isRaw(_ amount: Amount, in preset: Preset) -> Bool {
    amount.properties.contains { preset.encoderOptions[$0] != nil }
  }

  /// In frames: as a raw option says, as planned, or each where no frame needs another.
  func keyFrameDistance(of preset: Preset, planned: Int) -> Int {
    guard let keyFrameInterval else { return 1 }
    let raw = keyFrameInterval.properties.lazy.compactMap { preset.encoderOptions[$0].flatMap { Int($0) } }.first
    return raw ?? min(planned, keyFrameInterval.range.upperBound)
  }

  /// Properties on which the stream's headers depend, without those of the speed ladder.
  var headerProperties: Set<String> {
    let words = [
      bFrames?.told, quality?.told, lossless?.properties.keys.map { $0 }, lowLatency?.properties.keys.map { $0 },
    ]
    let names = words.flatMap { $0 ?? [] } + properties.keys + [speedProperty].compactMap { $0 }
    return Set(names.map { EncoderProfile.parts(of: $0).property })
  }
}

extension EncoderProfile.Amount {
  fileprivate func tell(_ asked: Int, _ settings: inout ElementSettings) {
    settings.set(others)
    for property in properties { settings.set(property, .int(value(for: asked))) }
  }

  fileprivate var told: [String] { properties + others.keys }
}

extension EncoderProfile.Quality {
  fileprivate var told: [String] { properties + others.keys }
}
