/// The name most likely meant by one that is not known.

enum NearestName {
  /// `nil` where nothing is near enough to be worth a guess.
  static func find(_ name: String, in known: [String]) -> String? {
    let wanted = plain(name)
    let ranked = known.map { (name: $0, distance: distance(wanted, plain($0))) }
    guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    if best.distance <= max(2, wanted.count / 3) && best.distance < wanted.count { return best.name }
    return known.filter { plain($0).hasPrefix(wanted) }.min()
  }

  /// Dashes, underscores and case are what people mix up most.
  private static func plain(_ name: String) -> [Character] {
    Array(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// Levenshtein's, in one row.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let substituted = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}

extension [Character] {
  fileprivate func hasPrefix(_ prefix: [Character]) -> Bool { starts(with: prefix) && !prefix.isEmpty }
}
