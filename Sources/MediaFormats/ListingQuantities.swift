/// Reads the sizes and rates of a listing.

extension ListingReader {
  /// `1280x 720`, or `  32x  32 to 2592x1944 by 2x2`.
  static func dimensions(_ text: Substring) throws(Problem) -> DimensionsRange {
    let plain = text.filter { $0 != " " }
    if let single = VideoDimensions(parsing: plain) { return DimensionsRange(single) }
    guard let to = plain.firstRange(of: "to"), let by = plain.firstRange(of: "by"), to.upperBound <= by.lowerBound,
      let low = sides(plain[..<to.lowerBound]), let high = sides(plain[to.upperBound..<by.lowerBound]),
      let step = sides(plain[by.upperBound...]), low.width <= high.width, low.height <= high.height, step.width > 0,
      step.height > 0
    else { throw Problem(problem: "\"\(text)\" is no size such as 1280x720 or 32x32 to 2592x1944 by 2x2") }
    return DimensionsRange(
      width: SteppedRange(min: low.width, max: high.width, step: step.width),
      height: SteppedRange(min: low.height, max: high.height, step: step.height))
  }

  /// Also those beyond what a picture can have: drivers name such bounds.
  private static func sides(_ text: Substring) -> VideoDimensions? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(digits: sides[0]), let height = Int(digits: sides[1]) else { return nil }
    return VideoDimensions(width: width, height: height)
  }

  /// ` 1- 60 `, `60, 59.94 (7013/117) `, `unknown `.
  static func rates(_ text: Substring) throws(Problem) -> [FrameRateRange] {
    let plain = text.filter { $0 != " " }
    if plain == ListingWord.unknownRate { return [] }
    var ranges: [FrameRateRange] = []
    for part in plain.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(rate)
      guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1], low <= high else {
        throw Problem(problem: "\"\(part)\" is no rate such as 60, 1-60, 7.5 or 59.94 (7013/117)")
      }
      ranges.append(FrameRateRange(min: low, max: high))
    }
    return ranges
  }

  private static func rate(_ text: Substring) -> Fraction? {
    // GStreamer's "any rate" ends at the largest integer of 32 bits.
    if let whole = Int(digits: text), whole <= Int(Int32.max) { return Fraction(whole) }
    guard text.last == ")", let place = text.firstIndex(of: "(") else { return Fraction(parsing: text) }
    return Fraction(parsing: text[text.index(after: place)...].dropLast())
  }
}
