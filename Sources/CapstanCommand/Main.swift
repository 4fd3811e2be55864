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
    exit(code == .done && console.output.hasFailed ? ExitCode.outputUnavailable.rawValue : code.rawValue)
  }
}
