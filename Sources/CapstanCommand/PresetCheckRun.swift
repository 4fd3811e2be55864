/// `capstan presets check`: file by file what is wrong, or ok.

import Capstan

struct PresetCheckRun: Sendable {
  let console: Console
  var library = ProfileLibrary.standard

  /// One file's answer.
  struct Answer: Encodable, Sendable {
    var file: String
    var isRight: Bool
    /// What is wrong, each with its place.
    var errors: [String] = []
    /// What could not be checked here.
    var remarks: [String] = []

    private enum CodingKeys: String, CodingKey {
      case file
      case isRight = "ok"
      case errors, remarks
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
      let mistakes = try library.mistakes(in: file)
      guard mistakes.isEmpty else { return Answer(file: file, isRight: false, errors: mistakes.map(\.description)) }
      let resolved = try library.resolved(file)
      return Answer(file: file, isRight: true, remarks: try PresetChecker(library: library).check(resolved))
    } catch {
      return Answer(file: file, isRight: false, errors: ["\(error)"])
    }
  }

  private func tell(_ answer: Answer) {
    for error in answer.errors { console.say("capstan: \(error).") }
    guard answer.isRight else { return }
    console.answer(([answer.file, "ok"] + answer.remarks).joined(separator: ": "))
  }
}
