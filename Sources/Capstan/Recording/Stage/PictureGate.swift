/// Keeps damaged pictures out of a recording: a decoder would fill their missing part with grey, and the encoder would
/// build on it until the next key frame.

struct PictureGate: Sendable {
  enum Verdict: Sendable, Hashable {
    case pass, drop
    /// Passes, and so will everything from now on.
    case giveUp
  }

  /// Damaged pictures in a row, from the first on, after which the camera is taken to mark none as whole: some leave
  /// the end marker out of every JPEG. Half a second at 60 fps.
  static let patience = 30

  private var hasSeenWhole = false
  private var damaged = 0
  private var isOpen = false

  /// - Parameters:
  ///   - isFlagged: the driver says that it is damaged (`V4L2_BUF_FLAG_ERROR`).
  ///   - hasEnd: whether a JPEG has its end marker; `nil` for other payloads.
  mutating func judge(isFlagged: Bool, hasEnd: Bool?) -> Verdict {
    if isOpen { return .pass }
    guard isFlagged || hasEnd == false else {
      hasSeenWhole = true
      return .pass
    }
    damaged += 1
    guard !hasSeenWhole, damaged > PictureGate.patience else { return .drop }
    isOpen = true
    return .giveUp
  }
}
