/// Options of a command line as values: what is declared, what was given, and what was wrong with it.

package struct CommandOption: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case flag
    /// UTF-8; the last one given counts.
    case string
    /// UTF-8; may be given again and again.
    case strings
    /// Any bytes, as file names are.
    case path
    case paths
  }

  package var long: String
  package var short: Character?
  package var kind: Kind
  /// What stands for the value in the help, as `FILE`.
  package var argumentName: String?
  package var description: String
  package var isHidden: Bool

  package init(
    _ long: String, short: Character? = nil, kind: Kind = .flag, argumentName: String? = nil, description: String,
    isHidden: Bool = false
  ) {
    self.long = long
    self.short = short
    self.kind = kind
    self.argumentName = argumentName
    self.description = description
    self.isHidden = isHidden
  }
}

/// Options that the help lists under a heading of their own.
package struct CommandOptionGroup: Sendable, Hashable {
  package var name: String
  /// The heading.
  package var title: String
  package var options: [CommandOption]

  package init(name: String, title: String, options: [CommandOption]) {
    self.name = name
    self.title = title
    self.options = options
  }
}

package struct ParsedOptions: Sendable, Hashable {
  var flags: Set<String> = []
  var values: [String: [[UInt8]]] = [:]
  /// What is no option, in order, and everything after `--`; bytes, because they may be file names.
  package internal(set) var remainingBytes: [[UInt8]] = []

  /// The same as text; what is not UTF-8 is repaired.
  package var remaining: [String] { remainingBytes.map { String(decoding: $0, as: UTF8.self) } }

  package func flag(_ long: String) -> Bool { flags.contains(long) }

  /// The last value given, as text.
  package func string(_ long: String) -> String? { strings(long).last }

  /// All values given, in order, as text.
  package func strings(_ long: String) -> [String] {
    values[long, default: []].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The last value given, byte for byte.
  package func bytes(_ long: String) -> [UInt8]? { values[long]?.last }

  /// True where the option was given at all.
  package func has(_ long: String) -> Bool { flags.contains(long) || values[long] != nil }
}

package enum OptionError: Error, Sendable, Hashable {
  /// `option` is as it was written.
  case unknown(option: String, nearest: String?)
  /// GLib's sentence, as for a value that is missing.
  case malformed(reason: String)
  /// A text option was given bytes that are no text.
  case notText(option: String)
  case runtime(RuntimeError)
}

extension OptionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let option, let nearest?): "There is no option \(option); did you mean \(nearest)?"
    case .unknown(let option, nil): "There is no option \(option); --help lists those there are."
    case .malformed(let reason): "The command line cannot be read: \(reason)."
    case .notText(let option): "The value of --\(option) is not valid UTF-8 text."
    case .runtime(let error): error.description
    }
  }
}
