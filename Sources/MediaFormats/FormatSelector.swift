/// Chooses the mode of a camera on the whole: payload, size, rate and range together, never one list at a time.

/// The rules are `SelectionRule.all`: required ones reject, the others put what is left in order, and the first mode is
/// taken.
///
/// Each row gives one mode for each of its rates. Its size and rate are snapped to the request by the rules of
/// `SteppedRange.snap` and `FrameRateRange.snap`; where the request names no size the largest is meant, and no rate 30,
/// as ranges in drivers overstate what a sensor can do. A row without any rate stays: the asked rate is tried on it, and
/// said to be unknown.
public struct FormatSelector: Sendable {
  /// Assumed where a request names no rate.
  static let defaultRate = Fraction(30)
  static let offerCount = 5

  public let request: FormatRequest

  public init(_ request: FormatRequest) { self.request = request }

  /// The best mode, or why there is none with the nearest ones. The work grows with the number of modes, not faster.
  public func select(from formats: [DeviceFormat]) -> FormatSelection {
    let greyNodes = FormatSelector.greyNodes(of: formats)
    let judged = formats.lazy.flatMap(modes).map { Judgement($0, for: request, greyNodes: greyNodes) }
    var best: Judgement?
    var offers: [Judgement] = []
    for judgement in judged {
      if judgement.rejection == nil {
        if best.map(judgement.goesBefore) ?? true { best = judgement }
      } else if judgement.rejection?.rule == "exact" {
        FormatSelector.keep(judgement, in: &offers)
      }
    }
    if let best {
      return best.deviations.isEmpty ? .exact(best.mode) : .adjusted(best.mode, best.deviations)
    }
    guard let nearest = offers.first else { return .impossible(reason: refusal(of: formats), nearest: []) }
    let reason = "no mode is exactly \(request): \(nearest.deviations.map(\.description).joined(separator: ", "))"
    return .impossible(reason: reason, nearest: offers.map(\.mode))
  }

  /// Every mode with what the rules say of it: the candidates, best first, then those that are out, in the device's
  /// order.
  public func judgements(of formats: [DeviceFormat]) -> [Judgement] {
    let greyNodes = FormatSelector.greyNodes(of: formats)
    let judged = formats.flatMap(modes).map { Judgement($0, for: request, greyNodes: greyNodes) }
    return judged.filter { $0.rejection == nil }.sorted { $0.goesBefore($1) } + judged.filter { $0.rejection != nil }
  }

  private static func greyNodes(of formats: [DeviceFormat]) -> Set<String?> {
    Set(formats.filter { $0.payload.isGrey }.map(\.node))
  }

  private func modes(of format: DeviceFormat) -> [CaptureMode] {
    let dimensions =
      request.dimensions.map { format.dimensions.snap($0, request.fallback.snapping) } ?? format.dimensions.largest
    let wantedRate = request.frameRate ?? FormatSelector.defaultRate
    let rates: [Fraction?] =
      format.frameRates.isEmpty ? [request.frameRate] : format.frameRates.map { $0.snap(wantedRate) }
    return rates.map { CaptureMode(format: format, dimensions: dimensions, frameRate: $0) }
  }

  /// The few best of those that came by, in order.
  private static func keep(_ judgement: Judgement, in offers: inout [Judgement]) {
    if offers.count == offerCount, let last = offers.last, !judgement.goesBefore(last) { return }
    offers.insert(judgement, at: offers.firstIndex { judgement.goesBefore($0) } ?? offers.endIndex)
    if offers.count > offerCount { offers.removeLast() }
  }

  // MARK: Why there is nothing

  private func refusal(of formats: [DeviceFormat]) -> String {
    guard !formats.isEmpty else { return "the device lists no video format" }
    let allowed = formats.filter { request.payload.allows($0) }
    if allowed.isEmpty {
      return "the device has no format \(request.payload); it has \(FormatSelector.codes(of: formats))"
    }
    let codes = FormatSelector.codes(of: allowed)
    if let emulated = allowed.first(where: { $0.payload.refusal == nil && $0.isEmulated }) {
      return
        "the device has only \(codes), which a library emulates; --input-format \(emulated.fourCC.trimmed) takes it"
    }
    let reason = allowed.first?.payload.refusal ?? "nothing here can decode it"
    return "the device has only \(codes), which cannot be recorded: \(reason)"
  }

  private static func codes(of formats: [DeviceFormat]) -> String {
    var seen = Set<FourCC>()
    return formats.map(\.fourCC).filter { seen.insert($0).inserted }.map(\.trimmed).joined(separator: ", ")
  }
}
