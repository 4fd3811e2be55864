/// What is wrong with a preset, an encoder, a container or a notes file: where it is, and what would be right.

public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// As it was named; where nothing of this name was found, the name.
  public var file: String
  /// Line and column, from 1; `nil` where the whole file is meant.
  public var line: Int?
  public var column: Int?
  /// As `request.size`; empty for the whole file.
  public var keyPath: String
  public var problem: String

  package init(file: String, keyPath: String = "", problem: String) {
    self.file = file
    self.keyPath = keyPath
    self.problem = problem
  }

  init(at place: SourcePlace, keyPath: String = "", problem: String) {
    self.init(file: place.file, keyPath: keyPath, problem: problem)
    line = place.line
    column = place.column
  }

  /// `FILE:LINE:COLUMN: KEY: PROBLEM`.
  public var description: String {
    let place = [file] + [line, column].compactMap { $0.map(String.init) }
    let parts = [place.joined(separator: ":")] + (keyPath.isEmpty ? [] : [keyPath.shortened]) + [problem.shortened]
    return parts.joined(separator: ": ").printable
  }
}

extension String {
  /// What a file says may be of any length; a sentence may not.
  fileprivate var shortened: String { count > 2000 ? "\(prefix(200))…\(suffix(200))" : self }

  /// Without what a terminal would obey.
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
