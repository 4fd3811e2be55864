/// The tables of real cameras in Tests/Fixtures/cameras, read without GStreamer and without a driver.

import Foundation
import MediaFormats

enum Fixtures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  static func names(in subfolder: String, _ suffix: String) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: subfolder).path(percentEncoded: false))
    return (files ?? []).filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }
}

struct CameraTable: Decodable {
  struct Node: Decodable {
    var node: String?
    var formats: [Format]?
    var color: Color?
    var deviceCaps: [String]?
  }

  struct Color: Decodable {
    var quantization: String?
    var field: String?
  }

  struct Format: Decodable {
    var fourcc: String
    var sizes: [Size]?
  }

  struct Size: Decodable {
    var type: String
    var width, height: Int?
    var minWidth, minHeight, maxWidth, maxHeight, stepWidth, stepHeight: Int?
    var intervals: [Interval]?
    var intervalRange: IntervalRange?
  }

  struct Interval: Decodable {
    var num, den: Int
  }

  struct IntervalRange: Decodable {
    var min, max: Interval
  }

  var formats: [Format]
  var color: Color?
  var otherNodes: [Node]?

  static func named(_ name: String) throws -> CameraTable {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(CameraTable.self, from: Data(try Fixtures.text("cameras/\(name).json").utf8))
  }

  /// The rows of the first node, in the table's order.
  var rows: [DeviceFormat] { CameraTable.rows(formats, color, node: "/dev/video0") }

  /// The rows of every capture node, one after the other.
  var rowsOfAllNodes: [DeviceFormat] {
    let others = (otherNodes ?? []).filter { !($0.deviceCaps ?? []).contains("META_CAPTURE") }
    let all =
      rows
      + others.flatMap { node in
        CameraTable.rows(node.formats ?? [], node.color, node: node.node.map { "/dev/\($0)" })
      }
    return CameraTable.numbered(all)
  }

  static func numbered(_ rows: [DeviceFormat]) -> [DeviceFormat] {
    rows.enumerated().map { index, row in
      var row = row
      row.index = index
      return row
    }
  }

  private static func rows(_ formats: [Format], _ color: Color?, node: String?) -> [DeviceFormat] {
    var seen = Set<DeviceFormat>()
    let rows = formats.flatMap { format in
      (format.sizes ?? []).map { size in
        let code = FourCC(format.fourcc)
        return DeviceFormat(
          payload: Payload(fourCC: code) ?? .unsupported(code), fourCC: code, dimensions: size.dimensions,
          frameRates: size.rates, colorimetry: Colorimetry(range: color?.range),
          isInterlaced: color?.field == "Interlaced", node: node)
      }
    }
    return numbered(rows.filter { seen.insert($0).inserted })
  }
}

extension CameraTable.Color {
  /// Only what the driver says, not what its default would mean.
  fileprivate var range: ColorRange? {
    guard let text = quantization?.lowercased() else { return nil }
    return text.hasPrefix("full") ? .full : text.hasPrefix("limited") ? .limited : nil
  }
}

extension CameraTable.Size {
  fileprivate var dimensions: DimensionsRange {
    if let width, let height { return DimensionsRange(VideoDimensions(width: width, height: height)) }
    return DimensionsRange(
      width: SteppedRange(min: minWidth ?? 1, max: maxWidth ?? 1, step: stepWidth ?? 1),
      height: SteppedRange(min: minHeight ?? 1, max: maxHeight ?? 1, step: stepHeight ?? 1))
  }

  fileprivate var rates: [FrameRateRange] {
    if let range = intervalRange {
      return [FrameRateRange(min: Fraction(range.max.den, range.max.num), max: Fraction(range.min.den, range.min.num))]
    }
    var seen = Set<Fraction>()
    return (intervals ?? []).map { Fraction($0.den, $0.num) }.filter { seen.insert($0).inserted }
      .map { FrameRateRange($0) }
  }
}
