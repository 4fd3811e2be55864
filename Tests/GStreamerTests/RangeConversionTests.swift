/// All codes of luma and chroma both ways, from known bytes, in every layout that is converted.

import Foundation
import GStreamer
import MediaFormats
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct RangeConversionTests {
  struct Layout: Sendable, CustomTestStringConvertible {
    let format: String
    let width: Int
    let height: Int
    /// Of each plane: offset, samples in a row, rows, bytes from row to row.
    let planes: [(offset: Int, width: Int, height: Int, stride: Int)]
    let size: Int
    var testDescription: String { "\(format) \(width)x\(height)" }
  }

  /// GStreamer's default strides: rows begin at multiples of four bytes.
  static let layouts = [
    Layout(
      format: "I420", width: 256, height: 4,
      planes: [(0, 256, 4, 256), (1024, 128, 2, 128), (1280, 128, 2, 128)], size: 1536),
    Layout(
      format: "I420", width: 54, height: 10, planes: [(0, 54, 10, 56), (560, 27, 5, 28), (700, 27, 5, 28)], size: 840),
    Layout(format: "NV12", width: 254, height: 6, planes: [(0, 254, 6, 256), (1536, 254, 3, 256)], size: 2304),
    Layout(
      format: "Y42B", width: 256, height: 2, planes: [(0, 256, 2, 256), (512, 128, 2, 128), (768, 128, 2, 128)],
      size: 1024),
    Layout(
      format: "Y444", width: 256, height: 1, planes: [(0, 256, 1, 256), (256, 256, 1, 256), (512, 256, 1, 256)],
      size: 768),
    Layout(format: "GRAY8", width: 256, height: 1, planes: [(0, 256, 1, 256)], size: 256),
  ]

  static func ideal(_ code: UInt8, _ conversion: RangeConversion, isLuma: Bool) -> UInt8 {
    let code = Double(code)
    let exact =
      switch (conversion, isLuma) {
      case (.expand, true): (code - 16) * 255 / 219
      case (.expand, false): 128 + (code - 128) * 255 / 224
      case (.compress, true): 16 + code * 219 / 255
      case (.compress, false): 128 + (code - 128) * 224 / 255
      }
    return UInt8(min(255, max(0, (exact + 0.5).rounded(.down))))
  }

  static func convert(
    _ bytes: [UInt8], _ layout: Layout, _ conversion: RangeConversion, isShared: Bool = false
  ) async throws -> (bytes: [UInt8], ending: PipelineTests.Ending) {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yuv")
    defer { try? FileManager.default.removeItem(at: file) }
    let pipeline = try Pipeline()
    let source = try AppSource(isLive: false)
    let tee = try Element(factory: "tee")
    let point = try Element(factory: "identity")
    let sink = try Element(factory: "filesink")
    try sink.set("location", to: .string(file.path(percentEncoded: false)))
    try pipeline.add([source.element, tee, point, sink])
    try pipeline.link(chain: [source.element, tee, point, sink])
    if isShared {
      let other = try Element(factory: "fakesink")
      try other.set("async", to: .bool(false))
      try pipeline.add(other)
      try pipeline.link(tee, to: other)
    }
    point.pad("src")?.convertRange(conversion)
    source.setCaps(
      Caps([
        CapsStructure(
          "video/x-raw",
          fields: [
            CapsField("format", .string(layout.format)), CapsField("width", .int(layout.width)),
            CapsField("height", .int(layout.height)), CapsField("framerate", .fraction(Fraction(30))),
          ])
      ]))
    try pipeline.setState(.playing)
    #expect(source.push(copying: bytes, pts: 0, offset: 0) == .ok)
    source.endOfStream()
    let ending = await PipelineTests.ending(of: pipeline)
    try pipeline.setState(.null)
    return (Array(try Data(contentsOf: file)), ending)
  }

  @Test(arguments: RangeConversion.allCases, layouts)
  func everyCodeIsIdeal(conversion: RangeConversion, layout: Layout) async throws {
    var seen = Set<Int>()
    for start in stride(from: 0, to: 256, by: 53) {
      let bytes = (0..<layout.size).map { UInt8(truncatingIfNeeded: $0 + start) }
      let result = try await Self.convert(bytes, layout, conversion)
      #expect(result.ending == .endOfStream && result.bytes.count == bytes.count)
      for (number, plane) in layout.planes.enumerated() {
        for row in 0..<plane.height {
          for place in (0..<plane.width).map({ plane.offset + row * plane.stride + $0 }) {
            seen.insert(Int(bytes[place]) + (number == 0 ? 0 : 256))
            let ideal = Self.ideal(bytes[place], conversion, isLuma: number == 0)
            if result.bytes[place] != ideal {
              Issue.record("plane \(number): \(bytes[place]) gives \(result.bytes[place]), not \(ideal)")
              return
            }
          }
        }
      }
    }
    #expect(seen.count == (layout.planes.count > 1 ? 512 : 256))
  }

  @Test func aFrameThatSomeoneElseHoldsIsCopied() async throws {
    let layout = Self.layouts[0]
    let bytes = [UInt8](repeating: 16, count: layout.size)
    let result = try await Self.convert(bytes, layout, .expand, isShared: true)
    #expect(result.bytes.prefix(1024).allSatisfy { $0 == 0 })
  }

  @Test func otherLayoutsAreRefused() async throws {
    let layout = Layout(format: "YUY2", width: 16, height: 2, planes: [], size: 64)
    let result = try await Self.convert([UInt8](repeating: 16, count: 64), layout, .expand)
    guard case .failure(let failure) = result.ending else {
      Issue.record("no error on the bus")
      return
    }
    #expect(failure.factory == "identity" && failure.debug.contains("YUY2"))
  }
}
