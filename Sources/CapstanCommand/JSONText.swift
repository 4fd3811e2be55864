/// Values as JSON text: one answer over several lines, or one object on a line of its own.

import Capstan
import Foundation

enum JSONText {
  /// Keys in order, so that two answers can be compared line by line.
  static func answer(_ value: some Encodable) throws -> String {
    try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  static func line(_ value: some Encodable) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// Why there is no answer.
struct FailureAnswer: Encodable, Sendable {
  var success = false
  var error: CaptureError
}
