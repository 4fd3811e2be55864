/// A `GOptionContext` with the memory that it writes values into; lives for one reading of a command line.

import CGStreamer

/// All values are taken as file names, because GLib converts texts from the locale, and in the C locale refuses
/// everything beyond ASCII; which of them have to be UTF-8 is checked afterwards.
@safe final class OptionTable {
  let context: OpaquePointer
  private let options: [CommandOption]
  /// One slot an option: a `gboolean`, a `char *` or a `char **`; the last one takes what is no option.
  private let slots: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var strings: [UnsafeMutablePointer<CChar>] = unsafe []
  private var tables: [UnsafeMutablePointer<GOptionEntry>] = unsafe []

  init(_ parser: OptionParser) {
    let main = parser.options + OptionTable.additions(parser)
    options = main + parser.groups.flatMap(\.options)
    unsafe slots = .allocate(capacity: options.count + 1)
    unsafe slots.initialize(repeating: nil, count: options.count + 1)
    unsafe context = g_option_context_new(parser.operands.isEmpty ? nil : parser.operands)
    unsafe g_option_context_set_help_enabled(context, 0)
    if !parser.summary.isEmpty { unsafe g_option_context_set_summary(context, parser.summary) }
    if !parser.details.isEmpty { unsafe g_option_context_set_description(context, parser.details) }
    unsafe g_option_context_add_main_entries(context, entries(main, from: 0, takesRest: true), nil)
    addGroups(parser.groups, from: main.count)
    if parser.acceptsGStreamerOptions {
      GStreamerRuntime.keepSignals()
      unsafe g_option_context_add_group(context, gst_init_get_option_group())
    }
  }

  deinit {
    unsafe g_option_context_free(context)
    for (index, option) in options.enumerated() {
      switch option.kind {
      case .flag: break
      case .string, .path: unsafe g_free(slots[index])
      case .strings, .paths: unsafe g_strfreev(vector(index))
      }
    }
    unsafe g_strfreev(vector(options.count))
    unsafe slots.deallocate()
    for index in unsafe tables.indices { unsafe tables[index].deallocate() }
    for index in unsafe strings.indices { unsafe g_free(strings[index]) }
  }

  /// What was given, once the context has parsed.
  func parsed() throws(OptionError) -> ParsedOptions {
    var parsed = ParsedOptions()
    for (index, option) in options.enumerated() {
      switch option.kind {
      case .flag: if unsafe slots[index] != nil { parsed.flags.insert(option.long) }
      case .string, .path:
        guard let text = unsafe slots[index] else { continue }
        parsed.values[option.long] = [unsafe bytes(text.assumingMemoryBound(to: CChar.self))]
      case .strings, .paths:
        let given = unsafe list(vector(index))
        if !given.isEmpty { parsed.values[option.long] = given }
      }
    }
    parsed.remainingBytes = unsafe list(vector(options.count))
    try checkTexts(parsed)
    return parsed
  }

  private func checkTexts(_ parsed: ParsedOptions) throws(OptionError) {
    for option in options where option.kind == .string || option.kind == .strings {
      for value in parsed.values[option.long, default: []] where String(validating: value, as: UTF8.self) == nil {
        throw .notText(option: option.long)
      }
    }
  }

  /// The main options come first in GLib: with these there, GStreamer's own, which print and exit, are never reached.
  private static func additions(_ parser: OptionParser) -> [CommandOption] {
    let declared = Set(parser.options.map(\.long))
    let shorts = Set(parser.options.compactMap(\.short))
    var additions = [
      CommandOption("help", short: shorts.contains("h") ? nil : "h", description: "Show this help")
    ]
    if parser.acceptsGStreamerOptions {
      additions.append(CommandOption("gst-version", description: "", isHidden: true))
      additions.append(CommandOption("gst-debug-help", description: "", isHidden: true))
    }
    return additions.filter { !declared.contains($0.long) }
  }

  private func addGroups(_ groups: [CommandOptionGroup], from start: Int) {
    var start = start
    for group in groups {
      let made = unsafe g_option_group_new(group.name, group.title, group.title, nil, nil)
      unsafe g_option_group_add_entries(made, entries(group.options, from: start, takesRest: false))
      unsafe g_option_context_add_group(context, made)
      start += group.options.count
    }
  }

  /// A table that ends in a null entry, kept until the context goes.
  private func entries(
    _ options: [CommandOption], from start: Int, takesRest: Bool
  ) -> UnsafeMutablePointer<GOptionEntry> {
    let table = UnsafeMutablePointer<GOptionEntry>.allocate(capacity: options.count + 2)
    unsafe table.initialize(repeating: GOptionEntry(), count: options.count + 2)
    unsafe tables.append(table)
    for (index, option) in options.enumerated() {
      unsafe table[index] = entry(option, slot: slots + start + index)
    }
    if takesRest {
      unsafe table[options.count] = GOptionEntry(
        long_name: kept(""), short_name: 0, flags: 0, arg: G_OPTION_ARG_FILENAME_ARRAY,
        arg_data: slots + self.options.count, description: nil, arg_description: nil)
    }
    return unsafe table
  }

  private func entry(
    _ option: CommandOption, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> GOptionEntry {
    let argument: GOptionArg =
      switch option.kind {
      case .flag: G_OPTION_ARG_NONE
      case .string, .path: G_OPTION_ARG_FILENAME
      case .strings, .paths: G_OPTION_ARG_FILENAME_ARRAY
      }
    let short = option.short?.asciiValue.map { gchar(bitPattern: $0) } ?? 0
    return unsafe GOptionEntry(
      long_name: kept(option.long), short_name: short,
      flags: option.isHidden ? gint(G_OPTION_FLAG_HIDDEN.rawValue) : 0, arg: argument, arg_data: slot,
      description: kept(option.description), arg_description: option.argumentName.flatMap { unsafe kept($0) })
  }

  private func kept(_ text: String) -> UnsafePointer<CChar>? {
    guard let copy = unsafe g_strdup(text) else { return nil }
    unsafe strings.append(copy)
    return unsafe UnsafePointer(copy)
  }

  private func vector(_ index: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    unsafe slots[index]?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
  }

  private func list(_ vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [[UInt8]] {
    var items: [[UInt8]] = []
    guard var next = unsafe vector else { return items }
    while let text = unsafe next.pointee {
      items.append(unsafe bytes(text))
      unsafe next += 1
    }
    return items
  }

  private func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    unsafe UnsafeBufferPointer(start: text, count: Int(strlen(text))).map { UInt8(bitPattern: $0) }
  }
}
