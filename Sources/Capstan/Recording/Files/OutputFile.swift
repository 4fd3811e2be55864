/// The file on disk, from a name that nobody else has to a finished recording: created exclusively under a temporary
/// name, synchronised, and given its final name in one step that cannot overwrite.

import Foundation
import GStreamer

struct OutputFile: Sendable {
  /// The name that it gets at the end.
  private(set) var final: URL
  /// The name while recording: a player opens it, and everyone sees that it is not done.
  let temporary: URL
  /// Where it is now.
  var current: URL { hasItsName ? final : temporary }
  /// False where someone took it away.
  var isThere: Bool { FileManager.default.fileExists(atPath: current.path(percentEncoded: false)) }
  private var hasItsName = false
  private let mayOverwrite: Bool
  /// Bytes that must be free at the start.
  private static let leastSpace: Int64 = 1 << 20
  /// Bytes that file systems take (`NAME_MAX`).
  private static let longestName = 255

  /// Makes the file of a number, from 0, where a recording is cut into several.
  typealias Maker = @Sendable (_ number: Int) throws(CaptureError) -> OutputFile

  // MARK: Before the recording

  /// What makes the files of a recording, each with the name that the destination's pattern gives it.
  /// - Parameter stem: of the names in a folder.
  static func maker(for output: MovieFileOutput, fileExtension: String, stem: String) -> Maker {
    let path =
      switch output.destination {
      case .file(let url): url.path(percentEncoded: false)
      case .folder(let url):
        url.appending(path: "\(stem).\(fileExtension)").path(percentEncoded: false).replacing("%", with: "%%")
      }
    let pattern = FilePattern(path)
    return { number throws(CaptureError) in
      guard let name = pattern.name(number: number, dated: DateText.now) else {
        throw CaptureError(
          .configuration, "The name \(path) holds words that strftime does not know.",
          remedy: "Use %Y %m %d %H %M %S, %05d for a counter, and %% for a percent sign.")
      }
      var numbered = output
      numbered.destination = .file(URL(filePath: name))
      return try OutputFile(for: numbered, fileExtension: fileExtension, date: Date(), mayBeTaken: number > 0)
    }
  }

  /// Finds the name, checks the folder and creates the temporary file.
  /// - Throws: `folderMissing`, `notWritable`, `fileExists`, `diskFull`.
  /// - Parameter mayBeTaken: whether a name that is there already only means another one at the end.
  init(
    for output: MovieFileOutput, fileExtension: String, date: Date, mayBeTaken: Bool = false
  ) throws(CaptureError) {
    mayOverwrite = output.mayOverwrite
    switch output.destination {
    case .file(let url):
      final = url.standardizedFileURL
      try OutputFile.checkFolder(final.deletingLastPathComponent())
      if !mayBeTaken { try OutputFile.checkFree(final, mayOverwrite: mayOverwrite) }
      temporary = try OutputFile.createTemporary(for: final)
    case .folder(let url):
      let folder = url.standardizedFileURL
      try OutputFile.checkFolder(folder)
      (final, temporary) = try OutputFile.nextFree(in: folder, fileExtension: fileExtension, date: date)
    }
    if let freeSpace, freeSpace < OutputFile.leastSpace {
      remove()
      throw CaptureError(
        .diskFull,
        "There is less than \(OutputFile.leastSpace >> 20) MiB free for \(final.path(percentEncoded: false)).",
        remedy: "Make room, or record to another disk.")
    }
  }

  /// The proxy's, beside the main one: `a-proxy.mp4`.
  /// - Throws: `notWritable`, and `fileExists` for a name that the user chose.
  init(
    _ name: String, of main: OutputFile, _ output: MovieFileOutput, fileExtension: String
  ) throws(CaptureError) {
    mayOverwrite = output.mayOverwrite
    let stem = main.final.deletingPathExtension().lastPathComponent
    final = main.final.deletingLastPathComponent().appending(
      path: "\(stem)-\(name).\(fileExtension)", directoryHint: .notDirectory)
    if case .file = output.destination { try OutputFile.checkFree(final, mayOverwrite: mayOverwrite) }
    temporary = try OutputFile.createTemporary(for: final)
  }

  /// One of an earlier run that is complete under a name that is not its own.
  init(completed file: URL, as final: URL) {
    mayOverwrite = false
    self.final = final
    temporary = file
  }

  private static func checkFolder(_ folder: URL) throws(CaptureError) {
    let path = folder.path(percentEncoded: false)
    switch kind(of: folder) {
    case .typeDirectory?: return
    case nil:
      throw CaptureError(
        .folderMissing, "The folder \(path) does not exist.", remedy: "Create it, or choose another with --output.")
    default:
      throw CaptureError(
        .folderMissing, "\(path) is a file, not a folder.", remedy: "Choose another place with --output.")
    }
  }

  private static func checkFree(_ file: URL, mayOverwrite: Bool) throws(CaptureError) {
    let path = file.path(percentEncoded: false)
    guard file.lastPathComponent.utf8.count <= longestName else {
      throw CaptureError(
        .notWritable, "The name \(file.lastPathComponent) is longer than \(longestName) bytes.",
        remedy: "Use a shorter one.")
    }
    guard let kind = kind(of: file) else { return }
    guard kind == .typeRegular || kind == .typeDirectory else {
      throw CaptureError(
        .fileExists, "\(path) is not a file but a device, a pipe or a socket.", remedy: "Choose another name.")
    }
    if kind == .typeDirectory {
      throw CaptureError(
        .fileExists, "\(path) is a folder.",
        remedy: "Name a file in it, or end the path with a slash to have one named.")
    }
    guard !mayOverwrite else { return }
    throw CaptureError(
      .fileExists, "\(path) exists already and is kept.", remedy: "Choose another name, or overwrite it with -y.")
  }

