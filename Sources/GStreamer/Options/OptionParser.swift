/// The command line read by GLib's `GOptionContext`, as every GStreamer tool does it; it never prints or exits.

import CGStreamer
import MediaFormats

package struct OptionParser: Sendable {
  /// As the usage line names it, `capstan record`.
  package var program: String
  /// What follows the options in the usage line, as `[FILE…]`.
  package var operands: String
  /// Above the options.
  package var summary: String
  /// Below the options.
  package var details: String
  package var options: [CommandOption]
  package var groups: [CommandOptionGroup]
  /// Takes `--gst-debug` and its like too (`gst_init_get_option_group`), and starts GStreamer with them.
  package var acceptsGStreamerOptions: Bool

  package init(
    program: String, operands: String = "", summary: String = "", details: String = "", options: [CommandOption],
    groups: [CommandOptionGroup] = [], acceptsGStreamerOptions: Bool = false
  ) {
    self.program = program
    self.operands = operands
    self.summary = summary
    self.details = details
    self.options = options
    self.groups = groups
    self.acceptsGStreamerOptions = acceptsGStreamerOptions
  }

  /// The process's own arguments byte for byte, the program's name left out: `CommandLine.arguments` repairs what is
  /// not UTF-8.
  package static var processArguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { argument in unsafe bytes(of: argument) }
    }
  }

  /// Reads arguments without the program's name. `--help`, `-h` and `-?` come back as the flag `help`.
  package func parse(_ arguments: [String]) throws(OptionError) -> ParsedOptions {
    try parse(bytes: arguments.map { Array($0.utf8) })
  }

  /// The same for arguments that need not be UTF-8, as file names on Linux.
  package func parse(bytes arguments: [[UInt8]]) throws(OptionError) -> ParsedOptions {
    try checkFlags(arguments)
    let table = OptionTable(self)
    var vector = unsafe OptionParser.vector([Array(program.utf8)] + arguments)
    defer { unsafe g_strfreev(vector) }
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_option_context_parse_strv(table.context, &vector, &error) != 0 else {
      throw unsafe failure(error)
    }
    return try table.parsed()
  }

  /// GLib would take `--quiet=no` for `--quiet`.
  private func checkFlags(_ arguments: [[UInt8]]) throws(OptionError) {
    let flags = Set((options + groups.flatMap(\.options)).filter { $0.kind == .flag }.map { "--\($0.long)" })
    for argument in arguments.prefix(while: { $0 != Array("--".utf8) }) {
      guard let equals = argument.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: argument[..<equals], as: UTF8.self)
      if flags.contains(name) { throw .malformed(reason: "\(name) takes no value") }
    }
  }

  /// Usage, summary, options by group, details; GStreamer's own options are left out (`g_option_context_get_help`).
  package var helpText: String {
    var own = self
    own.acceptsGStreamerOptions = false  // Fifteen lines that no user of a recorder looks for.
    let table = OptionTable(own)
    let text = unsafe adopted(g_option_context_get_help(table.context, 0, nil)) ?? ""
    return withProgram(in: text)
  }

  /// GLib writes the process's name into the usage line, which is the second one.
  private func withProgram(in help: String) -> String {
    var lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count > 1, let options = lines[1].firstIndex(of: "[") else { return help }
    lines[1] = "  \(program) \(lines[1][options...])"
    return lines.joined(separator: "\n")
  }

  private func failure(_ error: UnsafeMutablePointer<GError>?) -> OptionError {
    let isUnknown = unsafe g_error_matches(error, g_option_error_quark(), gint(G_OPTION_ERROR_UNKNOWN_OPTION.rawValue))
    let reason = unsafe adoptedMessage(error) ?? "GLib gave no reason"
    guard isUnknown != 0, let dash = reason.firstIndex(of: "-") else { return .malformed(reason: reason) }
    let option = String(reason[dash...])
    let known = (options + groups.flatMap(\.options)).filter { !$0.isHidden }.map(\.long)
    let wanted = String(option.drop { $0 == "-" }.prefix { $0 != "=" })
    let nearest = option.hasPrefix("--") ? Spelling.nearest(to: wanted, among: known).map { "--\($0)" } : nil
    return .unknown(option: option, nearest: nearest)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = unsafe text
    while unsafe next.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: next.pointee))
      unsafe next += 1
    }
    return bytes
  }

  /// A vector as GLib owns them, to be freed with `g_strfreev`. An argument ends at its first zero byte, as in C.
  private static func vector(
    _ arguments: [[UInt8]]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let size = unsafe MemoryLayout<UnsafeMutablePointer<CChar>?>.size
    let vector = unsafe g_malloc0_n(gsize(arguments.count + 1), gsize(size))!
      .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    for (index, argument) in arguments.enumerated() {
      unsafe (argument + [0]).withUnsafeBufferPointer { text in
        unsafe text.baseAddress!.withMemoryRebound(to: CChar.self, capacity: text.count) {
          unsafe vector[index] = g_strdup($0)
        }
      }
    }
    return unsafe vector
  }
}
