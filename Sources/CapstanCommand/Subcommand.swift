/// What a sub-command is, and which there are.

import Capstan
import GStreamer

protocol Subcommand: Sendable {
  static var name: String { get }
  /// For the list of commands.
  static var summary: String { get }
  static var options: [CommandOption] { get }
  /// Usage and options; at most 80 columns, and 24 lines together with the exit codes.
  static var help: String { get }
  /// True where words may stand without an option.
  static var takesWords: Bool { get }

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode
}

extension Subcommand {
  static var takesWords: Bool { false }
  static var helpText: String { "\(help)\n\n\(ExitCode.explanation)" }

  /// - Parameter acceptsGStreamerOptions: `--gst-debug` and its like; GStreamer starts with them.
  static func parser(acceptsGStreamerOptions: Bool = true) -> OptionParser {
    OptionParser(
      program: "capstan \(name)", options: options, acceptsGStreamerOptions: acceptsGStreamerOptions)
  }
}

enum Subcommands {
  static let all: [any Subcommand.Type] = [
    DevicesCommand.self, FormatsCommand.self, PlanCommand.self, RecordCommand.self, PresetsCommand.self,
    EncodersCommand.self, ControlsCommand.self, CheckCommand.self, SalvageCommand.self,
  ]

  static func named(_ name: String) throws(UsageError) -> any Subcommand.Type {
    if let found = all.first(where: { $0.name == name }) { return found }
    throw UsageError(unknown: "command", name, known: all.map { $0.name } + ["help"])
  }
}

extension CaptureDevice {
  /// The one that was named, or the first that can be used.
  static func chosen(_ name: String?) throws(CaptureError) -> CaptureDevice {
    if let name { try named(name) } else { try preferred() }
  }
}
