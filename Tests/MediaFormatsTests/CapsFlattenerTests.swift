/// Caps as v4l2src words them, made into rows.

import MediaFormats
import Testing

@Suite struct CapsFlattenerTests {
  private func structure(_ name: String, _ fields: KeyValuePairs<String, CapsValue>) -> CapsStructure {
    CapsStructure(name, fields: fields.map { CapsField($0.key, $0.value) })
  }

  @Test func listsOfRatesBecomeOneRow() {
    let caps = Caps([
      structure(
        "image/jpeg",
        [
          "width": .int(1280), "height": .int(720),
          "framerate": .list([.fraction(Fraction(7013, 117)), .fraction(Fraction(30)), .fraction(Fraction(30))]),
          "colorimetry": .string("2:4:7:1"),
        ])
    ])
    let rows = CapsFlattener().flatten(caps, node: "/dev/video3")
    #expect(rows.count == 1)
    #expect(rows[0].frameRates.map(\.min) == [Fraction(7013, 117), Fraction(30)])
    #expect(rows[0].range == .full, "JPEG is full range whatever the driver says")
    #expect(rows[0].fourCC.trimmed == "MJPG" && rows[0].node == "/dev/video3")
  }

  @Test func modesRepeatedForMemoryOrInterlacingAreOne() {
    var plain = structure(
      "video/x-raw",
      ["format": .string("YUY2"), "width": .int(640), "height": .int(480), "framerate": .fraction(Fraction(30))])
    var direct = plain
    direct.features = ["memory:DMABuf"]
    plain.fields.append(CapsField("interlace-mode", .string("progressive")))
    direct.fields.append(CapsField("interlace-mode", .string("mixed")))
    let rows = CapsFlattener().flatten(Caps([direct, plain]))
    #expect(rows.count == 1 && !rows[0].isInterlaced)
  }

  @Test func productOfListsAndRanges() {
    let caps = Caps([
      structure(
        "video/x-raw",
        [
          "format": .list([.string("NV12"), .string("YUY2")]), "width": .intRange(min: 32, max: 2592, step: 2),
          "height": .intRange(min: 32, max: 1944, step: 2),
          "framerate": .fractionRange(min: Fraction(1), max: Fraction(90)),
        ])
    ])
    let rows = CapsFlattener().flatten(caps)
    #expect(rows.map(\.index) == [0, 1])
    #expect(rows[0].dimensions.description == "32x32 to 2592x1944 by 2x2")
    #expect(rows[0].frameRates == [FrameRateRange(min: Fraction(1), max: Fraction(90))])
  }

  @Test func noRateIsUnknownNotTheLargest() {
    let unknown: [CapsValue] = [
      .fractionRange(min: Fraction(0), max: Fraction(Int(Int32.max))), .fraction(Fraction(0)),
    ]
    for rate in unknown {
      let caps = Caps([
        structure(
          "video/x-raw", ["format": .string("YVYU"), "width": .int(640), "height": .int(480), "framerate": rate])
      ])
      #expect(CapsFlattener().flatten(caps).first?.frameRates == [])
      #expect(CapsFlattener(openRate: .any).flatten(caps).first?.frameRates.count == (rate == unknown[0] ? 1 : 0))
    }
  }

  @Test func sizesWithoutEndAndForeignTypesAreLeftOut() {
    #expect(CapsFlattener().flatten(Caps([structure("audio/x-raw", ["rate": .int(48000)])])).isEmpty)
    #expect(CapsFlattener().flatten(Caps([structure("video/x-raw", ["format": .string("NV12")])])).isEmpty)
    #expect(CapsFlattener().flatten(Caps(isAny: true)).isEmpty)
  }

  @Test func hugeProductsAreBounded() {
    let many = CapsValue.list((1...2000).map { .int($0) })
    let caps = Caps([structure("video/x-raw", ["format": .string("NV12"), "width": many, "height": many])])
    #expect(CapsFlattener().flatten(caps).count == 10_000)
  }
}
