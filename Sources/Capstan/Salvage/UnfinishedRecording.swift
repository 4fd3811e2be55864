/// A recording that was cut off, as far as it can be read: which frames are whole, and what it was to be called.

import Foundation
import MediaInspection

struct UnfinishedRecording: Sendable {
  let file: URL
  /// With those frames only that are there whole, from the first that can be decoded by itself.
  let media: MediaFile
  /// False for a file that a player takes as it is.
  let needsCompletion: Bool
  /// Bytes that hold frames behind a damaged place, which cannot be read.
  let unreadBytes: UInt64

  /// - Throws: `notReadable`.
  init(_ file: URL) throws(CaptureError) {
    self.file = file
    let name = file.lastPathComponent
    var media: MediaFile
    do { media = try MediaFile(contentsOf: file) } catch {
      throw CaptureError(.notReadable, "\(name) cannot be completed: \(error).")
    }
    let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize).map { UInt64($0) } ?? 0
    let whole = media.frames.filter { $0.size > 0 && $0.offset + UInt64($0.size) <= size }
    let isMatroska = [.mkv, .webm].contains(media.container)
    let isOrdinary = isMatroska ? media.layout.parts.contains("Cues") : media.layout.isWhole
    needsCompletion = !isOrdinary || whole.count < media.frames.count
    // Where that cannot be told, nothing may be removed.
    unreadBytes = needsCompletion ? (try? media.unreadBytes(in: file)) ?? size : 0
    media.frames = Array(whole.drop { !$0.isKey })
    guard !media.frames.isEmpty else {
      throw CaptureError(.notReadable, "\(name) holds no whole picture: there is nothing to complete.")
    }
    self.media = media
  }

  /// `a.mp4` for `a.recording.mp4` and `a.recording-1.mp4`; `nil` for another name.
  var finalName: URL? {
    let (stem, suffix) = (file.deletingPathExtension().lastPathComponent, file.pathExtension)
    guard let mark = stem.firstMatch(of: #/\.recording(-\d+)?$/#) else { return nil }
    let name = String(stem[..<mark.range.lowerBound])
    return file.deletingLastPathComponent().appending(path: suffix.isEmpty ? name : "\(name).\(suffix)")
  }

  /// Beside it, as it keeps its own.
  var recoveredName: URL {
    let (stem, suffix) = (file.deletingPathExtension().lastPathComponent, file.pathExtension)
    return file.deletingLastPathComponent().appending(path: "\(stem)-recovered.\(suffix.isEmpty ? "mp4" : suffix)")
  }

  /// Those of earlier runs in a folder. One that a process has open is not, and neither is one that was written to a
  /// moment ago, as /proc does not show the files of other users.
  static func all(in folder: URL, before now: Date = Date()) -> [URL] {
    closed(in: folder) { now.timeIntervalSince($0) > quiet }
  }

  /// Those that nobody is seen to write, and that were written to a moment ago.
  static func recent(in folder: URL, before now: Date = Date()) -> [URL] {
    closed(in: folder) { now.timeIntervalSince($0) <= quiet }
  }

  private static func closed(in folder: URL, modified isWanted: (Date) -> Bool) -> [URL] {
    let keys: [URLResourceKey] = [.contentModificationDateKey, .isRegularFileKey]
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)) ?? []
    return files.filter { file in
      guard file.lastPathComponent.contains(#/\.recording(-\d+)?\.[A-Za-z0-9]+$/#),
        let values = try? file.resourceValues(forKeys: Set(keys)), values.isRegularFile == true,
        let modified = values.contentModificationDate, isWanted(modified)
      else { return false }
      return NodeHolders(of: [file.resolvingSymlinksInPath().path(percentEncoded: false)]).read().isEmpty
    }.sorted { $0.path() < $1.path() }
  }

  /// Seconds.
  private static let quiet = 10.0
}

extension MediaFile.Layout {
  /// One index for all there is: pictures behind it are those of a fragment that did not get its own.
  fileprivate var isWhole: Bool {
    fragments == 0 && !isTruncated && parts.count { $0 == "mdat" } == 1
  }
}
