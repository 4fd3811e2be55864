/// Caps through C and back, compared with what GStreamer itself makes of the same text.

import GStreamer
import MediaFormats
import Testing

@Suite struct CapsConversionTests {
  static let texts = [
    "ANY", "EMPTY", "video/x-raw",
    "video/x-raw, format=(string)I420, width=(int)1280, height=(int)720, framerate=(fraction)60/1",
    "video/x-raw, format=(string){ YUY2, NV12 }, width=(int)[ 16, 4096, 16 ], height=(int)[ 1, 2147483647 ]",
    "image/jpeg, framerate=(fraction){ 60/1, 7013/117, 30/1 }, colorimetry=(string)2:4:7:1",
    "image/jpeg, framerate=(fraction)[ 0/1, 2147483647/1 ], parsed=(boolean)true",
    "video/x-raw(memory:DMABuf), format=(string)NV12; video/x-raw, format=(string)NV12",
    "video/x-raw(memory:DMABuf, meta:GstVideoOverlayComposition), width=(int)1",
    "video/x-raw(ANY), width=(int)1",
    "audio/x-raw, rate=(int)48000, channels=(int)2, channel-mask=(bitmask)0x0000000000000003",
    "video/x-h264, stream-format=(string)avc, codec_data=(buffer)0142c01fffe10017",
    "video/x-raw, views=(int){ 1, [ 3, 5 ], [ 8, 16, 4 ] }, ratio=(double)1.5",
    "video/x-raw, range=(double)[ 0.5, 2.5 ], big=(gint64)5000000000, small=(uint)7",
    "video/x-raw, streamheader=(buffer)< 0142, ff00 >, single=(int){ 5 }",
    "video/x-raw, note=(string)\"say\\ \\\"hello\\\"\\ to\\ a\\\\b\", empty=(string)\"\"",
    "x/y, flags=(flagset)5:ff, when=(date)2026-11-30, e=(fraction)[ 1/2, 30000/1001 ]",
    "video/x-raw, nested=(structure)\"inner\\,\\ a\\=\\(int\\)1\\;\"",
  ]

  @Test(arguments: texts) func keepsEverythingOnTheWayThroughC(_ text: String) throws {
    let caps = try #require(Caps(parsing: text))
    let back = try #require(Caps(parsing: caps.serialized))
    #expect(back == caps)
    #expect(back.serialized == caps.serialized)
  }

  /// What GStreamer prints for caps that never were a value of ours: the launch parser's own.
  @Test(arguments: texts.filter { !["ANY", "EMPTY"].contains($0) })
  func printsWhatGStreamerPrints(_ text: String) throws {
    let filter = try Element(factory: "capsfilter", name: nil)
    try filter.set("caps", to: .string(text))
    guard case .caps(let read) = try filter.get("caps") else {
      Issue.record("caps came back as something else")
      return
    }
    let caps = try #require(Caps(parsing: text))
    #expect(read == caps)
    #expect(Caps(parsing: caps.description) == caps)
  }

  @Test func readsTypesApart() throws {
    let caps = try #require(
      Caps(parsing: "video/x-raw, w=(int)[ 16, 64, 16 ], r=(fraction)[ 0/1, 60/1 ], l=(string){ A, B }, b=(boolean)no"))
    let structure = try #require(caps.structures.first)
    #expect(structure.name == "video/x-raw")
    #expect(structure.features == [])
    #expect(structure["w"] == .intRange(min: 16, max: 64, step: 16))
    #expect(structure["r"] == .fractionRange(min: Fraction(0), max: Fraction(60)))
    #expect(structure["l"] == .list([.string("A"), .string("B")]))
    #expect(structure["b"] == .bool(false))
  }

  @Test func keepsTheOrderAndTheFeatures() throws {
    let caps = try #require(Caps(parsing: "image/jpeg; video/x-raw(memory:DMABuf); video/x-raw"))
    #expect(caps.structures.map(\.name) == ["image/jpeg", "video/x-raw", "video/x-raw"])
    #expect(caps.structures.map(\.features) == [[], ["memory:DMABuf"], []])
  }

  @Test(arguments: ["video/x-raw, width=(int)", "not caps at all, , ,", "video/x-raw, a=(nosuchtype)5"])
  func refusesWhatIsNoCaps(_ text: String) {
    #expect(Caps(parsing: text) == nil)
  }

  @Test func intersects() throws {
    let device = try #require(Caps(parsing: "video/x-raw, width=(int)[ 1, 1920 ], format=(string){ YUY2, NV12 }"))
    let wanted = try #require(Caps(parsing: "video/x-raw, width=(int)1280, format=(string)NV12"))
    #expect(device.canIntersect(wanted))
    #expect(device.intersection(wanted) == wanted)
    #expect(!device.canIntersect(try #require(Caps(parsing: "image/jpeg"))))
    #expect(device.intersection(try #require(Caps(parsing: "image/jpeg"))) == Caps())
  }

  @Test func numbersTooWideForIntBecomeWider() throws {
    let caps = Caps([CapsStructure("x/y", fields: [CapsField("n", .int(5_000_000_000))])])
    #expect(caps.serialized == "x/y, n=(gint64)5000000000")
  }
}
