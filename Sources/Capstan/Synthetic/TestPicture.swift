/// A picture whose every sample is known: a frame counter that a machine reads, bars of grey that reach both ends of
/// the range, and bars of pure colour.

/// - The top 32 rows are 32 cells of black or white: 24 bits of the frame's number, most significant first, then
///   8 check bits, the exclusive or of the number's three bytes and 0xA5.
/// - The upper half below is 8 bars of grey: 0, 16, 64, 128, 192, 235, 250, 255.
/// - The lower half is white, yellow, cyan, green, magenta, red, blue, black.
///
/// It is made from RGB by matrix and range, so that full range really reaches 0 and 255: the patterns of videotestsrc
/// are 16 to 235 under any label.
struct TestPicture: Sendable {
  static let stripRows = 32
  static let cells = 32
  static let greys: [Double] = [0, 16, 64, 128, 192, 235, 250, 255]

  struct Color: Sendable, Hashable {
    var red: Double
    var green: Double
    var blue: Double

    static func grey(_ level: Double) -> Color { Color(red: level, green: level, blue: level) }
  }

  static let colors = [
    Color.grey(255), Color(red: 255, green: 255, blue: 0), Color(red: 0, green: 255, blue: 255),
    Color(red: 0, green: 255, blue: 0), Color(red: 255, green: 0, blue: 255), Color(red: 255, green: 0, blue: 0),
    Color(red: 0, green: 0, blue: 255), Color.grey(0),
  ]

  /// Luma and chroma as 8-bit codes.
  struct Sample: Sendable, Hashable {
    var y: UInt8
    var cb: UInt8
    var cr: UInt8
  }

  let layout: PixelFormat
  let dimensions: VideoDimensions
  let colorimetry: Colorimetry
  private let black: Sample
  private let white: Sample
  /// The frame as it lies in memory, with the strip of the last number painted.
  private(set) var bytes: [UInt8]

  /// - Precondition: the layout is I420, NV12 or YUY2, and the width a multiple of 16.
  init(layout: PixelFormat, dimensions: VideoDimensions, colorimetry: Colorimetry) {
    precondition(["I420", "NV12", "YUY2"].contains(layout.name) && dimensions.width.isMultiple(of: 16))
    self.layout = layout
    self.dimensions = dimensions
    self.colorimetry = colorimetry
    black = TestPicture.sample(.grey(0), colorimetry)
    white = TestPicture.sample(.grey(255), colorimetry)
    bytes = [UInt8](repeating: 0, count: dimensions.pixels * layout.bitsPerPixel / 8)
    paintBars()
    paint(number: 0)
  }

  /// ITU-R BT.601 and BT.709: luma by the matrix' weights, chroma by the difference to it.
  static func sample(_ color: Color, _ colorimetry: Colorimetry) -> Sample {
    let (red, blue) = colorimetry.matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let y = red * color.red + (1 - red - blue) * color.green + blue * color.blue
    let cb = (color.blue - y) / (2 * (1 - blue))
    let cr = (color.red - y) / (2 * (1 - red))
    let isFull = colorimetry.range == .full
    let (base, scale, chroma) = isFull ? (0.0, 1.0, 1.0) : (16.0, 219.0 / 255, 224.0 / 255)
    func code(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
    return Sample(y: code(base + y * scale), cb: code(128 + cb * chroma), cr: code(128 + cr * chroma))
  }

  // MARK: Painting

  /// Writes a frame's number into the strip; only its low 24 bits count.
  mutating func paint(number: UInt64) {
    let low = UInt32(truncatingIfNeeded: number & 0xFF_FFFF)
    let check: UInt32 = [low >> 16, low >> 8, low, 0xA5].reduce(0, ^) & 0xFF
    let word = low << 8 | check
    let row = (0..<TestPicture.cells).map { cell -> Sample in
      let isWhite = (word >> UInt32(31 - cell)) & 1 == 1
      return isWhite ? white : black
    }
    paintRows(0..<TestPicture.stripRows, bars: row)
  }

  private mutating func paintBars() {
    let middle = (TestPicture.stripRows + dimensions.height) / 2 / 16 * 16
    paintRows(
      TestPicture.stripRows..<middle, bars: TestPicture.greys.map { TestPicture.sample(.grey($0), colorimetry) })
    paintRows(middle..<dimensions.height, bars: TestPicture.colors.map { TestPicture.sample($0, colorimetry) })
  }

  /// Makes each line of samples once and copies it: a strip is repainted sixty times a second.
  private mutating func paintRows(_ rows: Range<Int>, bars: [Sample]) {
    let width = dimensions.width
    let line = (0..<bars.count).flatMap { bar -> [Sample] in
      let (start, end) = (bar * width / bars.count, (bar + 1) * width / bars.count)
      return [Sample](repeating: bars[bar], count: end - start)
    }
    switch layout.name {
    case "YUY2":
      let packed = stride(from: 0, to: width, by: 2).flatMap { x -> [UInt8] in
        [line[x].y, line[x].cb, line[x + 1].y, line[x].cr]
      }
      for row in rows { copy(packed, to: row * width * 2) }
    case "NV12":
      copyLuma(line, rows)
      let chroma = stride(from: 0, to: width, by: 2).flatMap { x -> [UInt8] in [line[x].cb, line[x].cr] }
      for row in rows.lowerBound / 2..<rows.upperBound / 2 { copy(chroma, to: dimensions.pixels + row * width) }
    default:
      copyLuma(line, rows)
      let blue = stride(from: 0, to: width, by: 2).map { line[$0].cb }
      let red = stride(from: 0, to: width, by: 2).map { line[$0].cr }
      for row in rows.lowerBound / 2..<rows.upperBound / 2 {
        copy(blue, to: dimensions.pixels + row * width / 2)
        copy(red, to: dimensions.pixels * 5 / 4 + row * width / 2)
      }
    }
  }

  private mutating func copyLuma(_ line: [Sample], _ rows: Range<Int>) {
    let luma = line.map(\.y)
    for row in rows { copy(luma, to: row * dimensions.width) }
  }

  private mutating func copy(_ line: [UInt8], to offset: Int) {
    bytes.replaceSubrange(offset..<offset + line.count, with: line)
  }
}
