/// The rules by which a mode is chosen, as a list that can be read and printed: first those that a mode must meet, then
/// those that put the modes in order.

/// One rule. The rules of a kind apply in the order of the list; a later one decides only where all earlier ones leave
/// two modes equal.
public struct SelectionRule: Sendable {
  public enum Strength: String, Sendable, Hashable {
    /// A mode that does not meet it is out.
    case required
    /// A mode that meets it goes before one that does not: 0 before 1.
    case preferred
    /// The mode with the smaller figure goes first.
    case ranked
  }

  public let name: String
  public let strength: Strength
  /// What it says, for people.
  public let meaning: String
  let judge: Judge

  enum Judge: Sendable {
    /// Why a mode is out; `nil` where it is not.
    case required(@Sendable (CaptureMode, FormatRequest) -> String?)
    /// Smaller goes first.
    case ordered(@Sendable (CaptureMode, FormatRequest) -> Double)
    /// The same, told the nodes that have grey pictures or depth.
    case amongNodes(@Sendable (CaptureMode, Set<String?>) -> Double)
  }

  static func required(
    _ name: String, _ meaning: String, rejects: @escaping @Sendable (CaptureMode, FormatRequest) -> String?
  ) -> SelectionRule {
    SelectionRule(name: name, strength: .required, meaning: meaning, judge: .required(rejects))
  }

  static func preferred(
    _ name: String, _ meaning: String, _ holds: @escaping @Sendable (CaptureMode, FormatRequest) -> Bool
  ) -> SelectionRule {
    SelectionRule(name: name, strength: .preferred, meaning: meaning, judge: .ordered { holds($0, $1) ? 0 : 1 })
  }

  static func ranked(
    _ name: String, _ meaning: String, _ figure: @escaping @Sendable (CaptureMode, FormatRequest) -> Double
  ) -> SelectionRule {
    SelectionRule(name: name, strength: .ranked, meaning: meaning, judge: .ordered(figure))
  }
}

extension SelectionRule {
  /// In the order in which they apply.
  public static let all: [SelectionRule] = required + ordering

  // MARK: Required

  static let required: [SelectionRule] = [
    required("inputFormat", "the payload is the one that was asked for") { mode, request in
      request.payload.allows(mode.format) ? nil : "the request allows only \(request.payload)"
    },
    required("recordable", "something here can decode the payload") { mode, _ in mode.format.payload.refusal },
    required("native", "the camera makes the picture, no library; unless its code is asked for") { mode, request in
      mode.format.isEmulated && !request.payload.isPinned
        ? "it is emulated: a library makes it of another format; --input-format \(mode.format.fourCC.trimmed) takes it"
        : nil
    },
    required("exact", "nothing differs from the request, where its fallback is exact") { mode, request in
      guard request.fallback == .exact else { return nil }
      let deviations = Deviation.all(of: mode, from: request)
      return deviations.isEmpty ? nil : deviations.map(\.description).joined(separator: ", ")
    },
  ]

  // MARK: Preferred and ranked

  static let ordering: [SelectionRule] = [
    preferred("color", "a picture in colour; infrared and other grey ones last") { mode, _ in
      mode.format.payload.isColor
    },
    preferred("direction", "not above the request with lowerOrNearest, not below it with higherOrNearest") {
      ModeDistance(from: $1, to: $0).goes($1.fallback)
    },
    ranked("deviation", "octaves away in size and rate together: half the rate weighs as much as half the width") {
      ModeDistance(from: $1, to: $0).total
    },
    ranked("size", "octaves away in size: at equal deviation the size is kept") {
      ModeDistance(from: $1, to: $0).roundedSize
    },
    preferred("samples", "at least 8 bits a sample") { mode, _ in mode.format.payload.sampleDepth >= 8 },
    preferred("range", "the camera's own range is the asked one, so that nothing is converted") { mode, request in
      request.range == nil || request.range == mode.format.range
    },
    preferred("unemulated", "among pinned formats, one that the camera makes itself") { mode, _ in
      !mode.format.isEmulated
    },
    preferred("eightBit", "no more than 8 bits a sample") { mode, _ in mode.format.payload.sampleDepth <= 8 },
    ranked("payload", "0 raw YUV, 1 raw RGB (twice the bandwidth), 2 JPEG, 3 H.264, 4 others") { mode, _ in
      mode.format.payload.rank
    },
    ranked("area", "where the size is free: the larger picture, in pixels below none") { mode, request in
      request.dimensions == nil ? -Double(mode.dimensions.pixels) : 0
    },
    ranked("rate", "where the rate is free: frames a second away from 30, as drivers overstate what sensors do") {
      mode, request in
      let usual = FormatSelector.defaultRate
      return request.frameRate == nil ? abs((mode.frameRate ?? usual).value - usual.value) : 0
    },
    SelectionRule(
      name: "node", strength: .preferred,
      meaning: "of a node without grey pictures or depth: an infrared sensor's can be in a colour format too",
      judge: .amongNodes { mode, greyNodes in greyNodes.contains(mode.format.node) ? 1 : 0 }),
    ranked("order", "the device's own order") { mode, _ in Double(mode.format.index) },
  ]
}

extension Payload {
  /// Bits a sample; 8 for coded pictures.
  fileprivate var sampleDepth: Int { if case .raw(let format) = self { format.depth } else { 8 } }

  fileprivate var rank: Double {
    switch self {
    case .raw(let format): format.chroma == .rgb ? 1 : 0
    case .jpeg: 2
    case .h264: 3
    default: 4
    }
  }
}
