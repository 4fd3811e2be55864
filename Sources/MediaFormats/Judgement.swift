/// What the rules say of one mode: why it is out, or its figures.

public struct Judgement: Sendable, Hashable {
  /// Why a mode is out.
  public struct Rejection: Sendable, Hashable, Encodable {
    /// Name of a required rule.
    public var rule: String
    public var reason: String
  }

  public struct Score: Sendable, Hashable, Encodable {
    /// Name of a preferred or ranked rule.
    public var rule: String
    /// The smaller goes first; preferred rules give 0 or 1.
    public var figure: Double
  }

  public let mode: CaptureMode
  /// `nil` for a candidate.
  public let rejection: Rejection?
  /// Everything in which the mode differs from the request.
  public let deviations: [Deviation]
  /// Those of `SelectionRule.ordering`, in its order.
  let figures: [Double]

  /// - Parameter greyNodes: nodes of the device that have grey pictures or depth.
  init(_ mode: CaptureMode, for request: FormatRequest, greyNodes: Set<String?>) {
    self.mode = mode
    rejection = Judgement.rejection(of: mode, request)
    deviations = Deviation.all(of: mode, from: request)
    figures = SelectionRule.ordering.map { rule in
      switch rule.judge {
      case .ordered(let figure): figure(mode, request)
      case .amongNodes(let figure): figure(mode, greyNodes)
      case .required: 0
      }
    }
  }

  /// One for each preferred and ranked rule, in the order in which they apply.
  public var scores: [Score] {
    zip(SelectionRule.ordering, figures).map { Score(rule: $0.name, figure: $1) }
  }

  private static func rejection(of mode: CaptureMode, _ request: FormatRequest) -> Rejection? {
    for rule in SelectionRule.required {
      if case .required(let reason) = rule.judge, let reason = reason(mode, request) {
        return Rejection(rule: rule.name, reason: reason)
      }
    }
    return nil
  }

  /// True where the rules take it before the other.
  func goesBefore(_ other: Judgement) -> Bool { figures.lexicographicallyPrecedes(other.figures) }
}

extension Deviation {
  /// All points in which a mode is not what was asked.
  static func all(of mode: CaptureMode, from request: FormatRequest) -> [Deviation] {
    var found: [Deviation] = []
    if let asked = request.dimensions, asked != mode.dimensions {
      found.append(.dimensions(asked: asked, got: mode.dimensions))
    }
    if let asked = request.frameRate {
      if mode.format.frameRates.isEmpty {
        found.append(.frameRateUnknown(asked: asked))
      } else if let got = mode.frameRate, !asked.isSameRate(as: got) {
        found.append(.frameRate(asked: asked, got: got))
      }
    }
    if let asked = request.range, asked != mode.format.range {
      found.append(.range(asked: asked, got: mode.format.range))
    }
    if !mode.format.payload.isColor, !request.payload.isPinned { found.append(.monochrome) }
    return found
  }
}
