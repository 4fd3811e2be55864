/// How many columns of a terminal a text takes.

enum DisplayWidth {
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The text's beginning that fits.
  static func cut(_ text: String, to width: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += of(character)
        return used <= width
      })
  }

  /// Control characters would move the cursor; file names may contain them.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator, .format: "?"
          default: scalar
          }
        }))
  }

  /// Two for the scripts and symbols that terminals draw wide (Unicode Standard Annex 11).
  private static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
