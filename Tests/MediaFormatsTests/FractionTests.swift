/// Frame rates: every spelling that users and drivers have for them.

import MediaFormats
import Testing

@Suite struct FractionTests {
  @Test(arguments: [
    ("60", 60, 1), ("59.94", 2997, 50), ("60000/1001", 60000, 1001), ("7.5", 15, 2), ("15/2", 15, 2), ("0.5", 1, 2),
    ("120/2", 60, 1), ("29.970", 2997, 100),
  ])
  func reads(_ text: String, _ numerator: Int, _ denominator: Int) {
    #expect(Fraction(parsing: text) == Fraction(numerator, denominator))
  }

  @Test(arguments: [
    "", "60/0", "-60", "sixty", "60fps", "1/2/3", ".", "5.", "1e3", " 60", "60/-1", "99999999999999999999",
    "3000000000/1000000001", "1/9223372036854775807",
  ])
  func refuses(_ text: String) {
    #expect(Fraction(parsing: text) == nil)
  }

  /// What the kernel's USB driver makes of 100 ns intervals.
  @Test(arguments: [
    ("59.94", "7013/117"), ("59.94", "4975/83"), ("60000/1001", "7013/117"), ("29.97", "2997/100"),
    ("29.97", "30060/1003"), ("7.5", "15/2"), ("23.976", "27021/1127"),
  ])
  func sameRate(_ asked: String, _ device: String) throws {
    let (asked, device) = (try #require(Fraction(parsing: asked)), try #require(Fraction(parsing: device)))
    #expect(asked.isSameRate(as: device) && device.isSameRate(as: asked))
  }

  @Test(arguments: [("60", "59.94"), ("30", "29.97"), ("60", "7013/117"), ("24", "23.976"), ("7.5", "7")])
  func anotherRate(_ asked: String, _ device: String) throws {
    let (asked, device) = (try #require(Fraction(parsing: asked)), try #require(Fraction(parsing: device)))
    #expect(!asked.isSameRate(as: device))
  }

  @Test(arguments: [("7013/117", "59.94"), ("60", "60"), ("15/2", "7.5"), ("2997/100", "29.97"), ("1/3", "0.333")])
  func prints(_ rate: String, _ text: String) throws {
    #expect(try #require(Fraction(parsing: rate)).decimal == text)
  }

  @Test func ordersWithoutOverflow() {
    #expect(Fraction(Int.max, 3) > Fraction(Int.max, 5))
    #expect(Fraction(7013, 117) < Fraction(60))
  }
}

@Suite struct DimensionsTests {
  @Test(arguments: [
    (1366, 1366 - 1366 % 8 + (1366 % 8 > 4 ? 8 : 0)), (33, 32), (37, 40), (36, 32), (1, 32), (9999, 2592),
  ])
  func snapsToTheGrid(_ wanted: Int, _ got: Int) {
    #expect(SteppedRange(min: 32, max: 2592, step: 8).snap(wanted) == got)
  }

  @Test func maximumOffTheGridIsNeverGiven() {
    #expect(SteppedRange(min: 2, max: 9, step: 3).snap(9) == 8)
    #expect(SteppedRange(min: 2, max: .max, step: 1).snap(.max) == .max)
  }

  @Test(arguments: ["1280", "1280x", "x720", "0x720", "1280x720x2", "-1x5", "1280 x 720", "70000x70000"])
  func refuses(_ text: String) {
    #expect(VideoDimensions(parsing: text) == nil)
  }

  @Test func reads() {
    #expect(VideoDimensions(parsing: "1280X720") == VideoDimensions(width: 1280, height: 720))
  }
}

@Suite struct ColorimetryTests {
  @Test(arguments: ["1:4:5:1", "2:4:7:1", "1:3:5:1", "0:3:0:1", "1:4:0:0", "2:4:16:4"])
  func roundTrips(_ text: String) {
    #expect(Colorimetry(parsing: text)?.description == text)
  }

  @Test func readsNames() {
    #expect(Colorimetry(parsing: "bt601")?.description == "2:4:16:4")
    #expect(Colorimetry(parsing: "bt709")?.description == "2:3:5:1")
    #expect(Colorimetry(parsing: "nonsense") == nil)
    #expect(Colorimetry(parsing: "1:4:5") == nil)
  }
}

@Suite struct PixelFormatTests {
  /// A format outside of the table is never taken for limited-range YUV only because its name is new.
  @Test(arguments: [
    ("BGR15", PixelFormat.Chroma.rgb), ("RGB10A2_LE", .rgb), ("GBR_12LE", .rgb), ("BGRA64_LE", .rgb),
    ("GRAY10_LE32", .gray), ("A444_16LE", .yuv444),
  ])
  func chromaByName(_ name: String, _ chroma: PixelFormat.Chroma) {
    #expect(PixelFormat(named: name).chroma == chroma)
  }
}
