/// What is wrong with the words that were typed.

import MediaFormats

struct UsageError: Error, Sendable, Hashable {
  /// A sentence that says what would be right.
  var message: String

  init(_ message: String) { self.message = message }

  /// A value that is not one of those an option takes.
  init(_ option: String, _ value: String, allowed: String) {
    message = "\(option) \(value) makes no sense: \(option) takes \(allowed)."
  }

  /// A word that is not among the known ones, with the nearest of them.
  init(unknown kind: String, _ word: String, known: [String]) {
    let hint = Spelling.nearest(to: word, among: known).map { "did you mean \($0)?" }
    message = "There is no \(kind) \(word); \(hint ?? "there are \(known.joined(separator: ", ")).")"
  }
}
