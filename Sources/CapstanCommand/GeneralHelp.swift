/// What `capstan --help` and `capstan --version` say.

import GStreamer

enum GeneralHelp {
  static let number = "0.1.0"

  static func version() throws -> String {
    try GStreamerRuntime.initialize()
    return "capstan \(number) (\(GStreamerRuntime.version))"
  }

  static var text: String {
    let commands = Subcommands.all.map { ["  " + $0.name, $0.summary] }
    return """
      Usage: capstan COMMAND [OPTION...]

      Records cameras: finds out what they can do, takes the mode that was asked, and
      writes a file that plays everywhere and says the truth about its colour.

      \(TextTable(rows: commands).text)

      capstan alone shows the cameras and what to type; capstan help COMMAND, or
      capstan COMMAND --help, shows the options of a command; capstan --version.

      \(ExitCode.explanation)
      """
  }
}
