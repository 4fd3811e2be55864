/// `capstan devices`: the cameras of this machine.

import Capstan
import GStreamer

enum DevicesCommand: Subcommand {
  static let name = "devices"
  static let summary = "the cameras of this machine"
  static let options = [RecordOptions.json, CommandOption("watch", description: "")]
  static let help = """
    Usage: capstan devices [--json] [--watch]

    Lists the cameras of this machine: the id, which stays when node numbers change,
    the node that is used, the name, the driver and place, further nodes of the same
    camera, and what keeps one from being used. --device takes the id, the name or
    words of it, a node's path, number or /dev/v4l link, which is that node alone,
    or several in order of preference: --device 'Brio,C922,any'. The built-in
    camera, which is always there and is not listed, is called synthetic.

          --json             a list on stdout, for programs
          --watch            goes on with a line for each camera that comes or goes,
                             until interrupted; with --json an object a line
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    if options.flag("watch") { return try await watch(console, isJSON: options.flag("json")) }
    let devices = CaptureDevice.discover()
    if options.flag("json") {
      console.answer(try JSONText.answer(devices))
    } else if devices.isEmpty {
      console.say("No camera was found. Plug one in, or use the built-in one: --device synthetic.")
    } else {
      console.answer(TextTable(rows: devices.map(row)).text)
    }
    return .done
  }

  private static func row(_ device: CaptureDevice) -> [String] {
    let kind =
      switch device.kind {
      case .v4l2(_, let driver, let bus): [driver, bus].filter { !$0.isEmpty }.joined(separator: ", ")
      case .element: "GStreamer element"
      case .synthetic: "built in"
      case .listing: "a list of formats"
      }
    let others = device.nodes.map(\.path).filter { $0 != device.path }
    let remark = others.isEmpty ? kind : "\(kind); also \(others.joined(separator: ", "))"
    return [device.id, device.path ?? "", device.name, device.problem.map(\.description) ?? remark]
  }

  // MARK: Watching

  private static func watch(_ console: Console, isJSON: Bool) async throws -> ExitCode {
    let signals = ProcessSignals()
    let watching = Task {
      // The watch begins before the first list, so that nothing falls between the two.
      var changes = CaptureDevice.changes.makeAsyncIterator()
      for device in CaptureDevice.discover() { tell(.added(device), console, isJSON: isJSON, isPresent: true) }
      while let change = await changes.next() { tell(change, console, isJSON: isJSON, isPresent: false) }
    }
    for await _ in signals.received { break }
    watching.cancel()
    return .done
  }

  private static func tell(_ change: CaptureDevice.Change, _ console: Console, isJSON: Bool, isPresent: Bool) {
    let word = isPresent ? "present" : change.name
    if isJSON, let line = try? JSONText.line(ChangeAnswer(change: word, device: change.device)) {
      console.answer(line)
    } else {
      console.answer(([word] + row(change.device).filter { !$0.isEmpty }).joined(separator: "  "))
    }
  }
}

/// One line of `devices --watch --json`.
private struct ChangeAnswer: Encodable, Sendable {
  /// `present` for what was there at the start, then `added` and `removed`.
  var change: String
  var device: CaptureDevice
}
