/// Chooses the speed of an encoder where nobody did: the slowest, so the best picture, that leaves headroom.

import MediaFormats

/// What the choice of a speed went by.
public enum SpeedBasis: Sendable, Hashable {
  /// The user asked for it.
  case asked
  /// The figures in the encoder's file.
  case file
  /// A trial on this machine: frames a second at this speed.
  case measured(Double)

  /// For programs.
  public var word: String {
    switch self {
    case .asked: "asked"
    case .file: "file"
    case .measured: "measured"
    }
  }

  /// What a trial made; `nil` where there was none.
  public var framesPerSecond: Double? {
    if case .measured(let rate) = self { rate } else { nil }
  }
}

struct SpeedChooser: Sendable {
  let profile: EncoderProfile
  /// What trials of this encoder found at this size, by speed.
  let measured: [String: EncoderFinding]
  let mode: CaptureMode
  let cores: Int

  /// Of the whole machine, for decoding and encoding. The rest is for everything else, and for the governor: where it is
  /// taken away for a while, there is time to step down before anything is lost.
  static let share = 0.8
  /// By itself the encoder is to be this much faster than the camera.
  static let margin = 1.25

  private var rate: Fraction { mode.frameRate ?? Fraction(60) }

  func choice() -> (speed: String?, basis: SpeedBasis?) {
    guard !profile.speeds.isEmpty else { return (nil, nil) }
    if let proven { return proven }
    return (profile.speed(for: mode.dimensions, at: rate, cores: cores), .file)
  }

  /// The slowest that holds; where none of those does, the next faster one, of which nothing is known, or the fastest.
  private var proven: (speed: String?, basis: SpeedBasis?)? {
    let known = profile.speeds.filter { figures($0) != nil }
    guard let fastest = known.first else { return nil }
    if let slowest = known.last(where: holds) { return (slowest.value, basis(slowest)) }
    let place = profile.speeds.firstIndex(of: fastest) ?? 0
    return place == 0 ? (fastest.value, basis(fastest)) : (profile.speeds[place - 1].value, .file)
  }

  private func basis(_ speed: EncoderProfile.Speed) -> SpeedBasis {
    figures(speed).map { .measured($0.framesPerSecond) } ?? .file
  }

  private func holds(_ speed: EncoderProfile.Speed) -> Bool {
    guard let figures = figures(speed) else { return false }
    let megapixels = Double(mode.dimensions.pixels) * rate.value / 1e6
    let decoding = CodingCost.decodedMegapixelsPerCore(mode.format.payload).map { megapixels / $0 } ?? 0
    return decoding + figures.coreSeconds * rate.value <= Double(cores) * SpeedChooser.share
      && figures.framesPerSecond >= rate.value * SpeedChooser.margin
  }

  private func figures(_ speed: EncoderProfile.Speed) -> (framesPerSecond: Double, coreSeconds: Double)? {
    guard let finding = measured[speed.value], !finding.isDisturbed, finding.failure == nil,
      let framesPerSecond = finding.framesPerSecond, let coreSeconds = finding.coreSecondsPerFrame
    else { return nil }
    return (framesPerSecond, coreSeconds)
  }
}
