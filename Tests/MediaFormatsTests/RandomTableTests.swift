/// 20,000 random tables: whatever a driver lists, the outcome meets the request or says why it does not.

import MediaFormats
import Testing

@Suite struct RandomTableTests {
  /// Chunks run side by side, each from a seed of its own.
  @Test(arguments: 0..<20) func outcomesMeetTheRequestOrSayWhy(_ chunk: Int) {
    var tables = RandomTables(random: SplitMix64(seed: 0x0CA9_57A4 &+ UInt64(chunk)))
    for number in 0..<1_000 {
      let (rows, request) = (tables.table(), tables.request())
      let selection = FormatSelector(request).select(from: rows)
      let mistake = Self.mistake(in: selection, request, rows)
      #expect(mistake == nil, "table \(chunk):\(number), \(request), \(request.fallback): \(mistake!) \(selection)")
      if mistake != nil { return }
    }
  }

  /// Every fourth of them as text and back.
  @Test(arguments: 0..<5) func listingsReadBack(_ chunk: Int) throws {
    var tables = RandomTables(random: SplitMix64(seed: 0x115_7146 &+ UInt64(chunk)))
    for _ in 0..<200 {
      let rows = tables.table()
      let text = FormatListing(rows).description
      #expect(try FormatListing(parsing: text).formats == rows, "\(text)")
    }
  }

  // MARK: What an outcome must be, worked out without the selector's own rules

  private static func mistake(
    in selection: FormatSelection, _ request: FormatRequest, _ rows: [DeviceFormat]
  ) -> String? {
    switch selection {
    case .exact(let mode): mistake(in: mode, request, rows) ?? (differences(mode, request).isEmpty ? nil : "not exact")
    case .adjusted(let mode, let deviations):
      mistake(in: mode, request, rows)
        ?? (deviations.isEmpty || deviations != differences(mode, request) ? "deviations are not the differences" : nil)
        ?? (request.fallback == .exact ? "exact was asked" : nil) ?? mistakenSide(mode, request, rows)
    case .impossible(let reason, let nearest): mistake(inRefusal: reason, nearest, request, rows)
    }
  }

  private static func mistake(in mode: CaptureMode, _ request: FormatRequest, _ rows: [DeviceFormat]) -> String? {
    let format = mode.format
    guard rows.contains(format) else { return "a row that is not there" }
    guard isUsable(format, request) else { return "a row that may not be used" }
    let (width, height) = (format.dimensions.width, format.dimensions.height)
    guard isMember(mode.dimensions.width, of: width), isMember(mode.dimensions.height, of: height) else {
      return "a size that the row does not have"
    }
    guard let rate = mode.frameRate else {
      return format.frameRates.isEmpty && request.frameRate == nil ? nil : "no rate"
    }
    if format.frameRates.isEmpty { return rate == request.frameRate ? nil : "a rate from nowhere" }
    return format.frameRates.contains { $0.min <= rate && rate <= $0.max } ? nil : "a rate that the row does not have"
  }

  private static func isMember(_ length: Int, of range: SteppedRange) -> Bool {
    length >= range.min && length <= range.max && (length - range.min) % range.step == 0
  }

  private static func isUsable(_ format: DeviceFormat, _ request: FormatRequest) -> Bool {
    let isPinned = if case .code = request.payload { true } else { false }
    return isAllowed(format, request.payload) && format.payload.refusal == nil && (isPinned || !format.isEmulated)
  }

  private static func isAllowed(_ format: DeviceFormat, _ choice: PayloadChoice) -> Bool {
    switch choice {
    case .automatic: return true
    case .raw: if case .raw = format.payload { return true } else { return false }
    case .jpeg: return format.payload == .jpeg
    case .h264: return format.payload == .h264
    case .code(let code):
      return [format.fourCC, format.payload.fourCC, format.subtype].contains {
        $0.description.lowercased() == code.description.lowercased()
      }
    }
  }

  private static func differences(_ mode: CaptureMode, _ request: FormatRequest) -> [Deviation] {
    var found: [Deviation] = []
    if let size = request.dimensions, size != mode.dimensions {
      found.append(.dimensions(asked: size, got: mode.dimensions))
    }
    if mode.format.frameRates.isEmpty, let asked = request.frameRate {
      found.append(.frameRateUnknown(asked: asked))
    } else if let asked = request.frameRate, let got = mode.frameRate, !asked.isSameRate(as: got) {
      found.append(.frameRate(asked: asked, got: got))
    }
    if let range = request.range, range != mode.format.range {
      found.append(.range(asked: range, got: mode.format.range))
    }
    let isPinned = if case .code = request.payload { true } else { false }
    if !mode.format.payload.isColor, !isPinned { found.append(.monochrome) }
    return found
  }

  /// A mode on the wrong side, though one of the same kind of picture on the right side is there.
  private static func mistakenSide(_ mode: CaptureMode, _ request: FormatRequest, _ rows: [DeviceFormat]) -> String? {
    guard isOnWrongSide(mode, request) else { return nil }
    let rest = FormatSelector(request).judgements(of: rows).filter { $0.rejection == nil }
    let better = rest.contains {
      !isOnWrongSide($0.mode, request) && $0.mode.format.payload.isColor == mode.format.payload.isColor
    }
    return better ? "the fallback's side was free" : nil
  }

  private static func isOnWrongSide(_ mode: CaptureMode, _ request: FormatRequest) -> Bool {
    let size = request.dimensions ?? mode.dimensions
    var (isBelow, isAbove) = (
      mode.dimensions.width < size.width || mode.dimensions.height < size.height,
      mode.dimensions.width > size.width || mode.dimensions.height > size.height
    )
    if let asked = request.frameRate, let got = mode.frameRate, !asked.isSameRate(as: got) {
      (isBelow, isAbove) = (isBelow || got < asked, isAbove || got > asked)
    }
    return request.fallback == .lowerOrNearest ? isAbove : request.fallback == .higherOrNearest ? isBelow : false
  }

  private static func mistake(
    inRefusal reason: String, _ nearest: [CaptureMode], _ request: FormatRequest, _ rows: [DeviceFormat]
  ) -> String? {
    if reason.isEmpty { return "no reason" }
    let usable = rows.filter { isUsable($0, request) }
    if usable.isEmpty { return nearest.isEmpty ? nil : "offers that cannot be used" }
    guard request.fallback == .exact else { return "a refusal, although a row can be used" }
    if nearest.isEmpty { return "no offers" }
    let hasExact = usable.contains { row in
      let size = request.dimensions.map { row.dimensions.snap($0) } ?? row.dimensions.largest
      return row.frameRates.contains {
        let mode = CaptureMode(format: row, dimensions: size, frameRate: $0.snap(request.frameRate ?? Fraction(30)))
        return differences(mode, request).isEmpty
      }
    }
    return hasExact
      ? "an exact mode was there" : nearest.first { differences($0, request).isEmpty }.map { "\($0) is exact" }
  }
}
