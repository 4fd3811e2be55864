/// `capstan encoders`: which encoders there are, and where to get those that are missing.

import Capstan
import GStreamer

enum EncodersCommand: Subcommand {
  static let name = "encoders"
  static let summary = "which encoders are installed, and where to get the others"
  static let options = [RecordOptions.json]
  static let help = """
    Usage: capstan encoders [--json]

    Lists the encoders that --encoder takes: the codec, whether it is installed or
    which Debian package has it, and what it is good for.

          --json             a list on stdout, for programs
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    try GStreamerRuntime.initialize()
    let encoders = try ProfileLibrary.standard.encoders().map(EncoderAnswer.init)
    if options.flag("json") {
      console.answer(try JSONText.answer(encoders))
    } else {
      console.answer(TextTable(rows: encoders.map(\.row)).text)
    }
    return .done
  }
}

struct EncoderAnswer: Encodable, Sendable {
  var name: String
  var codec: String
  var installed: Bool
  /// Debian's; `nil` where none is known.
  var package: String?
  var summary: String

  init(_ profile: EncoderProfile) {
    name = profile.element
    codec = profile.codec
    installed = ElementCatalog.contains(profile.element)
    package = ElementCatalog.debianPackage(of: profile.element)
    summary = profile.summary
  }

  var row: [String] {
    let place = package.map { "in \($0)" } ?? "not installed"
    return [name, codec, installed ? "installed" : place, summary]
  }
}
