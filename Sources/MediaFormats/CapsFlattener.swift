/// Turns caps, with their lists and ranges, into the rows of a format list: one for each payload and size, in the
/// order of the caps, doubles merged.

public struct CapsFlattener: Sendable {
  /// Bounds the product of a structure's lists, so that no caps can fill the memory.
  static let rowLimit = 10_000

  /// GStreamer words a rate without bounds as 0 to the largest integer. In a driver's caps it means that the driver
  /// tells none; an element that makes its own pictures takes any.
  public enum OpenRate: Sendable, Hashable {
    case unknown
    case any
  }

  private let openRate: OpenRate

  public init(openRate: OpenRate = .unknown) { self.openRate = openRate }

  public func flatten(_ caps: Caps, node: String? = nil) -> [DeviceFormat] {
    var rows: [DeviceFormat] = []
    var places: [RowKey: Int] = [:]
    for row in caps.structures.lazy.flatMap(self.rows) {
      let key = RowKey(row)
      if let place = places[key] {
        rows[place].frameRates = FrameRateRange.union(rows[place].frameRates, row.frameRates)
        rows[place].isInterlaced = rows[place].isInterlaced && row.isInterlaced
      } else if rows.count < CapsFlattener.rowLimit {
        places[key] = rows.count
        rows.append(row)
      }
    }
    for index in rows.indices {
      rows[index].index = index
      rows[index].node = node
    }
    return rows
  }

  /// What makes two structures one row: caps repeat a mode for each memory type and interlacing.
  private struct RowKey: Hashable {
    let payload: Payload
    let dimensions: DimensionsRange

    init(_ row: DeviceFormat) {
      payload = row.payload
      dimensions = row.dimensions
    }
  }

  private func rows(of structure: CapsStructure) -> [DeviceFormat] {
    let widths = structure["width"].map(steppedRanges) ?? []
    let heights = structure["height"].map(steppedRanges) ?? []
    let rates = structure["framerate"].map(frameRates) ?? []
    let colorimetry = structure["colorimetry"]?.firstString.flatMap { Colorimetry(parsing: $0) } ?? .unknown
    let interlaced = structure["interlace-mode"]?.firstString.map { $0 != "progressive" } ?? false
    guard !widths.isEmpty, !heights.isEmpty else { return [] }
    let sizes = widths.lazy.flatMap { width in heights.lazy.map { DimensionsRange(width: width, height: $0) } }
    return payloads(of: structure).flatMap { payload in
      sizes.prefix(CapsFlattener.rowLimit).map { dimensions in
        DeviceFormat(
          payload: payload, dimensions: dimensions, frameRates: rates, colorimetry: colorimetry,
          isInterlaced: interlaced)
      }
    }
  }

  private func payloads(of structure: CapsStructure) -> [Payload] {
    switch structure.name {
    case "video/x-raw": (structure["format"]?.strings ?? []).map { .raw(PixelFormat(named: $0)) }
    case "video/x-bayer": (structure["format"]?.strings ?? []).map { .bayer($0) }
    case "image/jpeg": [.jpeg]
    case "video/x-h264": [.h264]
    case "video/x-h265": [.h265]
    case "video/x-vp8": [.vp8]
    case "video/x-vp9": [.vp9]
    case "video/x-dv": [.dv]
    case "video/mpeg": [structure["mpegversion"] == .int(4) ? .mpeg4 : .mpeg2]
    default: []
    }
  }

  private func steppedRanges(_ value: CapsValue) -> [SteppedRange] {
    switch value {
    case .int(let length): [SteppedRange(min: length, max: length)]
    case .intRange(let min, let max, let step): [SteppedRange(min: min, max: max, step: step)]
    case .list(let values): values.flatMap(steppedRanges)
    default: []
    }
  }

  private func frameRates(_ value: CapsValue) -> [FrameRateRange] {
    switch value {
    case .fraction(let rate): rate.numerator == 0 ? [] : [FrameRateRange(rate)]
    case .fractionRange(let min, let max) where max.value >= Double(Int32.max):
      openRate == .any ? [FrameRateRange(min: min, max: max)] : []
    case .fractionRange(let min, let max): [FrameRateRange(min: min, max: max)]
    case .list(let values): FrameRateRange.union([], values.flatMap(frameRates))
    default: []
    }
  }
}

extension FrameRateRange {
  /// Both lists in order, without doubles.
  static func union(_ first: [FrameRateRange], _ second: [FrameRateRange]) -> [FrameRateRange] {
    var seen = Set<FrameRateRange>()
    return (first + second).filter { seen.insert($0).inserted }
  }
}

extension CapsValue {
  var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let values): values.flatMap(\.strings)
    default: []
    }
  }

  var firstString: String? { strings.first }
}
