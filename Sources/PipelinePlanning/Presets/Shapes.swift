/// The shapes that presets are made of: sizes, rates, times and what else has a form of its own.

import MediaFormats

extension Shape {
  static let boolean = Shape.scalar(wanted: "true or false", [.boolean])
  static let text = Shape.scalar(wanted: "a text", [.text(pattern: "^[^\\u0000]*$")])
  static let name = Shape.scalar(wanted: "a name", [.text(pattern: "^[A-Za-z0-9_.+-]+$")])

  static let profile = Shape.scalar(wanted: "a profile such as \"main\"", [.text(pattern: "^[A-Za-z0-9:.-]+$")])

  static func words(_ words: [String]) -> Shape { .scalar(wanted: Shape.listed(words), [.words(words)]) }

  /// `"a", "b" or "c"`.
  static func listed(_ words: [String]) -> String {
    let quoted = words.map { "\"\($0)\"" }
    return quoted.count < 2
      ? quoted.joined() : "\(quoted.dropLast().joined(separator: ", ")) or \(quoted[quoted.count - 1])"
  }

  /// From 1 to 65,535.
  private static let side =
    "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"

  static let size = Shape.scalar(
    wanted: "a size such as \"1280x720\", or \"any\"", [.words(["any"]), .text(pattern: "^\(side)x\(side)$")])

  static let exactSize = Shape.scalar(
    wanted: "a size such as \"640x360\"", [.text(pattern: "^\(side)x\(side)$")])

  /// At least one digit is no zero.
  private static let aboveZero = "(?=[^1-9]*[1-9])"

  static let frameRate = Shape.scalar(
    wanted: "a rate such as 60, 59.94 or \"60000/1001\" above zero, or \"any\"",
    [
      .words(["any"]), .number(0.001...99_999),
      .text(pattern: "^(?:\(aboveZero)[0-9]{1,5}(?:\\.[0-9]{1,3})?|[1-9][0-9]{0,6}/[1-9][0-9]{0,6})$"),
    ])

  /// Below 1 kbit/s a unit was forgotten; 10 Gbit/s is more than any encoder takes.
  static let bitRate = Shape.scalar(
    wanted: "a bit rate such as \"8M\" or \"800k\" (bits a second)",
    [
      .number(1000...9_999_999_999),
      .text(
        pattern: "^(?:0*[1-9][0-9]{3,9}|0*[1-9][0-9]{0,6}(?:\\.[0-9]{1,6})?[kK]"
          + "|(?:0*[1-9][0-9]{0,3}(?:\\.[0-9]{1,6})?|0*\\.0{0,2}[1-9][0-9]{0,5})[mM]"
          + "|(?:0*[1-9](?:\\.[0-9]{1,6})?|0*\\.0{0,5}[1-9][0-9]{0,5})[gG])$"),
    ])

  private static let timePattern =
    "^\(aboveZero)(?:[0-9]{1,9}(?:\\.[0-9]{1,3})?(?:us|ms|s|sec)?|[0-9]{1,5}(?:\\.[0-9]{1,3})?(?:min|m|h)"
    + "|[0-9]{1,5}(?::[0-5]?[0-9]){1,2}(?:\\.[0-9]{1,3})?)$"

  static let time = Shape.scalar(
    wanted: "a time such as \"2s\", \"500ms\", \"2min\" or \"1:30\", above zero (a number is seconds)",
    [
      .number(0.001...999_999_999),
      .text(pattern: timePattern),
    ])

  /// The same, and 0.
  static let timeOrNever = Shape.scalar(
    wanted: "a time such as \"5s\" or \"500ms\" (a number is seconds), or 0 for never",
    [
      .number(0...999_999_999), .words(["0", "0s"]),
      .text(pattern: timePattern),
    ])

  /// With a unit, as a plain number is likely to lack one.
  static let byteCount = Shape.scalar(
    wanted: "a size such as \"100M\", \"2.5G\" or \"512MiB\", above zero",
    [.text(pattern: "^\(aboveZero)[0-9]{1,9}(?:\\.[0-9]{1,3})?(?:[kKMG]i?B?|Ti?B?|B)$")])

  static let payload = Shape.scalar(
    wanted: "\"auto\", \"raw\", \"mjpeg\", \"h264\" or a four-character code",
    [.words(["auto", "raw", "mjpeg", "h264"]), .text(pattern: "^[A-Za-z0-9 ]{1,4}$")])

  static let sourceColor = Shape.scalar(
    wanted: ColorWish.sourceWords,
    [
      .words(["full", "limited", "pc", "tv", "bt601", "bt709"]),
      .text(pattern: "^[0-2]:[0-6]:(?:[0-9]|1[0-6]):(?:[0-9]|1[0-2])$"),
    ])

  static let depth = Shape.scalar(wanted: "8 or 10 (bits)", [.oneOf([8, 10]), .words(["8", "10"])])

  static let quality = Shape.scalar(
    wanted: "a whole number from 0 (smallest file) to 100 (best picture)", [.integer(0...100)])

  static let bFrames = Shape.scalar(wanted: "a whole number from 0 to 16", [.integer(0...16)])

  static let threads = Shape.scalar(
    wanted: "\"auto\" or a whole number from 1 to 256", [.words(["auto"]), .integer(1...256)])

  static let count = Shape.scalar(wanted: "a whole number above zero", [.integer(1...1_000_000_000_000)])

  /// What people type for a speed: a word, or a step of a ladder.
  static let speed = Shape.scalar(
    wanted: "\"auto\" or one of the encoder's own speeds",
    [.integer(-100...100), .text(pattern: "^[A-Za-z0-9_.+-]+$")])

  static let property = Shape.scalar(
    wanted: "a text, a number, true or false",
    [.boolean, .number(-1e15...1e15), .text(pattern: "^[^\\u0000]*$")])

  static let control = Shape.scalar(
    wanted: "a number, true or false, or a text such as \"50 Hz\"",
    [.boolean, .integer(-9_007_199_254_740_991...9_007_199_254_740_991), .text(pattern: "^[^\\u0000]*$")])

  static let launch = Shape.scalar(
    wanted: "elements such as \"videoflip video-direction=horiz\"",
    [.text(pattern: "^[^\\u0000]*[A-Za-z][^\\u0000]*$")])

  static let argument = Shape.scalar(wanted: "a text of at least one character", [.text(pattern: "^[^\\u0000]+$")])

  static func texts(_ shape: Shape, item: String) -> Shape { .list(of: shape, item: item, oneMayStandAlone: true) }
}
