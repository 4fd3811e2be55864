/// What a machine does that does not keep up, and what would fit: a rate or a size that people record in.

import MediaFormats

struct MachineCapacity: Sendable, Hashable {
  /// Frames a second.
  let asked: Double
  let done: Double
  let dimensions: VideoDimensions
  /// With its speed, as `x264enc at ultrafast`.
  let encoder: String

  /// Of what the machine did: nobody records at the very edge.
  private static let share = 0.9
  private static let rates = [120.0, 100, 60, 50, 30, 25, 24, 15, 10, 5]
  private static let heights = [2160, 1440, 1080, 720, 540, 480, 360, 240, 180, 120]

  var fittingRate: Double? { MachineCapacity.rates.first { $0 < asked - 0.1 && $0 <= done * MachineCapacity.share } }

  /// The largest of the usual heights, in the same shape.
  var fittingSize: VideoDimensions? {
    let pixels = Double(dimensions.pixels) * done * MachineCapacity.share / max(asked, 1e-3)
    return MachineCapacity.heights.lazy.map { height in
      let width = Double(dimensions.width) * Double(height) / Double(dimensions.height)
      return VideoDimensions(width: Int((width / 2).rounded()) * 2, height: height)
    }.first { $0.height < dimensions.height && Double($0.pixels) <= pixels }
  }

  /// `This machine encodes about 41 of 60 frames a second with x264enc at ultrafast: while that lasts, frames are left
  /// out evenly and counted as lost; 30 fps or 960x540 would fit.`
  var sentence: String {
    let figures = "about \(Int(done)) of \(Int(asked.rounded())) frames a second with \(encoder)"
    let offers = [fittingRate.map { "\(Int($0)) fps" }, fittingSize.map { "\($0)" }].compactMap { $0 }
    let advice = offers.isEmpty ? "a smaller size would help" : "\(offers.joined(separator: " or ")) would fit"
    return "This machine encodes \(figures): while that lasts, \(loss) and counted as lost; \(advice)."
  }

  /// By how much: one of so many frames is what the machine can take.
  private var loss: String {
    let interval = Int((asked / max(done, asked / 100)).rounded(.up))
    return interval > 2
      ? "about \(interval - 1) of \(interval) frames are left out evenly"
      : "up to every second frame is left out evenly"
  }
}
