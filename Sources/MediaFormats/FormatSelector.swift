/// Chooses the mode of a camera on the whole: payload, size, rate and range together, never one list at a time.

import Foundation

/// The rules, in the order in which they decide:
/// 1. a colour picture before a grey one; formats that nothing can decode are out;
/// 2. the least deviation in size and rate, in octaves: half the rate weighs as much as half the width and, at equal
///    deviation, the asked size is kept;
/// 3. at least 8 bits a sample before fewer (RGB of 15 or 16 bits);
/// 4. the asked range as the camera's own before one that has to be converted;
/// 5. made by the camera before emulated; 8 bits before more;
/// 6. raw YUV before raw RGB, which takes twice the bandwidth, before JPEG, before other coded payloads;
/// 7. where the request leaves them free: the larger picture, then the rate nearest to 30;
/// 8. the device's own order.
public struct FormatSelector: Sendable {
  /// Assumed where a request names no rate: ranges in drivers overstate what a sensor can do.
  static let defaultRate = Fraction(30)
  /// Added, in octaves, where the driver tells no rate, so that a mode with a known one goes first.
  static let unknownRateCost = 0.05
  static let offerCount = 5

  public let request: FormatRequest

  public init(_ request: FormatRequest) { self.request = request }

  public func select(from formats: [DeviceFormat]) -> FormatSelection {
    let ranked = candidates(in: formats)
    guard let best = ranked.first else {
      return .impossible(reason: refusal(of: formats), nearest: [])
    }
    if best.deviations.isEmpty { return .exact(best.mode) }
    // What is exact can still come after a mode that is thought better, as RGB of 16 bits does.
    if let exact = ranked.first(where: \.deviations.isEmpty), request.isStrict { return .exact(exact.mode) }
    if request.isStrict {
      let reason = "no mode is exactly \(request): \(best.deviations.map(\.description).joined(separator: ", "))"
      return .impossible(reason: reason, nearest: ranked.prefix(FormatSelector.offerCount).map(\.mode))
    }
    return .adjusted(best.mode, best.deviations)
  }

  /// Every mode that could be recorded, best first, each row of the list once for each of its rates.
  func candidates(in formats: [DeviceFormat]) -> [Candidate] {
    formats
      .filter { $0.payload.refusal == nil && request.payload.allows($0) }
      .flatMap(modes)
      .map { Candidate($0, for: request) }
      .sorted()
  }

  private func modes(of format: DeviceFormat) -> [CaptureMode] {
    let dimensions = request.dimensions.map(format.dimensions.snap) ?? format.dimensions.largest
    let wantedRate = request.frameRate ?? FormatSelector.defaultRate
    let rates: [Fraction?] =
      format.frameRates.isEmpty ? [request.frameRate] : format.frameRates.map { $0.snap(wantedRate) }
    return rates.map { CaptureMode(format: format, dimensions: dimensions, frameRate: $0) }
  }

  private func refusal(of formats: [DeviceFormat]) -> String {
    guard !formats.isEmpty else { return "the device lists no video format" }
    let allowed = formats.filter { request.payload.allows($0) }
    guard let first = allowed.first else {
      let codes = FormatSelector.codes(of: formats)
      return "the device has no format \(request.payload); it has \(codes)"
    }
    let reason = first.payload.refusal ?? "nothing here can decode it"
    return "the device has only \(FormatSelector.codes(of: allowed)), which cannot be recorded: \(reason)"
  }

  private static func codes(of formats: [DeviceFormat]) -> String {
    var seen = Set<FourCC>()
    return formats.map(\.fourCC).filter { seen.insert($0).inserted }.map(\.trimmed).joined(separator: ", ")
  }
}

/// A mode with what it costs to take it.
struct Candidate: Sendable {
  let mode: CaptureMode
  let deviations: [Deviation]
  private let cost: [Double]

  init(_ mode: CaptureMode, for request: FormatRequest) {
    self.mode = mode
    deviations = Candidate.deviations(of: mode, from: request)
    cost = Candidate.cost(of: mode, for: request)
  }

  private static func deviations(of mode: CaptureMode, from request: FormatRequest) -> [Deviation] {
    var found: [Deviation] = []
    if let asked = request.dimensions, asked != mode.dimensions {
      found.append(.dimensions(asked: asked, got: mode.dimensions))
    }
    if mode.format.frameRates.isEmpty {
      found.append(.frameRateUnknown(asked: request.frameRate))
    } else if let asked = request.frameRate, let got = mode.frameRate, !asked.isSameRate(as: got) {
      found.append(.frameRate(asked: asked, got: got))
    }
    if let asked = request.range, asked != mode.format.range {
      found.append(.range(asked: asked, got: mode.format.range))
    }
    if !mode.format.payload.isColor { found.append(.monochrome) }
    return found
  }

  private static func cost(of mode: CaptureMode, for request: FormatRequest) -> [Double] {
    let format = mode.format
    let sizeCost = request.dimensions.map { octaves(from: $0, to: mode.dimensions) } ?? 0
    let depth = if case .raw(let pixels) = format.payload { pixels.depth } else { 8 }
    return [
      format.payload.isColor ? 0 : 1,
      // Rounded, so that sums of logarithms that are equal on paper are equal here.
      ((sizeCost + rateCost(of: mode, for: request)) * 1e6).rounded(),
      (sizeCost * 1e6).rounded(),
      depth < 8 ? 1 : 0,
      request.range == nil || request.range == format.range ? 0 : 1,
      format.isEmulated ? 1 : 0,
      depth > 8 ? 1 : 0,
      payloadRank(format.payload),
      request.dimensions == nil ? -Double(mode.dimensions.pixels) : 0,
      request.frameRate == nil ? distanceFromDefault(mode.frameRate) : 0,
      Double(format.index),
    ]
  }

  private static func rateCost(of mode: CaptureMode, for request: FormatRequest) -> Double {
    guard let asked = request.frameRate else { return 0 }
    guard !mode.format.frameRates.isEmpty, let got = mode.frameRate else { return FormatSelector.unknownRateCost }
    return asked.isSameRate(as: got) ? 0 : abs(log2(asked.value / got.value))
  }

  private static func octaves(from asked: VideoDimensions, to got: VideoDimensions) -> Double {
    abs(log2(Double(asked.width) / Double(got.width))) + abs(log2(Double(asked.height) / Double(got.height)))
  }

  private static func distanceFromDefault(_ rate: Fraction?) -> Double {
    abs((rate ?? FormatSelector.defaultRate).value - FormatSelector.defaultRate.value)
  }

  private static func payloadRank(_ payload: Payload) -> Double {
    switch payload {
    case .raw(let format): format.chroma == .rgb ? 1 : 0
    case .jpeg: 2
    case .h264: 3
    default: 4
    }
  }
}

extension Candidate: Comparable {
  static func < (left: Candidate, right: Candidate) -> Bool { left.cost.lexicographicallyPrecedes(right.cost) }
  static func == (left: Candidate, right: Candidate) -> Bool { left.cost == right.cost }
}
