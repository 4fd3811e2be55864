/// Numbers out of range in a launch description: the parser of gst-launch-1.0 warns on the terminal, keeps the default
/// and calls it a success.

import MediaFormats

enum LaunchDescription {
  /// The first assignment that its element takes for out of range; everything else is the parser's to judge.
  static func valueOutOfRange(in description: String) -> PropertyError? {
    var element: Element?
    for word in words(of: description) {
      if word == "!" || word == ":" {
        element = nil
      } else if let equals = word.firstIndex(of: "=") {
        let property = String(word[..<equals])
        let value = PropertyValue.string(String(word[word.index(after: equals)...]))
        if let error = element.flatMap({ refusal(of: property, value, by: $0) }) { return error }
      } else if !word.contains("/") {
        element = try? Element(factory: word)
      }
    }
    return nil
  }

  private static func refusal(of property: String, _ value: PropertyValue, by element: Element) -> PropertyError? {
    do throws(PropertyError) {
      try element.set(property, to: value)
      return nil
    } catch {
      guard case .outOfRange = error else { return nil }
      return error
    }
  }

  /// Split at spaces outside of quotes; quotes and backslashes are taken out.
  private static func words(of description: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in description {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character.isWhitespace {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
