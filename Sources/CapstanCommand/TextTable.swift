/// Rows of text in columns, for people.

struct TextTable: Sendable {
  var rows: [[String]]

  /// Two spaces between columns, none at the end of a line.
  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      let last = row.lastIndex { !$0.isEmpty } ?? 0
      return row[...last].enumerated().map { column, cell in
        let gap = column == last ? 0 : widths[column] - DisplayWidth.of(cell) + 2
        return cell + String(repeating: " ", count: gap)
      }.joined()
    }.joined(separator: "\n")
  }
}
