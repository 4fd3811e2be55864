/// What `record` and `plan` were asked for: the preset with the command line's changes, and where the file goes.

import Capstan
import Foundation
import GStreamer

struct RecordRequest: Sendable, Hashable {
  /// `nil` for the first camera that can be used.
  var deviceName: String?
  var preset: Preset
  var output: MovieFileOutput
  var progress: ProgressChoice
  var isQuiet: Bool
  /// Events as they come, or the report at the end, on stdout.
  var writesEvents: Bool
  var writesReport: Bool
  /// Whether commands are read from standard input.
  var takesCommands: Bool
  /// What was understood in a way that may surprise.
  var notes: [String]

  /// - Throws: `UsageError` for what makes no sense, `ConfigurationError` for a preset or profile that is wrong.
  init(_ options: ParsedOptions, library: ProfileLibrary) throws {
    deviceName = options.string("device")
    if deviceName == "" { throw UsageError("--device", "''", allowed: "a path, a number, a name or synthetic") }
    (preset, notes) = try PresetReader(options: options, library: library).preset()
    progress = try options.value("progress", "auto, tty, plain or none", ProgressChoice.init(rawValue:)) ?? .auto
    isQuiet = options.flag("quiet")
    writesEvents = options.flag("events")
    writesReport = options.flag("json")
    takesCommands = options.flag("commands")
    output = try OutputReader(options: options).output()
    if isQuiet, options.has("progress"), progress != .none {
      throw UsageError("--quiet and --progress \(progress.rawValue) contradict each other; give one of them.")
    }
    try chooseContainer(from: try library.containers())
  }

  /// The file's extension decides, where it is that of a container.
  private mutating func chooseContainer(from containers: [ContainerProfile]) throws {
    guard case .file(let file) = output.destination, !file.pathExtension.isEmpty else { return }
    let suffix = file.pathExtension.lowercased()
    if let container = containers.first(where: { $0.fileExtension == suffix }) {
      preset.container = container.name
    } else {
      let known = containers.map { ".\($0.fileExtension)" }.joined(separator: " or ")
      notes.append("the name ends in .\(suffix), the file is \(preset.container); a name in \(known) decides that")
    }
  }
}

/// Where the file goes and when it ends.
struct OutputReader {
  let options: ParsedOptions

  func output() throws(UsageError) -> MovieFileOutput {
    var output = MovieFileOutput(try destination(), mayOverwrite: options.flag("overwrite"))
    output.maximumDuration = try options.value("duration", "a time above zero such as 5s, 500ms, 2min or 1:30") {
      Duration(parsing: $0).flatMap { $0 > .zero ? $0 : nil }
    }
    output.maximumFrames = try options.value("frames", "a whole number above zero") {
      $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0).flatMap { $0 > 0 ? $0 : nil } : nil
    }
    output.maximumBytes = try options.value("max-size", OutputReader.sizes, ByteCount.init(parsing:))?.bytes
    output.reservedBytes = try options.value("min-free", OutputReader.sizes, ByteCount.init(parsing:))?.bytes
    output.fileMode = try options.value("mode", "an octal number from 600 to 777, as 0600 or 640") {
      $0.allSatisfy { "01234567".contains($0) } ? UInt32($0, radix: 8).flatMap(OutputReader.mode) : nil
    }
    output.segments = try segments()
    output.replay = try replay()
    output.writesReport = options.flag("report")
    output.isStrict = options.flag("strict")
    return output
  }

  private static let sizes = "a size such as 100M, 2G or 512MiB"

  /// Whose owner can read and write.
  private static func mode(_ bits: UInt32) -> UInt32? { bits <= 0o777 && bits & 0o600 == 0o600 ? bits : nil }

  private func segments() throws(UsageError) -> SegmentRule? {
    let duration = try options.value("segment", "a time above zero such as 10s, 5min or 1:00:00") {
      Duration(parsing: $0).flatMap { $0 > .zero ? $0 : nil }
    }
    let size = try options.value("segment-size", OutputReader.sizes, ByteCount.init(parsing:))
    let keep = try options.value("keep", "a number of files, a time such as 1h, or a size such as 5G") {
      KeepRule(parsing: $0)
    }
    guard duration != nil || size != nil else {
      guard keep == nil else {
        throw UsageError("--keep is for recordings in several files; give --segment or --segment-size too.")
      }
      return nil
    }
    return SegmentRule(duration: duration, bytes: size?.bytes, keep: keep ?? KeepRule())
  }

  private func replay() throws(UsageError) -> ReplayRule? {
    let duration = try options.value("replay", "a time above zero such as 30s or 2min") {
      Duration(parsing: $0).flatMap { $0 > .zero ? $0 : nil }
    }
    let memory = try options.value("replay-memory", "a size from 1MiB on, such as 256M") {
      ByteCount(parsing: $0).flatMap { $0.bytes >= ReplayRule.leastBytes ? $0 : nil }
    }
    guard let duration else {
      guard memory == nil, !options.flag("replay-only") else {
        throw UsageError("--replay-memory and --replay-only go with --replay 30s; give that too.")
      }
      return nil
    }
    return ReplayRule(
      duration: duration, bytes: memory?.bytes ?? ReplayRule.standardBytes, isOnly: options.flag("replay-only"))
  }

  /// A folder that exists, or a path that ends in a slash: the file gets a name in it.
  private func destination() throws(UsageError) -> MovieFileOutput.Destination {
    guard let path = options.string("output") else {
      return .folder(URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    }
    if path.isEmpty || path == "-" {
      throw UsageError("--output", "'\(path)'", allowed: "the name of a file, or a folder with a slash at its end")
    }
    // With a slash behind it, a path exists only where it is a folder (path_resolution(7)).
    return path.hasSuffix("/") || FileManager.default.fileExists(atPath: "\(path)/")
      ? .folder(URL(filePath: path, directoryHint: .isDirectory))
      : .file(URL(filePath: path, directoryHint: .notDirectory))
  }
}

extension ParsedOptions {
  /// The value that an option's text stands for; `nil` where it was not given.
  func value<Value>(
    _ option: String, _ allowed: String, _ parse: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = string(option) else { return nil }
    guard let value = parse(text) else {
      throw UsageError("--\(option)", text.isEmpty ? "''" : text, allowed: allowed)
    }
    return value
  }
}
