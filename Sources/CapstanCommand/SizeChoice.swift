/// A size in words: `1280x720`, or a number of lines with or without a rate, as `720p60`.

import Capstan

struct SizeChoice: Sendable, Hashable {
  var dimensions: VideoDimensions
  /// Frames a second; `nil` where only a size was named.
  var frameRate: Fraction?

  static let allowed = "a size such as 1280x720, or a short form such as 720p, 720p60 or 1080p29.97"

  /// Lines stand for a picture of 16:9, but 480 for the 4:3 that cameras have there. `nil` for anything else.
  init?(parsing text: String) {
    if let dimensions = VideoDimensions(parsing: text) {
      self.init(dimensions: dimensions)
      return
    }
    let parts = text.lowercased().split(separator: "p", omittingEmptySubsequences: false)
    guard parts.count == 2, let lines = SizeChoice.lines(parts[0]) else { return nil }
    let width = lines == 480 ? 640 : (lines * 16 / 9 + 1) / 2 * 2
    self.init(dimensions: VideoDimensions(width: width, height: lines))
    guard !parts[1].isEmpty else { return }
    guard let rate = FrameRateChoice.parse(String(parts[1])) else { return nil }
    frameRate = rate
  }

  private init(dimensions: VideoDimensions) { self.dimensions = dimensions }

  private static func lines(_ text: Substring) -> Int? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let lines = Int(text), (16...8640).contains(lines) else {
      return nil
    }
    return lines
  }
}

enum FrameRateChoice {
  static let allowed = "frames a second such as 60, 59.94, 60000/1001 or 7.5, above 0 and at most 1000"

  static func parse(_ text: String) -> Fraction? {
    Fraction(parsing: text).flatMap { $0.numerator > 0 && $0.value <= 1000 ? $0 : nil }
  }
}
