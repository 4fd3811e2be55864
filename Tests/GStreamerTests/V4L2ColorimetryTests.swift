/// A driver's colour fields by table, against what v4l2src of GStreamer 1.22 writes into its caps.

import MediaFormats
import Testing

@testable import GStreamer

@Suite struct V4L2ColorimetryTests {
  struct Row: Sendable {
    let colorspace: V4L2Colorspace
    var transfer = V4L2Transfer.default
    var encoding = V4L2Encoding.default
    var quantization = V4L2Quantization.default
    var isRGB = false
    let caps: String
  }

  static let rows = [
    Row(colorspace: .sRGB, caps: "2:4:7:1"),
    Row(colorspace: .sRGB, transfer: .bt709, encoding: .bt601, caps: "2:4:5:1"),
    Row(colorspace: .sRGB, quantization: .full, caps: "1:4:7:1"),
    Row(colorspace: .jpeg, caps: "1:4:7:1"),
    Row(colorspace: .rec709, caps: "2:3:5:1"),
    Row(colorspace: .rec709, quantization: .full, caps: "1:3:5:1"),
    Row(colorspace: .rec709, encoding: .bt601, caps: "2:4:5:1"),
    Row(colorspace: .smpte170M, caps: "2:4:16:4"),
    Row(colorspace: .sRGB, isRGB: true, caps: "1:1:7:1"),
    Row(colorspace: .default, caps: "0:0:0:0"),
    Row(colorspace: .default, quantization: .full, caps: "1:0:0:0"),
    Row(colorspace: .raw, caps: "0:0:0:0"),
  ]

  @Test(arguments: rows) func colorimetry(_ row: Row) {
    let format = V4L2PixelFormat(
      fourCC: "NV12", width: 1280, height: 720, sizeImage: 0, bytesPerLine: 0, planes: 1, field: .none,
      colorspace: row.colorspace, transfer: row.transfer, encoding: row.encoding, quantization: row.quantization)
    #expect(format.colorimetry(isRGB: row.isRGB).description == row.caps)
  }
}
