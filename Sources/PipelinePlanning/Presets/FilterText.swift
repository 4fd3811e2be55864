/// A preset's filters as gst-launch-1.0's parser takes them when they stand alone.

extension Preset {
  /// Caps at either end of a description are a mistake to the parser, which looks for an element there; one that lets
  /// everything pass gives them something to hold on to.
  public static func standingAlone(filter: String) -> String {
    let pieces = filter.split(separator: "!", omittingEmptySubsequences: false)
    let first = pieces.first.map(isCaps) == true ? "\(PipelineDescription.passage) ! " : ""
    let last = pieces.last.map(isCaps) == true ? " ! \(PipelineDescription.passage)" : ""
    return first + filter + last
  }

  /// A media type, as `video/x-raw`, where an element's name would stand.
  private static func isCaps(_ piece: Substring) -> Bool {
    let word = piece.drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
      .prefix { !$0.isWhitespace && $0 != "," && $0 != "(" && $0 != "=" }
    return word.contains("/")
  }
}
