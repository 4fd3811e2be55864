/// What is known of the encoders of a machine by trying them.

import MediaFormats

public struct EncoderEvidence: Sendable, Hashable {
  public private(set) var findings: [EncoderSubject: EncoderFinding]
  /// Trials that could not be made, and why; each the end of a sentence.
  private var untried: [EncoderSubject: String] = [:]

  public init(_ findings: [EncoderSubject: EncoderFinding] = [:]) { self.findings = findings }

  public subscript(subject: EncoderSubject) -> EncoderFinding? { findings[subject] }

  public mutating func add(_ finding: EncoderFinding, for subject: EncoderSubject) { findings[subject] = finding }

  /// The encoder is then taken unproven, and that is said.
  public mutating func add(untried reason: String, for subject: EncoderSubject) { untried[subject] = reason }

  /// Why there is no finding, where that is known.
  func reasonUntried(_ subject: EncoderSubject) -> String? { untried[subject] }

  /// Findings by speed for pictures of this size; the layout does not matter for what a picture costs, chroma and depth
  /// do.
  func speeds(of element: String, _ dimensions: VideoDimensions, like format: PixelFormat) -> [String: EncoderFinding] {
    var found: [String: EncoderFinding] = [:]
    for (subject, finding) in findings where subject.element == element && subject.dimensions == dimensions {
      let isAlike = subject.format.chroma == format.chroma && subject.format.depth == format.depth
      guard isAlike, let speed = subject.speed else { continue }
      if found[speed] == nil || subject.format == format { found[speed] = finding }
    }
    return found
  }
}

extension EncoderProfile {
  /// True where being installed says little: hardware may be missing or broken, and a file of the user's own may name
  /// anything. Such an encoder is tried before it records. The software encoders that come with Capstan are known to do
  /// what their files say.
  public var needsProof: Bool { isHardware || !isBundled }
}
