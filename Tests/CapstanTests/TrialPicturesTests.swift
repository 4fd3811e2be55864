/// The pictures of a trial: each like the one before but for its noise, on and on without a jump.

import Testing

@testable import Capstan

@Suite struct TrialPicturesTests {
  private static let size = VideoDimensions(width: 320, height: 240)

  @Test(arguments: [
    (320, 240, 12, 12), (1280, 720, 12, 12), (3840, 2160, 12, 6), (3840, 2160, 24, 4), (7680, 4320, 24, 3),
  ])
  func manyFitIntoMemory(_ width: Int, _ height: Int, _ bits: Int, _ count: Int) {
    let size = VideoDimensions(width: width, height: height)
    #expect(TrialPictures(dimensions: size, bitsPerPixel: bits).count == count)
  }

  /// Bytes as `gst_video_info_set_format` counts them.
  @Test(arguments: [(64, 64, 6144), (66, 98, 68 * 98 + 2 * 36 * 49), (284, 160, 68_480), (1918, 80, 1920 * 80 * 3 / 2)])
  func everyPictureIsWhole(_ width: Int, _ height: Int, _ bytes: Int) {
    let size = VideoDimensions(width: width, height: height)
    let pictures = TrialPictures(dimensions: size, bitsPerPixel: 12)
    for number in 0..<pictures.count { #expect(pictures.bytes(of: number).count == bytes) }
  }

  /// Neighbours differ by noise and by what moved; the last is a neighbour of the first.
  @Test func neighboursAreNearAndNeverTheSame() {
    let pictures = TrialPictures(dimensions: Self.size, bitsPerPixel: 12)
    let luma = (0..<pictures.count).map { Array(pictures.bytes(of: $0).prefix(Self.size.pixels)) }
    let steps = luma.indices.map { DecodingRun.distance(luma[$0], luma[($0 + 1) % luma.count]) }
    let least = steps.min() ?? 0
    let most = steps.max() ?? 255
    #expect(least > 10 && most < least * 1.3, "\(steps)")
    #expect(luma.map(DecodingRun.contrast).allSatisfy { $0 > 30 })
    #expect(pictures.bytes(of: 3) == TrialPictures(dimensions: Self.size, bitsPerPixel: 12).bytes(of: 3))
  }
}
