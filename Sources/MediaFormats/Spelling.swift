/// Finds the name that was probably meant.

package enum Spelling {
  /// The nearest of the names, or else one that begins with the word; `nil` where nothing is near enough to be worth
  /// a guess. Dashes, underscores and case, which people mix up most, do not count.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let wanted = plain(word)
    guard !wanted.isEmpty else { return nil }
    let ranked = names.map { (name: $0, distance: distance(wanted, plain($0))) }
    guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    if best.distance <= max(2, wanted.count / 3) && best.distance < wanted.count { return best.name }
    return ranked.map(\.name).filter { plain($0).starts(with: wanted) }.min()
  }

  private static func plain(_ name: String) -> [Character] {
    Array(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// Levenshtein's: insertions, deletions and replacements, in one row.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (line, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, row[place] + 1, row[place + 1] + 1)
      }
    }
    return row[right.count]
  }
}
