/// What trials have found on this machine, on disk, so that an encoder is tried once and not at each start.

public import Foundation
import GStreamer

/// One JSON file, `encoders.json`, by default in `$XDG_CACHE_HOME/capstan` or `~/.cache/capstan`.
///
/// A finding counts for as long as the element's plug-in has its version and its file's date, and the machine its
/// processor. One that speaks against an encoder counts for a day, and for the same settings only: what ailed it may be
/// mended. A file that cannot be read is nobody's loss: it is made anew.
public struct EncoderCache: Sendable {
  public let file: URL

  public init(file: URL) { self.file = file }

  public static var standard: EncoderCache {
    let given = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      given.map { URL(filePath: $0, directoryHint: .isDirectory) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache", directoryHint: .isDirectory)
    return EncoderCache(file: base.appending(path: "capstan/encoders.json", directoryHint: .notDirectory))
  }

  /// A trial and where it holds.
  struct Entry: Codable, Sendable, Hashable {
    var subject: EncoderSubject
    var plugin: PluginStamp
    var processor: String
    /// What the encoder was told.
    var settings: String
    var finding: EncoderFinding
  }

  private struct Contents: Codable {
    /// Of the file's form.
    var version: Int
    var trials: [Entry]
  }

  private static let version = 1
  private static let validityOfFaults = Duration.seconds(86_400)

  // MARK: Reading

  /// What still holds on this machine.
  func entries() -> [Entry] {
    let processor = Processor.name
    var stamps: [String: PluginStamp?] = [:]
    return stored().filter { entry in
      let element = entry.subject.element
      let stamp = stamps[element] ?? PluginStamp(of: element)
      stamps[element] = stamp
      return entry.processor == processor && entry.plugin == stamp
    }
  }

  private func stored() -> [Entry] {
    guard let data = try? Data(contentsOf: file), let read = try? JSONDecoder().decode(Contents.self, from: data),
      read.version == EncoderCache.version
    else { return [] }
    return read.trials
  }

  /// Everything that was found, and still holds, for people and programs to look at.
  public var findings: [(subject: EncoderSubject, finding: EncoderFinding)] {
    entries().map { ($0.subject, $0.finding) }
  }

  /// For planning: figures of encoders that work.
  var evidence: EncoderEvidence {
    let sound = entries().filter(\.isSound)
    return EncoderEvidence(Dictionary(sound.map { ($0.subject, $0.finding) }) { $1 })
  }

  /// The finding of this very trial, if it was made before.
  func finding(of trial: EncoderTrial, now: Date = Date()) -> EncoderFinding? {
    let settings = Entry.settings(of: trial)
    return entries().last { entry in
      let age = now.timeIntervalSince(entry.finding.date)
      let isRecent = (0...EncoderCache.validityOfFaults.inSeconds).contains(age)
      return entry.subject == trial.subject && (entry.isSound || entry.settings == settings && isRecent)
    }?.finding
  }

  // MARK: Writing

  /// Takes the place of what was known of the same subject; in one step, so that a reader finds the old file or the new.
  /// - Throws: where the folder or the file cannot be written.
  func add(_ finding: EncoderFinding, of trial: EncoderTrial) throws {
    guard let plugin = PluginStamp(of: trial.subject.element) else { return }
    let entry = Entry(
      subject: trial.subject, plugin: plugin, processor: Processor.name, settings: Entry.settings(of: trial),
      finding: finding)
    let kept = stored().filter { $0.subject != entry.subject || $0.processor != entry.processor }
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(Contents(version: EncoderCache.version, trials: kept + [entry])).write(
      to: file, options: .atomic)
  }
}

extension EncoderCache.Entry {
  var isSound: Bool { !finding.faults(at: nil).contains(where: \.disqualifies) }

  static func settings(of trial: EncoderTrial) -> String {
    "\(LaunchLine(PipelineDescription(stages: [.init("encode", trial.nodes)])))"
  }
}

/// Tells one build of a plug-in from another.
struct PluginStamp: Codable, Sendable, Hashable {
  var version: String
  /// Of the file's last change, in seconds since 1970; 0 where the plug-in has no file.
  var date: Double

  /// `nil` where the element is not installed.
  init?(of element: String) {
    guard let version = ElementCatalog.pluginVersion(of: element) else { return nil }
    self.version = version
    let attributes = ElementCatalog.pluginFile(of: element)
      .flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
    date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970.rounded() ?? 0
  }
}

/// The processor, as `/proc/cpuinfo` (`proc(5)`) names it, and how many cores of it there are.
enum Processor {
  static let name: String = {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let fields = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1).map(trimmed) }
    // Not every architecture has a name for it.
    let names = ["model name", "Model", "Hardware", "cpu", "CPU part"]
    let found = names.lazy.compactMap { name in fields.first { $0.count == 2 && $0[0] == name }?[1] }.first
    return "\(found ?? "unknown") x \(ProcessInfo.processInfo.activeProcessorCount)"
  }()

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }
}
