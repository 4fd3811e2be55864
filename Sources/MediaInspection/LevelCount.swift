/// How often each code of 8 bits was seen in decoded pictures, and what that says of their range.

public import MediaFormats

public struct LevelCount: Sendable, Hashable {
  /// By code; deeper samples are counted by their upper 8 bits.
  public private(set) var luma: [Int]
  public private(set) var pictures = 0

  public init(luma: [Int] = Array(repeating: 0, count: 256), pictures: Int = 0) {
    precondition(luma.count == 256)
    self.luma = luma
    self.pictures = pictures
  }

  public mutating func add(_ counts: [Int]) {
    for code in luma.indices where code < counts.count { luma[code] += counts[code] }
    pictures += 1
  }

  public var samples: Int { luma.reduce(0, +) }
  public var lowest: Int? { luma.firstIndex { $0 > 0 } }
  public var highest: Int? { luma.lastIndex { $0 > 0 } }

  private func share(_ codes: ClosedRange<Int>) -> Double {
    let all = samples
    return all == 0 ? 0 : Double(luma[codes].reduce(0, +)) / Double(all)
  }

  // MARK: What they say

  /// What the samples are by themselves, whatever a tag says.
  public enum Evidence: String, Sendable, Hashable {
    /// Codes that limited range has no use for.
    case full
    /// A pile at 16 and one at 235, and next to nothing beyond.
    case limited
    case none
  }

  /// Coding rings past sharp edges by some codes: nearer to 16 and 235 than this nothing is told from it.
  static let ringing = 6
  /// Pictures with fewer samples than this beyond an edge have rung or have a few odd pixels; one in a thousand is a
  /// region that one can see.
  static let region = 0.001
  /// Codes on either side of an edge that belong to its pile.
  static let edge = 3

  /// Cameras in limited range use what is above 235 for highlights, but nothing below 16: darker codes are what tells
  /// full range, brighter ones only where no pile of black stands at 16.
  public var evidence: Evidence {
    let below = share(0...16 - LevelCount.ringing - 1)
    let above = share(235 + LevelCount.ringing + 1...255)
    let black = share(16 - LevelCount.edge...16 + LevelCount.edge)
    let white = share(235 - LevelCount.edge...235 + LevelCount.edge)
    if below >= LevelCount.region { return .full }
    if above >= LevelCount.region { return black >= LevelCount.region ? .none : .full }
    return black >= LevelCount.region && white >= LevelCount.region ? .limited : .none
  }
}

/// What a file's samples, stream and container say of the range, put together.
public enum RangeVerdict: String, Sendable, Hashable, Encodable {
  case fullRangeConfirmed, limitedConfirmed
  /// Blacks are shown grey and whites dull.
  case limitedPixelsTaggedFull
  /// Blacks and whites are cut off.
  case fullPixelsTaggedLimited
  /// Stream and container say different things.
  case signalsDisagree
  /// No picture reaches the ends of a range.
  case undetermined

  /// - Parameters:
  ///   - tag: what a player goes by; without any tag it takes limited range.
  public init(tag: ColorRange?, evidence: LevelCount.Evidence, signalsDisagree: Bool) {
    switch (signalsDisagree, tag ?? .limited, evidence) {
    case (true, _, _): self = .signalsDisagree
    case (_, .full, .full): self = .fullRangeConfirmed
    case (_, .full, .limited): self = .limitedPixelsTaggedFull
    case (_, .limited, .full): self = .fullPixelsTaggedLimited
    case (_, .limited, .limited): self = .limitedConfirmed
    case (_, _, .none): self = .undetermined
    }
  }

  public var isFault: Bool {
    switch self {
    case .limitedPixelsTaggedFull, .fullPixelsTaggedLimited, .signalsDisagree: true
    case .fullRangeConfirmed, .limitedConfirmed, .undetermined: false
    }
  }
}
