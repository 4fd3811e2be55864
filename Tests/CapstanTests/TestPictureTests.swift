/// The built-in camera's samples, against figures of ITU-R BT.601 and BT.709.

import Testing

@testable import Capstan

@Suite struct TestPictureTests {
  private func sample(_ color: TestPicture.Color, _ colorimetry: String) throws -> TestPicture.Sample {
    TestPicture.sample(color, try #require(Colorimetry(parsing: colorimetry)))
  }

  @Test func extremes() throws {
    #expect(try sample(.grey(0), "1:3:5:1") == .init(y: 0, cb: 128, cr: 128))
    #expect(try sample(.grey(255), "1:3:5:1") == .init(y: 255, cb: 128, cr: 128))
    #expect(try sample(.grey(0), "2:4:5:1") == .init(y: 16, cb: 128, cr: 128))
    #expect(try sample(.grey(255), "2:4:5:1") == .init(y: 235, cb: 128, cr: 128))
  }

  /// The primaries of limited-range video, as every colour-bar table has them.
  @Test func primaries() throws {
    let red = TestPicture.Color(red: 255, green: 0, blue: 0)
    let blue = TestPicture.Color(red: 0, green: 0, blue: 255)
    #expect(try sample(red, "2:4:5:1") == .init(y: 81, cb: 90, cr: 240))
    #expect(try sample(blue, "2:4:5:1") == .init(y: 41, cb: 240, cr: 110))
    #expect(try sample(red, "2:3:5:1") == .init(y: 63, cb: 102, cr: 240))
    #expect(try sample(blue, "2:3:5:1") == .init(y: 32, cb: 240, cr: 118))
  }

  @Test(arguments: [("I420", 1), ("NV12", 1), ("YUY2", 2)])
  func counterStrip(_ layout: String, _ step: Int) throws {
    var picture = TestPicture(
      layout: PixelFormat(named: layout), dimensions: VideoDimensions(width: 640, height: 480),
      colorimetry: try #require(Colorimetry(parsing: "1:4:5:1")))
    for number in [0, 1, 0x123456, 0xFFFFFF] as [UInt64] {
      picture.paint(number: number)
      let bits = (0..<32).map { cell in picture.bytes[(16 * 640 + cell * 20 + 10) * step] > 128 ? 1 : 0 }
      let word = bits.reduce(UInt64(0)) { $0 << 1 | UInt64($1) }
      let check = (number >> 16 & 0xFF) ^ (number >> 8 & 0xFF) ^ (number & 0xFF) ^ 0xA5
      #expect(word == number << 8 | check)
    }
  }

  @Test func greyBars() throws {
    let picture = TestPicture(
      layout: .nv12, dimensions: VideoDimensions(width: 1280, height: 720),
      colorimetry: try #require(Colorimetry(parsing: "1:3:5:1")))
    let line = (0..<8).map { picture.bytes[100 * 1280 + $0 * 160 + 80] }
    #expect(line == [0, 16, 64, 128, 192, 235, 250, 255])
  }
}
