/// The clock that the track of an MP4 or QuickTime file counts by (`mdhd`, ISO/IEC 14496-12 8.4.2).

import MediaFormats

/// mp4mux and qtmux 1.22 write every duration with 32 bits, and count 59.94 frames a second in 60,000ths of a second: after
/// 19.9 hours such a duration begins again at zero. A coarser clock is still finer than cameras' times are.
enum TrackClock {
  /// Seconds that fit: a day and a half.
  static let span = 36 * 3600

  /// Units a second for a rate; `nil` where those that the muxer takes by itself do.
  static func unitsPerSecond(at rate: Fraction) -> Int? {
    let own = muxersOwn(at: rate)
    var units = own
    while units > Int(UInt32.max) / span { units /= 2 }
    return units == own ? nil : units
  }

  /// `atom_framerate_to_timescale`: the numerator of NTSC's rates over 1001, else a hundred for each frame.
  private static func muxersOwn(at rate: Fraction) -> Int {
    let frames = Int(rate.value.rounded())
    if frames > 0, rate.isSameRate(as: Fraction(frames * 1000, 1001)) { return frames * 1000 }
    return Int((rate.value * 100).rounded())
  }
}
