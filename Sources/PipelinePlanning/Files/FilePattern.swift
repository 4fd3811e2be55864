/// Names of files that follow one another: a date, a time and a counter stand where the pattern says.

/// `cam-%Y%m%d-%H%M%S-%05d.mp4`: dates as in strftime(3), `%05d` and its like for the number of the file, `%%` for a
/// percent sign. A pattern without a counter gets one before the extension.
public struct FilePattern: Sendable, Hashable {
  public let text: String

  public init(_ text: String) {
    self.text = FilePattern.counters(in: text).isEmpty ? FilePattern.counted(text) : text
  }

  /// - Parameters:
  ///   - number: of the file, from 0.
  ///   - dated: puts a date in the place of strftime's words; `nil` for words that it does not know.
  public func name(number: Int, dated: (String) -> String?) -> String? {
    var name = text
    for place in FilePattern.counters(in: text).reversed() {
      let width = Int(name[place].dropFirst().dropLast()) ?? 0
      let digits = String(number)
      name.replaceSubrange(place, with: String(repeating: "0", count: max(0, width - digits.count)) + digits)
    }
    return dated(name)
  }

  /// `%` and a width, then `d`: `%d` alone is the day of the month.
  private static func counters(in text: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var place = text.startIndex
    while place < text.endIndex {
      let next = text.index(after: place)
      guard text[place] == "%", next < text.endIndex else {
        place = next
        continue
      }
      let digits = text[next...].prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, digits.count <= 2, digits.endIndex < text.endIndex, text[digits.endIndex] == "d" {
        found.append(place..<text.index(after: digits.endIndex))
      }
      // The second of two percent signs begins nothing.
      place = text.index(after: digits.isEmpty ? next : digits.startIndex)
    }
    return found
  }

  private static func counted(_ text: String) -> String {
    let file = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let end = text[file...].lastIndex(of: ".").flatMap { $0 == file ? nil : $0 } ?? text.endIndex
    return "\(text[..<end])-%05d\(text[end...])"
  }
}
