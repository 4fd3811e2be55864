/// Raw properties of an encoder in one word: `key-int-max=30;tune=zerolatency`.

enum EncoderOptions {
  static let allowed = "properties as 'name=value;name=value'"

  /// Values may contain `=`; a property named twice is a contradiction.
  static func parse(_ text: String) throws(UsageError) -> [String: String] {
    var options: [String: String] = [:]
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
        throw UsageError("--encoder-opts", "'\(text)'", allowed: allowed)
      }
      guard options.updateValue(sides[1], forKey: sides[0]) == nil else {
        throw UsageError("--encoder-opts names \(sides[0]) twice; name it once.")
      }
    }
    guard !options.isEmpty else { throw UsageError("--encoder-opts", "'\(text)'", allowed: allowed) }
    return options
  }
}
