/// The vocabulary that all encoders share, and what is said where one of them has not got a word of it.

public enum EncoderWord: String, Sendable, Hashable, CaseIterable {
  // Raw values are the keys of presets.
  case bitRate = "bitrate"
  case quality, bFrames, threads, lossless, lowLatency
}

extension EncoderProfile {
  func has(_ word: EncoderWord) -> Bool {
    switch word {
    case .bitRate: bitRate != nil
    case .quality: quality != nil
    case .bFrames: bFrames != nil
    case .threads: threads != nil
    case .lossless: lossless != nil
    case .lowLatency: lowLatency != nil
    }
  }

  /// Of the three that say how large or how good the stream shall be, one has to be there.
  fileprivate func wordsInstead(of word: EncoderWord) -> [EncoderWord] {
    let aims: [EncoderWord] = [.bitRate, .quality, .lossless]
    return aims.contains(word) ? aims.filter { has($0) } : []
  }

  fileprivate func amount(of word: EncoderWord) -> Amount? {
    switch word {
    case .bitRate: bitRate
    case .bFrames: bFrames
    case .threads: threads
    case .quality, .lossless, .lowLatency: nil
    }
  }
}

extension Preset {
  /// The bit rate of what is written; `nil` where the pictures decide it, or the camera.
  public var heldBitRate: BitRate? {
    quality == nil && !lossless && encoders.first != EncoderProfile.copyName ? bitRate : nil
  }

  /// The words that an encoder has to have, each with its number where it has one.
  private var encoderWords: [(word: EncoderWord, amount: Int?)] {
    var words: [(EncoderWord, Int?)] = []
    if lossless { words.append((.lossless, nil)) }
    if let quality { words.append((.quality, quality)) }
    if !lossless, quality == nil { words.append((.bitRate, bitRate.bitsPerSecond)) }
    if bFrames > 0 { words.append((.bFrames, bFrames)) }
    if let threads { words.append((.threads, threads)) }
    if lowLatency { words.append((.lowLatency, nil)) }
    return words
  }

  /// With a good quality or no loss in place of the bit rate, where the encoder holds none.
  func aimed(at encoder: EncoderProfile) -> Preset {
    var preset = self
    guard quality == nil, !lossless, encoder.bitRate == nil else { return self }
    if encoder.quality == nil { preset.lossless = true } else { preset.quality = 75 }
    return preset
  }

  /// Whether an encoder understands everything that the preset tells it.
  /// - Parameter others: encoders that might be taken instead.
  func checkWords(against encoder: EncoderProfile, others: [EncoderProfile]) throws(PlanningError) {
    if lossless, quality != nil { throw .contradiction(.quality, .lossless) }
    if lowLatency, bFrames > 0 { throw .contradiction(.bFrames, .lowLatency) }
    for (word, amount) in encoderWords {
      guard encoder.has(word) else {
        let able = others.filter { $0.has(word) }.map(\.element)
        throw .noWord(word, encoder: encoder.element, instead: encoder.wordsInstead(of: word), able: able)
      }
      guard let amount, let range = encoder.amount(of: word)?.range, !range.contains(amount) else { continue }
      throw .outOfRange(word, amount, encoder: encoder.element, range: range)
    }
  }
}

extension EncoderWord {
  /// Why an encoder without the word is refused, and what to do.
  func refusal(by encoder: String, instead: [EncoderWord], able: [String]) -> String {
    let reason =
      switch self {
      case .bitRate: "\(encoder) holds no bit rate"
      case .quality: "\(encoder) has no constant quality"
      case .bFrames: "\(encoder) makes no B-frames"
      case .threads: "\(encoder) chooses its threads itself"
      case .lossless: "\(encoder) cannot code without loss"
      case .lowLatency: "in \(encoder) frames always wait"
      }
    let others = instead.map(\.rawValue).joined(separator: " or ")
    return "\(reason); \(instead.isEmpty ? "leave \(rawValue) out" : "say \(others)")"
      + (able.isEmpty ? "" : ", or take \(able.joined(separator: " or "))")
  }

  /// An amount with its unit.
  func words(for amount: Int) -> String {
    switch self {
    case .bitRate: "\(BitRate(bitsPerSecond: amount))"
    case .bFrames: "\(amount) B-frames"
    case .threads: "\(amount) threads"
    case .quality, .lossless, .lowLatency: "\(amount)"
    }
  }
}
