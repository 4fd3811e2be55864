/// `capstan presets check`: file by file what is wrong, or ok.

import Capstan

struct PresetCheckRun: Sendable {
  let console: Console
  var library = ProfileLibrary.standard

  /// One file's answer.
  struct Answer: Encodable, Sendable {
    var file: String
    var isRight: Bool
    /// What is wrong, with its place.
    var error: String?
    /// What could not be checked here.
    var remarks: [String] = []

    private enum CodingKeys: String, CodingKey {
      case file
      case isRight = "ok"
      case error, remarks
    }
  }

  func check(_ files: [String], asJSON: Bool) throws -> ExitCode {
    guard !files.isEmpty else { throw UsageError("capstan presets check takes the files or names of presets.") }
    var answers: [Answer] = []
    for file in files { answers.append(try check(file)) }
    if asJSON { console.answer(try JSONText.answer(answers)) } else { answers.forEach(tell) }
    return answers.allSatisfy(\.isRight) ? .done : .requestImpossible
  }

  private func check(_ file: String) throws -> Answer {
    do throws(ConfigurationError) {
      let resolved = try library.resolved(file)
      return Answer(file: file, isRight: true, remarks: try PresetChecker(library: library).check(resolved))
    } catch {
      return Answer(file: file, isRight: false, error: "\(error)")
    }
  }

  private func tell(_ answer: Answer) {
    if let error = answer.error { return console.say("capstan: \(error).") }
    console.answer(([answer.file, "ok"] + answer.remarks).joined(separator: ": "))
  }
}
