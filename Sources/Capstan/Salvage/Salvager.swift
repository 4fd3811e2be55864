/// Completes recordings that were cut off: by a kill, a crash or a power cut.

public import Foundation
import GStreamer
import MediaInspection

/// ```swift
/// let report = try await Salvager().salvage(URL(filePath: "clip.recording.mp4"))
/// print(report.file, report.frames)
/// ```
///
/// The pictures are not touched: each frame that is there whole goes into an ordinary file, which gets the name that the
/// recording would have had. The unfinished file is removed only once the new one has been read again and holds
/// every frame; it is kept where it has not the name that unfinished files get, and where a part of it is damaged.
public struct Salvager: Sendable {
  private let library: ProfileLibrary

  public init(library: ProfileLibrary = .standard) { self.library = library }

  /// - Throws: `notReadable` for a file that is no recording or holds no whole picture, `invalidState` for one that is
  ///   being written or completed, `notWritable` and `diskFull` for the new one. The unfinished file then stays as it
  ///   was.
  public func salvage(_ file: URL) async throws(CaptureError) -> SalvageReport {
    try await salvage(file, evenDamaged: true)
  }

  /// - Parameter evenDamaged: false for what nobody asked for: a file that is kept would be completed again and again.
  func salvage(_ file: URL, evenDamaged: Bool) async throws(CaptureError) -> SalvageReport {
    let file = file.standardizedFileURL
    let lock = try SalvageLock(file)
    defer { lock.release() }
    if let holder = NodeHolders(of: [file.resolvingSymlinksInPath().path(percentEncoded: false)]).read().first {
      throw CaptureError(
        .invalidState, "\(file.lastPathComponent) is being written by \(holder).", remedy: "Wait until it has ended.")
    }
    let unfinished = try UnfinishedRecording(file)
    try checkTracks(of: unfinished)
    guard evenDamaged || unfinished.unreadBytes == 0 else {
      throw CaptureError(
        .notReadable, "A part of it is damaged; `capstan salvage` completes what can be read, and keeps it.")
    }
    guard unfinished.needsCompletion else { return try renamed(unfinished) }
    return try await completed(unfinished)
  }

  /// Recordings of earlier runs in a folder that were cut off: those that nobody is writing.
  public static func unfinished(in folder: URL) -> [URL] { UnfinishedRecording.all(in: folder) }

  /// Those that were written to only moments ago, which `unfinished` leaves out: they may still be somebody's.
  public static func recent(in folder: URL) -> [URL] { UnfinishedRecording.recent(in: folder) }

  /// Capstan records one track of pictures: what has more is another program's, and would lose it.
  private func checkTracks(of unfinished: UnfinishedRecording) throws(CaptureError) {
    guard unfinished.media.layout.otherTracks > 0, unfinished.needsCompletion || unfinished.finalName != nil else {
      return
    }
    throw CaptureError(
      .notReadable,
      "\(unfinished.file.path(percentEncoded: false)) holds sound or further tracks, which would be lost: "
        + "it is no recording of Capstan, and is left as it is.",
      remedy: "`ffmpeg -i FILE -c copy NEW` makes a new file that keeps them.")
  }

  /// A file of an earlier run that is whole and only has not got its name.
  private func renamed(_ unfinished: UnfinishedRecording) throws(CaptureError) -> SalvageReport {
    guard let name = unfinished.finalName else {
      return SalvageReport(
        source: unfinished.file, file: unfinished.file, frames: unfinished.media.frames.count, wasWhole: true)
    }
    var output = try OutputFile(completed: unfinished.file, as: name)
    try output.finish()
    return SalvageReport(
      source: unfinished.file, file: output.final, frames: unfinished.media.frames.count, wasWhole: true)
  }

  private func completed(_ unfinished: UnfinishedRecording) async throws(CaptureError) -> SalvageReport {
    let name = unfinished.finalName ?? unfinished.recoveredName
    var wanted = MovieFileOutput(to: name)
    // What only its owner might read stays so.
    let attributes = try? FileManager.default.attributesOfItem(atPath: unfinished.file.path(percentEncoded: false))
    wanted.fileMode = (attributes?[.posixPermissions] as? NSNumber).map { UInt32($0.intValue) & 0o777 }
    var output = try OutputFile(for: wanted, fileExtension: name.pathExtension, date: Date(), mayBeTaken: true)
    do {
      let frames = try await write(unfinished, to: output.temporary)
      try output.finish()
      let isKept = unfinished.finalName == nil || unfinished.unreadBytes > 0
      if !isKept { try? FileManager.default.removeItem(at: unfinished.file) }
      return SalvageReport(
        source: unfinished.file, file: output.final, frames: frames, wasWhole: false,
        unreadBytes: Int64(clamping: unfinished.unreadBytes), isSourceKept: isKept)
    } catch {
      output.remove()
      throw error
    }
  }

  /// - Returns: how many frames the new file holds, read from it.
  private func write(_ unfinished: UnfinishedRecording, to file: URL) async throws(CaptureError) -> Int {
    let container = try container(of: unfinished)
    let pipeline = try RemuxPipeline(unfinished.media, container: container, to: file)
    try await pipeline.run { frame in try? MediaFile.bytes(of: frame, in: unfinished.file) }
    let written: MediaFile
    do { written = try MediaFile(contentsOf: file) } catch {
      throw CaptureError(.notWritable, "The completed file cannot be read again: \(error).")
    }
    guard written.frames.count >= unfinished.media.frames.count else {
      throw CaptureError(
        .notWritable,
        "Of \(unfinished.media.frames.count) frames only \(written.frames.count) came into the completed file.",
        remedy: "The unfinished one is kept.")
    }
    return written.frames.count
  }

  private func container(of unfinished: UnfinishedRecording) throws(CaptureError) -> ContainerProfile {
    let containers: [ContainerProfile]
    do { containers = try library.containers() } catch { throw CaptureError(error) }
    let name = unfinished.media.container.rawValue
    guard let container = containers.first(where: { $0.name == name }) else {
      throw CaptureError(.notReadable, "There is no container \(name) to complete it in.")
    }
    return container
  }
}

/// What became of an unfinished recording.
public struct SalvageReport: Sendable, Hashable {
  /// What was found.
  public var source: URL
  /// Where the recording is now.
  public var file: URL
  public var frames: Int
  /// True where nothing but the name was missing.
  public var wasWhole: Bool
  /// Bytes behind a damaged place of the source that could not be read.
  public var unreadBytes: Int64 = 0
  /// True where the source is still there beside the completed file.
  public var isSourceKept = false
}

extension SalvageReport: Encodable {
  private enum CodingKeys: CodingKey { case source, file, frames, wasWhole, unreadBytes, isSourceKept }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source.path(percentEncoded: false), forKey: .source)
    try container.encode(file.path(percentEncoded: false), forKey: .file)
    try container.encode(frames, forKey: .frames)
    try container.encode(wasWhole, forKey: .wasWhole)
    try container.encode(unreadBytes, forKey: .unreadBytes)
    try container.encode(isSourceKept, forKey: .isSourceKept)
  }
}
