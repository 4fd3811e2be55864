/// Finds the sub-command that a command line names, runs it, and says what went wrong.

import Capstan
import Foundation
import GStreamer

struct Dispatcher: Sendable {
  let console: Console

  /// - Parameter arguments: without the program's name, byte for byte.
  func run(_ arguments: [[UInt8]]) async -> ExitCode {
    guard let first = arguments.first.map({ String(decoding: $0, as: UTF8.self) }) else {
      return await Overview(console: console).show()
    }
    let rest = Array(arguments.dropFirst())
    do {
      switch first {
      case EncoderProber.command: return TrialProgram.run(rest.map { String(decoding: $0, as: UTF8.self) })
      case "help": return try help(rest.map { String(decoding: $0, as: UTF8.self) })
      case _ where first.hasPrefix("-"): return try global(arguments)
      default: return try await run(try Subcommands.named(first), rest)
      }
    } catch {
      return tell(error)
    }
  }

  private func run(_ command: any Subcommand.Type, _ arguments: [[UInt8]]) async throws -> ExitCode {
    let options = try command.parser().parse(bytes: arguments)
    if options.flag("help") {
      console.answer(command.helpText)
      return .done
    }
    if let word = options.remaining.first, !command.takesWords {
      throw UsageError("\(word) is one word too many: capstan \(command.name) takes options only.")
    }
    do {
      return try await command.run(options, console)
    } catch let error as CaptureError {
      try answer(error, options)
      throw error
    } catch let error as ConfigurationError {
      try answer(CaptureError(.configuration, "\(error)."), options)
      throw error
    }
  }

  /// A program that asked for JSON gets the failure as JSON too.
  private func answer(_ error: CaptureError, _ options: ParsedOptions) throws {
    if options.flag("json") { console.answer(try JSONText.answer(FailureAnswer(error: error))) }
  }

  // MARK: Without a sub-command

  private func help(_ words: [String]) throws -> ExitCode {
    guard words.count < 2 else { throw UsageError("help takes the name of one command.") }
    guard let word = words.first else {
      console.answer(GeneralHelp.text)
      return .done
    }
    console.answer(try Subcommands.named(word).helpText)
    return .done
  }

  private func global(_ arguments: [[UInt8]]) throws -> ExitCode {
    let version = CommandOption("version", short: "V", description: "")
    let options = try OptionParser(program: "capstan", options: [version]).parse(bytes: arguments)
    if let word = options.remaining.first {
      throw UsageError("The command comes before its options: capstan \(word) ...")
    }
    console.answer(options.flag("version") ? try GeneralHelp.version() : GeneralHelp.text)
    return .done
  }

  // MARK: Failures

  private func tell(_ error: any Error) -> ExitCode {
    let (text, code): (String, ExitCode) =
      switch error {
      case let error as UsageError: (error.message, .usage)
      case OptionError.runtime(let error): ("\(error)", .recordingFailed)
      case let error as OptionError: ("\(error)", .usage)
      case let error as CaptureError: ("\(error)", ExitCode(error.code))
      case let error as ConfigurationError: ("\(error).", .requestImpossible)
      default: ("\(error)", .recordingFailed)
      }
    console.say("capstan: \(text)")
    return code
  }
}
