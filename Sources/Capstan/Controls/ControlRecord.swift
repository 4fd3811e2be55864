/// What a camera's controls were before a recording changed them, on disk: after a kill the next start puts them back.

import Foundation
import GStreamer
import Synchronization

struct ControlRecord: Codable, Sendable, Hashable {
  struct Entry: Codable, Sendable, Hashable {
    var name: String
    /// To be put back.
    var before: Int64
    /// As set for the recording.
    var during: Int64
  }

  /// A process, told apart from a later one of the same number by its start.
  struct Owner: Codable, Sendable, Hashable {
    var process: Int32
    /// Clock ticks since the machine started (`proc(5)`, field 22 of `/proc/PID/stat`).
    var startTime: UInt64

    static var current: Owner? {
      let number = ProcessInfo.processInfo.processIdentifier
      return startTime(of: number).map { Owner(process: number, startTime: $0) }
    }

    var isAlive: Bool { Owner.startTime(of: process) == startTime }

    private static func startTime(of process: Int32) -> UInt64? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        // The program's name stands in brackets and may hold anything.
        let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[end...].split(separator: " ")
      return fields.count > 20 ? UInt64(fields[20]) : nil
    }
  }

  var camera: String
  var owner: Owner?
  /// In the order in which they were set.
  var controls: [Entry]
}

/// The file of one camera's record.
struct ControlRecordFile: Sendable, Hashable {
  let url: URL

  /// Files of recordings that this process is making.
  private static let active = Mutex<Set<URL>>([])

  /// - Parameter identity: what tells the camera from others of its kind.
  init(identity: [String], folder: URL = ControlRecordFile.folder) {
    let words = identity.filter { !$0.isEmpty }.joined(separator: "-").map { character -> Character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character)) ? character : "_"
    }
    url = folder.appending(path: "controls-\(String(words)).json", directoryHint: .notDirectory)
  }

  /// `$XDG_STATE_HOME/capstan`, or `~/.local/state/capstan`. A relative path counts as none, as the XDG specification
  /// has it.
  static var folder: URL {
    let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      state.map { URL(filePath: $0, directoryHint: .isDirectory) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state", directoryHint: .isDirectory)
    return base.appending(path: "capstan", directoryHint: .isDirectory)
  }

  /// In one step: a reader finds the whole record or none.
  func write(_ record: ControlRecord) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(record).write(to: url, options: .atomic)
    ControlRecordFile.active.withLock { _ = $0.insert(url) }
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
    release()
  }

  /// This process is done with it: whoever comes next may put the controls back.
  func release() { ControlRecordFile.active.withLock { _ = $0.remove(url) } }

  /// What a recording that is over left to be put back; `nil` where there is nothing, or where the recording still runs.
  func leftBehind() -> ControlRecord? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    guard let record = try? JSONDecoder().decode(ControlRecord.self, from: data) else {
      remove()
      return nil
    }
    if let owner = record.owner {
      let isOurs = owner == ControlRecord.Owner.current
      if isOurs ? ControlRecordFile.active.withLock({ $0.contains(url) }) : owner.isAlive { return nil }
    }
    return record
  }
}
