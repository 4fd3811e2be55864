/// A text property that holds several options, as `ref=1:cabac=1` of x264enc: taken apart, merged and joined again.

/// How the options of one property are joined.
public struct OptionList: Sendable, Hashable {
  /// Between two options.
  public var separator: String
  /// What stands before all of them, as the name in `controls,video_bitrate=8000000`; `nil` where nothing does.
  public var head: String?

  struct Option: Sendable, Hashable {
    var name: String
    /// `nil` for one that is a word by itself.
    var value: String?
  }

  /// Empty pieces and a head, whatever its name, are left out.
  func options(in text: String) -> [Option] {
    let pieces = text.split(separator: separator).map { piece in
      let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return Option(name: sides[0].filter { $0 != " " }, value: sides.count == 2 ? sides[1] : nil)
    }
    return head != nil && pieces.first?.value == nil ? Array(pieces.dropFirst()) : pieces
  }

  func text(of options: [Option]) -> String {
    let pieces = options.map { option in option.value.map { "\(option.name)=\($0)" } ?? option.name }
    return ((head.map { [$0] } ?? []) + pieces).joined(separator: separator)
  }
}
