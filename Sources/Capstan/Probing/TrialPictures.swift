/// Pictures that are hard to encode: detail that moves, and noise that no picture shares with the one before it.

import MediaFormats

/// A few that are shown again and again, on and on without a jump; no encoder looks back so far as to meet one again.
/// Each row is copied from one of many that were made beforehand, moved a little and in an order of its own: so the noise
/// is new in each picture, at the cost of a copy.
struct TrialPictures: Sendable {
  /// Bands of the picture, each with its own detail and its own way of moving.
  private static let bands = 8
  private static let rowsPerBand = 48
  /// Codes that the noise of a pixel swings to either side: that of a webcam in a dim room.
  private static let swing = 20
  private static let chromaSwing = 4

  let dimensions: VideoDimensions
  let count: Int
  private let luma: [[UInt8]]
  private let chroma: [[UInt8]]

  /// As many as 96 MiB hold in the layout that they are for, from 3 to 12.
  /// - Precondition: both sides are even.
  init(dimensions: VideoDimensions, bitsPerPixel: Int) {
    precondition(dimensions.isEven)
    self.dimensions = dimensions
    let room = (96 << 20) / max(1, dimensions.pixels * bitsPerPixel / 8)
    // Those by which the periods of all bands can be divided.
    count = [12, 6, 4].first { $0 <= room } ?? 3
    var random = RandomRow()
    let width = dimensions.width
    luma = TrialPictures.rows { random.row(TrialPictures.detail(width, band: $0), TrialPictures.swing) }
    chroma = TrialPictures.rows { random.row(TrialPictures.shade(width / 2, band: $0), TrialPictures.chromaSwing) }
  }

  /// I420 as GStreamer has it in memory: rows begin at every fourth byte.
  func bytes(of number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(dimensions.pixels * 3 / 2)
    var order = UInt32(truncatingIfNeeded: number &* 7919 &+ 17)
    append(luma, width: dimensions.width, height: dimensions.height, shrunk: 1, number, &order, to: &bytes)
    for _ in 1...2 {
      append(chroma, width: dimensions.width / 2, height: dimensions.height / 2, shrunk: 2, number, &order, to: &bytes)
    }
    return bytes
  }

  private func append(
    _ bank: [[UInt8]], width: Int, height: Int, shrunk: Int, _ number: Int, _ order: inout UInt32,
    to bytes: inout [UInt8]
  ) {
    for row in 0..<height {
      order = order &* 1_664_525 &+ 1_013_904_223
      let band = row * TrialPictures.bands / height
      let start = shift(band, number) / shrunk
      let line = bank[band * TrialPictures.rowsPerBand + Int(order >> 16) % TrialPictures.rowsPerBand]
      bytes += line[start..<start + width]
      bytes += repeatElement(0, count: (width + 3) / 4 * 4 - width)
    }
  }

  // MARK: Detail

  /// Pixels after which a band's detail comes again: the way that it moves in all pictures together.
  private static func period(_ band: Int) -> Int { 24 + band / 2 * 12 }

  /// Every other band to the left.
  private func shift(_ band: Int, _ number: Int) -> Int {
    let way = TrialPictures.period(band) / count * (number % count)
    return band.isMultiple(of: 2) ? way : TrialPictures.period(band) - way
  }

  private static func rows(_ make: (_ band: Int) -> [UInt8]) -> [[UInt8]] {
    (0..<bands * rowsPerBand).map { make($0 / rowsPerBand) }
  }

  /// Slopes and edges, and finer stripes on them.
  private static func detail(_ width: Int, band: Int) -> [Int] {
    let period = period(band)
    return (0..<width + period).map { x in
      let place = x % period
      return 40 + place * 150 / period + (place * 8 / period % 2 == 0 ? 18 : 0)
    }
  }

  private static func shade(_ width: Int, band: Int) -> [Int] {
    let period = period(band) / 2
    return (0..<width + period).map { x in 100 + x % period * 56 / period }
  }
}

/// A generator that gives the same pictures on every machine.
private struct RandomRow {
  private var state: UInt32 = 1

  mutating func row(_ base: [Int], _ swing: Int) -> [UInt8] {
    base.map { code in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(clamping: code + Int(state >> 24) % (2 * swing) - swing)
    }
  }
}
