/// Which speed an encoder is given, and between which a recording may change.

import MediaFormats

extension EncoderProfile {
  /// The speeds that a recording at this one can change between, the fastest first and this one last; empty where there
  /// is no other.
  func ladder(upTo slowest: String?) -> [Speed] {
    guard let place = speeds.firstIndex(where: { $0.value == slowest && $0.pins != nil }) else { return [] }
    let ladder = speeds[...place].filter { $0.pins != nil }
    return ladder.count > 1 ? ladder : []
  }

  /// Only a speed that nobody chose may change, and only where nothing else is set that the headers depend on. With
  /// B-frames it stays, as the decoding times of one encoder reach back before the last ones of the other; without loss
  /// it stays, as the file says which speed holds.
  func ladder(for preset: Preset, slowest: String?) -> [Speed] {
    let ladder = ladder(upTo: slowest)
    let pins = ladder.flatMap { ($0.pins ?? [:]).keys.map { EncoderProfile.parts(of: $0).property } }
    let raw = preset.encoderOptions.keys.map { EncoderProfile.parts(of: $0).property }
    let isPlain =
      preset.speed == nil && preset.quality == nil && preset.profile == nil && preset.bFrames == 0 && !preset.lossless
    return isPlain && headerProperties.union(pins).isDisjoint(with: raw) ? ladder : []
  }

  /// Headroom that a live encoder needs over the figures of ordinary pictures: noisy ones cost about twice as much.
  static let headroom = 2.5

  /// The slowest speed, so the best picture, that this many cores hold with headroom; the fastest if none does.
  func speed(for dimensions: VideoDimensions, at rate: Fraction, cores: Int) -> String? {
    let needed = Double(dimensions.pixels) * rate.value / 1e6 / Double(max(1, cores)) * EncoderProfile.headroom
    return (speeds.last { $0.megapixelsPerCore >= needed } ?? speeds.first)?.value
  }
}
