/// What a mode costs: the bus, the disk, the processor. Figures to compare modes by before one is chosen.

public import MediaFormats

/// How much of a processor core one step takes.
public enum CostClass: String, Sendable, Hashable, Encodable {
  /// Nothing is to be done.
  case none
  /// Below a quarter of a core.
  case light
  /// Below a whole core.
  case medium
  /// A core or more.
  case heavy

  /// - Parameter cores: the load; zero for a step that is not there.
  public init(cores: Double) {
    switch cores {
    case ...0: self = .none
    case ..<0.25: self = .light
    case ..<1: self = .medium
    default: self = .heavy
    }
  }
}

public struct ModeCost: Sendable, Hashable {
  /// What the camera sends, in bits a second; `nil` where the rate is unknown.
  public var busBitsPerSecond: Double?
  /// Coded pictures have the size that their content needs: their figure is an estimate.
  public var isBusEstimated: Bool
  /// What is written, in bits a second: the preset's bit rate; `nil` where a quality holds, or nothing is lost.
  public var storageBitsPerSecond: Double?
  public var decode: CostClass
  public var encode: CostClass
  /// How long the disk lasts at the storage rate; `nil` where its free space is not known.
  public var diskTime: Duration?

  /// - Parameters:
  ///   - bitRate: `nil` where the pictures decide.
  ///   - encoder: `nil` where the camera's own stream is written.
  ///   - freeBytes: what the disk has left, where it is known.
  public init(
    of mode: CaptureMode, bitRate: BitRate?, encoder: EncoderProfile?, cores: Int, freeBytes: Int64? = nil
  ) {
    let pixelRate = mode.frameRate.map { Double(mode.dimensions.pixels) * $0.value }
    let bits = CodingCost.bitsPerPixel(mode.format.payload)
    busBitsPerSecond = pixelRate.map { $0 * bits.value }
    isBusEstimated = bits.isEstimate
    storageBitsPerSecond = bitRate.map { Double($0.bitsPerSecond) }
    // A rate that nobody knows is taken for the usual one: classes are coarse.
    let megapixels = (pixelRate ?? Double(mode.dimensions.pixels) * 30) / 1e6
    decode = CostClass(cores: CodingCost.decodedMegapixelsPerCore(mode.format.payload).map { megapixels / $0 } ?? 0)
    encode = CostClass(cores: encoder.map { $0.cores(for: mode, megapixels: megapixels, of: cores) } ?? 0)
    diskTime = freeBytes.flatMap { free in
      storageBitsPerSecond.flatMap { ModeCost.diskTime(freeBytes: free, bitsPerSecond: $0) }
    }
  }

  /// How long so many free bytes last; `nil` where nothing is written. Ends at a hundred years.
  public static func diskTime(freeBytes: Int64, bitsPerSecond: Double) -> Duration? {
    guard bitsPerSecond > 0 else { return nil }
    return .seconds(min(max(0, Double(freeBytes) * 8 / bitsPerSecond), 100 * 365 * 86_400).rounded(.down))
  }
}

/// The two tables behind the figures.
enum CodingCost {
  /// Bits that a pixel takes on the bus.
  ///
  /// | payload | bits a pixel | |
  /// |---|---|---|
  /// | raw | as the layout has it: 12 for NV12, 16 for YUYV | exact |
  /// | JPEG | 2 | estimate: webcams compress YUYV to about an eighth |
  /// | MPEG-4, MPEG-2 | 0.2 | estimate |
  /// | DV | 2.4 | estimate |
  /// | H.264, VP8 | 0.1 | estimate: 5.5 Mbit/s at 720p60 |
  /// | H.265, VP9 | 0.06 | estimate |
  /// | Bayer | 8 | exact |
  /// | anything else | 16 | estimate: most are of two bytes |
  static func bitsPerPixel(_ payload: Payload) -> (value: Double, isEstimate: Bool) {
    switch payload {
    case .raw(let format): (Double(format.bitsPerPixel), false)
    case .bayer: (8, false)
    case .jpeg: (2, true)
    case .mpeg4, .mpeg2: (0.2, true)
    case .dv: (2.4, true)
    case .h264, .vp8: (0.1, true)
    case .h265, .vp9: (0.06, true)
    case .unsupported: (16, true)
    }
  }

  /// Millions of pixels that one core decodes a second; `nil` for what needs no decoding. jpegdec is measured (600
  /// frames of 720p in 2.1 s, the capture included); the others are the order of magnitude of libavcodec's decoders.
  static func decodedMegapixelsPerCore(_ payload: Payload) -> Double? {
    switch payload {
    case .raw, .bayer, .unsupported: nil
    case .jpeg: 263
    case .mpeg4, .mpeg2: 300
    case .dv, .h264, .vp8: 200
    case .h265, .vp9: 120
    }
  }
}

extension EncoderProfile {
  /// Cores that encoding takes at the speed that would be chosen.
  fileprivate func cores(for mode: CaptureMode, megapixels: Double, of cores: Int) -> Double {
    let chosen = speed(for: mode.dimensions, at: mode.frameRate ?? Fraction(30), cores: cores)
    // An encoder without a ladder is taken for one like x264 at a fast speed.
    let able = speeds.first { $0.value == chosen }?.megapixelsPerCore ?? speeds.first?.megapixelsPerCore ?? 60
    return megapixels / max(able, 1e-3)
  }
}
