/// Tables and requests that no camera has, from a fixed seed.

import MediaFormats

/// Steele, Lea and Flood's generator: small, and the same on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &self)! }
}

struct RandomTables {
  var random: SplitMix64

  private static let codes = [
    "YUYV", "NV12", "YU12", "MJPG", "JPEG", "H264", "HEVC", "GREY", "Y16 ", "RGB3", "BGR3", "RGBP", "P010", "RG10",
    "BA81", "Z16 ", "VP80", "dvsd", "MPG4", "YV12",
  ]
  private static let sizes = [
    (640, 480), (1280, 720), (1920, 1080), (3840, 2160), (1366, 768), (160, 120), (1, 1), (641, 481), (65_535, 2),
  ]
  private static let rates = [
    Fraction(60), Fraction(30), Fraction(7013, 117), Fraction(2997, 100), Fraction(15, 2), Fraction(1, 3), Fraction(5),
    Fraction(60000, 1001), Fraction(120), Fraction(1_000_000), Fraction(2_147_483_647),
  ]

  mutating func table() -> [DeviceFormat] {
    CameraTable.numbered((0..<Int.random(in: 0...8, using: &random)).map { _ in row() })
  }

  mutating func request() -> FormatRequest {
    let size = random.pick(RandomTables.sizes)
    return FormatRequest(
      dimensions: random.chance(80) ? VideoDimensions(width: size.0, height: size.1) : nil,
      frameRate: random.chance(80) ? random.pick(RandomTables.rates) : nil,
      range: random.pick([nil, .full, .limited]),
      payload: random.chance(70)
        ? .automatic : random.pick([.raw, .jpeg, .h264, .code(FourCC(random.pick(RandomTables.codes)))]),
      fallback: random.pick(FallbackStrategy.allCases))
  }

  private mutating func row() -> DeviceFormat {
    let code = FourCC(random.pick(RandomTables.codes))
    return DeviceFormat(
      payload: Payload(fourCC: code) ?? .unsupported(code), fourCC: code, dimensions: dimensions(),
      frameRates: frameRates(), colorimetry: colorimetry(), isInterlaced: random.chance(10),
      isEmulated: random.chance(15), node: random.chance(50) ? random.pick(["/dev/video0", "/dev/v4l/a, b"]) : nil,
      traits: traits())
  }

  private mutating func dimensions() -> DimensionsRange {
    let size = random.pick(RandomTables.sizes)
    guard random.chance(30) else { return DimensionsRange(VideoDimensions(width: size.0, height: size.1)) }
    return DimensionsRange(width: lengths(), height: lengths())
  }

  private mutating func lengths() -> SteppedRange {
    let low = Int.random(in: 1...3000, using: &random)
    let high = random.chance(5) ? 2_147_483_647 : low + Int.random(in: 0...5000, using: &random)
    return SteppedRange(min: low, max: high, step: Int.random(in: 1...70, using: &random))
  }

  private mutating func frameRates() -> [FrameRateRange] {
    var seen = Set<FrameRateRange>()
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let (first, second) = (random.pick(RandomTables.rates), random.pick(RandomTables.rates))
      return random.chance(70)
        ? FrameRateRange(first) : FrameRateRange(min: min(first, second), max: max(first, second))
    }.filter { seen.insert($0).inserted }
  }

  private mutating func colorimetry() -> Colorimetry {
    Colorimetry(
      range: random.pick([nil, .full, .limited]), matrix: random.pick([nil, .bt601, .bt709]),
      transfer: random.pick([nil, .bt709, .srgb]), primaries: random.pick([nil, .bt709, .smpte170m]))
  }

  private mutating func traits() -> FormatTraits {
    guard random.chance(50) else { return .unknown }
    return FormatTraits(
      fieldOfView: random.chance(50) ? Double.random(in: 1...359, using: &random) : nil,
      isBinned: random.pick([nil, true, false]), supportsStabilization: random.pick([nil, true, false]),
      maximumZoom: random.chance(50) ? Double.random(in: 1...200, using: &random) : nil,
      upscalingZoom: random.chance(50) ? Double.random(in: 1...9, using: &random) : nil,
      crop: random.chance(30) ? CropRectangle(left: 0, top: 8, width: 1280, height: 960) : nil,
      presentationDimensions: random.chance(20) ? VideoDimensions(width: 640, height: 480) : nil)
  }
}
