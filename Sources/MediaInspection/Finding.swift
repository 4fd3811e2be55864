/// What is wrong with a file, each by a name that programs can test.

public struct Finding: Sendable, Hashable, Encodable {
  public enum Kind: String, Sendable, Hashable, Encodable {
    case limitedPixelsTaggedFull, fullPixelsTaggedLimited, signalsDisagree
    /// A colour field is unknown, with which Chromium shows the picture wrong.
    case shownWrongInBrowsers
    /// A colour field is not written, and players guess.
    case colorUnknown
    /// The container's colour is of a wrong length.
    case colorBoxMalformed
    /// A profile, chroma or depth that browsers and phones do not decode.
    case notPlayedEverywhere
    /// Container and stream do not have one size.
    case sizesDisagree
    case gap
    /// Two frames at one time, or one before the frame that it follows.
    case timesDisordered
    case keyFramesFarApart
    /// The edit list leaves pictures out, or begins with nothing.
    case edited
    /// Movie, track and frames do not have one length.
    case durationsDisagree
    /// Fragments, or a part that is not whole: the recording did not get to its end.
    case unfinished
    case noFrames
    /// The stream's header cannot be read, nothing of it could be decoded, or parts of it are holes.
    case undecodable
  }

  public var kind: Kind
  /// In words, with figures, as a sentence without its stop.
  public var detail: String

  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