  /// What stands there, links followed; `nil` for nothing.
  private static func kind(of file: URL) -> FileAttributeType? {
    let path = file.resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType
  }

  /// `2026-11-30-14-05-09`.
  static func stem(at date: Date) -> String {
    let format = Date.VerbatimFormatStyle(
      format:
        "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))-\(minute: .twoDigits)-\(second: .twoDigits)",
      timeZone: .current, calendar: Calendar(identifier: .gregorian))
    return date.formatted(format)
  }

  /// Names by date, time and a counter, as `2026-11-30-14-05-09-0.mp4`.
  private static func nextFree(
    in folder: URL, fileExtension: String, date: Date
  ) throws(CaptureError) -> (final: URL, temporary: URL) {
    let stem = stem(at: date)
    for counter in 0..<10_000 {
      let final = folder.appending(path: "\(stem)-\(counter).\(fileExtension)")
      if FileManager.default.fileExists(atPath: final.path(percentEncoded: false)) { continue }
      return (final, try createTemporary(for: final))
    }
    throw noName(in: folder)
  }

  /// An unfinished recording of that name, of a program that was killed or one that still runs, is left alone.
  private static func createTemporary(for final: URL) throws(CaptureError) -> URL {
    for counter in 0..<10_000 {
      let temporary = temporaryName(for: final, counter: counter)
      do {
        try createExclusively(temporary)
        return temporary
      } catch  where error.code == .fileExists {
        continue
      }
    }
    throw noName(in: final.deletingLastPathComponent())
  }

  /// `a.mp4` is recorded as `a.recording.mp4`; a name that would become too long is shortened, not the final one.
  static func temporaryName(for final: URL, counter: Int = 0) -> URL {
    let mark = counter == 0 ? ".recording" : ".recording-\(counter)"
    let suffix = final.pathExtension.isEmpty ? mark : "\(mark).\(final.pathExtension)"
    var stem = final.deletingPathExtension().lastPathComponent
    while stem.utf8.count + suffix.utf8.count > longestName { stem.removeLast() }
    return final.deletingLastPathComponent().appending(path: stem + suffix, directoryHint: .notDirectory)
  }

  private static func createExclusively(_ file: URL) throws(CaptureError) {
    do {
      try Data().write(to: file, options: .withoutOverwriting)
    } catch {
      throw failure(error, file, doing: "created")
    }
  }

  // MARK: After the recording

  /// Writes everything through to the disk and gives the file its final name. Where that name has been taken in the
  /// meantime, the next free one is used: nothing is lost and nothing is overwritten.
  mutating func finish() throws(CaptureError) {
    try synchronize()
    let source = temporary.path(percentEncoded: false)
    do {
      if mayOverwrite {
        try FileNaming.replace(final.path(percentEncoded: false), by: source)
        hasItsName = true
        return
      }
      for candidate in OutputFile.alternatives(to: final) {
        guard try FileNaming.move(source, to: candidate.path(percentEncoded: false)) else { continue }
        final = candidate
        hasItsName = true
        return
      }
      throw OutputFile.noName(in: final.deletingLastPathComponent())
    } catch let error as FileNaming.Failure {
      throw CaptureError(
        .notWritable, "The recording cannot be given its name \(final.path(percentEncoded: false)): \(error.text).",
        remedy: "It is complete, as \(source).")
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.notWritable, "\(error)")
    }
  }

  private func synchronize() throws(CaptureError) {
    do {
      let handle = try FileHandle(forUpdating: temporary)
      try handle.synchronize()
      try handle.close()
    } catch {
      throw OutputFile.failure(error, temporary, doing: "written to the disk")
    }
  }

  /// Nothing was recorded: no empty file stays behind.
  func remove() {
    try? FileManager.default.removeItem(at: temporary)
  }

  /// Bytes that are free on its disk; `nil` where the system does not tell.
  var freeSpace: Int64? {
    let path = temporary.deletingLastPathComponent().path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  private static func alternatives(to file: URL) -> some Sequence<URL> {
    let stem = file.deletingPathExtension().lastPathComponent
    let suffix = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
    return (0..<10_000).lazy.map { counter in
      counter == 0 ? file : file.deletingLastPathComponent().appending(path: "\(stem)-\(counter)\(suffix)")
    }
  }

  // MARK: Errors

  private static func noName(in folder: URL) -> CaptureError {
    CaptureError(
      .fileExists, "There is no free name left in \(folder.path(percentEncoded: false)).",
      remedy: "Move recordings away, or choose another folder with --output.")
  }

  private static func failure(_ error: any Error, _ file: URL, doing what: String) -> CaptureError {
    let path = file.path(percentEncoded: false)
    switch (error as? CocoaError)?.code {
    case .fileWriteFileExists?:
      return CaptureError(
        .fileExists, "\(path) exists already.", remedy: "Choose another name.")
    case .fileWriteNoPermission?:
      return CaptureError(
        .notWritable, "\(path) cannot be \(what): you may not write to this folder.",
        remedy: "Choose another folder with --output.")
    case .fileWriteVolumeReadOnly?:
      return CaptureError(
        .notWritable, "\(path) cannot be \(what): the file system is read-only.",
        remedy: "Choose another folder with --output.")
    case .fileWriteOutOfSpace?:
      return CaptureError(.diskFull, "\(path) cannot be \(what): the disk is full.", remedy: "Make room first.")
    case .fileWriteInvalidFileName?:
      return CaptureError(
        .notWritable, "\(path) cannot be \(what): the name is too long.", remedy: "Use a shorter one.")
    default:
      return CaptureError(.notWritable, "\(path) cannot be \(what): \(error.localizedDescription)")
    }
  }
}
