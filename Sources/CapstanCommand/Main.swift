/// The command's start and its only exit.

import Foundation
import GStreamer

@main
struct Main {
  static func main() async {
    StandardDescriptors.complete()
    let console = Console()
    ProcessSignals.ignoreFailedWrites()
    let code = await Dispatcher(console: console).run(OptionParser.processArguments)
    await console.settle()
    guard let cause = console.output.failure else { exit(code.rawValue) }
    console.say("capstan: Not all could be written to the standard output: \(cause).")
    await console.settle()
    exit(code == .done ? ExitCode.outputUnavailable.rawValue : code.rawValue)
  }
}
