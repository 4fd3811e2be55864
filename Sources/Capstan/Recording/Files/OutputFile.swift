/// The file on disk, from a name that nobody else has to a finished recording: created exclusively under a temporary
/// name, synchronised, and given its final name in one step that cannot overwrite.

import Foundation
import GStreamer
import Glibc

struct OutputFile: Sendable {
  /// The name that it gets at the end.
  private(set) var final: URL
  /// The name while recording: a player opens it, and everyone sees that it is not done.
  let temporary: URL
  /// Both are held by what they are, as their paths may lead elsewhere later.
  private(set) var folder: OpenFile
  private(set) var handle: OpenFile
  private var hasItsName = false
  /// True where it was removed while it was recorded, and is there again.
  private(set) var wasPutBack = false
  private let mayOverwrite: Bool
  /// Bytes that file systems take (`NAME_MAX`).
  private static let longestName = 255

  /// Makes the file of a number, from 0, where a recording is cut into several.
  typealias Maker = @Sendable (_ number: Int) throws(CaptureError) -> OutputFile

  /// Where it is now, also where its folder has been moved.
  var current: URL {
    let nominal = hasItsName ? final : temporary
    if FileManager.default.fileExists(atPath: nominal.path(percentEncoded: false)) { return nominal }
    return handle.path.map { URL(filePath: $0, directoryHint: .notDirectory) } ?? nominal
  }

  /// False where someone took it away.
  var isThere: Bool { handle.linkCount ?? 0 > 0 }

  /// Leads whatever writes it to the file itself, and to no other that has got its name.
  var location: String {
    FileManager.default.fileExists(atPath: handle.aliasPath)
      ? handle.aliasPath : temporary.path(percentEncoded: false)
  }

  // MARK: Before the recording

  /// What makes the files of a recording, each with the name that the destination's pattern gives it.
  /// - Parameter stem: of the names in a folder.
  static func maker(for output: MovieFileOutput, fileExtension: String, stem: String) -> Maker {
    let pattern = FilePattern(path(for: output, fileExtension, stem))
    return { number throws(CaptureError) in
      guard let name = pattern.name(number: number, dated: DateText.now) else {
        throw CaptureError(
          .configuration, "The name \(pattern.text) holds words that strftime does not know.",
          remedy: "Use %Y %m %d %H %M %S, %05d for a counter, and %% for a percent sign.")
      }
      var numbered = output
      numbered.destination = .file(URL(filePath: name))
      return try OutputFile(for: numbered, fileExtension: fileExtension, date: Date(), mayBeTaken: number > 0)
    }
  }

  /// Only where it was asked for several files, the file's name is a pattern.
  private static func path(for output: MovieFileOutput, _ fileExtension: String, _ stem: String) -> String {
    let (url, isPattern) =
      switch output.destination {
      case .file(let url): (url, output.segments != nil)
      case .folder(let url): (url.appending(path: "\(stem).\(fileExtension)"), false)
      }
    let path = url.path(percentEncoded: false)
    return isPattern ? path : path.replacing("%", with: "%%")
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
      folder = try OutputFile.open(final.deletingLastPathComponent())
      if !mayBeTaken { try OutputFile.checkFree(final, mayOverwrite: mayOverwrite) }
    case .folder(let url):
      folder = try OutputFile.open(url.standardizedFileURL)
      final = try OutputFile.nextFree(in: url.standardizedFileURL, fileExtension: fileExtension, date: date)
    }
    (temporary, handle) = try OutputFile.createTemporary(for: final, in: folder, mode: output.fileMode)
    do { try DiskReserve(output.reservedBytes).check(folder, for: final) } catch {
      remove()
      throw error
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
    folder = main.folder
    (temporary, handle) = try OutputFile.createTemporary(for: final, in: folder, mode: output.fileMode)
  }

  /// One of an earlier run that is complete under a name that is not its own.
  /// - Throws: `notWritable`.
  init(completed file: URL, as final: URL) throws(CaptureError) {
    mayOverwrite = false
    self.final = final
    temporary = file
    folder = try OutputFile.open(file.deletingLastPathComponent())
    do { handle = try folder.file(file.lastPathComponent) } catch {
      throw CaptureError(error, file.path(percentEncoded: false), doing: "completed")
    }
  }

  private static func open(_ folder: URL) throws(CaptureError) -> OpenFile {
    let path = folder.path(percentEncoded: false)
    do { return try OpenFile.folder(path) } catch {
      switch error.errno {
      case ENOENT:
        throw CaptureError(
          .folderMissing, "The folder \(path) does not exist.", remedy: "Create it, or choose another with --output.")
      case ENOTDIR:
        throw CaptureError(
          .folderMissing, "\(path) is a file, not a folder.", remedy: "Choose another place with --output.")
      case EACCES:
        throw CaptureError(
          .notWritable, "You may not look into the folder \(path).", remedy: "Choose another with --output.")
      default: throw CaptureError(error, path, doing: "opened")
      }
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
    guard [.typeRegular, .typeDirectory, .typeSymbolicLink].contains(kind) else {
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

  /// What stands there; a link is a link, wherever it leads. `nil` for nothing.
  private static func kind(of file: URL) -> FileAttributeType? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
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
  ) throws(CaptureError) -> URL {
    let stem = stem(at: date)
    for counter in 0..<10_000 {
      let final = folder.appending(path: "\(stem)-\(counter).\(fileExtension)")
      if kind(of: final) == nil { return final }
    }
    throw noName(in: folder)
  }

  /// An unfinished recording of that name, of a program that was killed or one that still runs, is left alone.
  private static func createTemporary(
    for final: URL, in folder: OpenFile, mode: UInt32?
  ) throws(CaptureError) -> (URL, OpenFile) {
    for counter in 0..<10_000 {
      let temporary = temporaryName(for: final, counter: counter)
      do {
        let handle = try folder.create(temporary.lastPathComponent, mode: mode)
        // So that a power cut leaves the name too; where a folder cannot be synchronised, nothing better is to be had.
        try? folder.synchronize()
        return (temporary, handle)
      } catch  where error.errno == EEXIST {
        continue
      } catch {
        throw CaptureError(error, temporary.path(percentEncoded: false), doing: "created")
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

  // MARK: After the recording

  /// Writes everything through to the disk and gives the file its final name. Where that name has been taken in the
  /// meantime, the next free one is used: nothing is lost and nothing is overwritten.
  mutating func finish() throws(CaptureError) {
    guard isThere else { return try putBack() }
    do { try handle.synchronize() } catch {
      throw CaptureError(error, temporary.path(percentEncoded: false), doing: "written to the disk")
    }
    do throws(SystemFailure) {
      guard try takeName() else { throw SystemFailure(of: EEXIST) }
    } catch {
      if error.errno == EEXIST { throw OutputFile.noName(in: final.deletingLastPathComponent()) }
      throw CaptureError(
        .notWritable, "The recording cannot be given its name \(final.path(percentEncoded: false)): \(error.text).",
        remedy: "It is complete, as \(current.path(percentEncoded: false)).")
    }
    try? folder.synchronize()
    // Its folder may have been moved.
    final = current
  }

  /// - Returns: false where no name is free.
  private mutating func takeName() throws(SystemFailure) -> Bool {
    let source = temporary.lastPathComponent
    if mayOverwrite {
      try FileNaming.replace(final.lastPathComponent, by: source, in: folder)
      hasItsName = true
      return true
    }
    for candidate in OutputFile.alternatives(to: final) {
      guard try FileNaming.move(source, to: candidate.lastPathComponent, in: folder) else { continue }
      final = candidate
      hasItsName = true
      return true
    }
    return false
  }

  /// What was removed is there as long as it is open: it is copied to where it was to be.
  private mutating func putBack() throws(CaptureError) {
    let place = final.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let path = final.path(percentEncoded: false)
    do throws(SystemFailure) {
      let folder = try OpenFile.folder(place.path(percentEncoded: false))
      let copy = try create(in: folder)
      try handle.copy(to: copy)
      try copy.synchronize()
      (self.folder, handle, hasItsName, wasPutBack) = (folder, copy, true, true)
    } catch {
      throw CaptureError(
        .notWritable, "\(path) was removed while it was recorded, and cannot be put back: \(error.text).",
        remedy: "Leave alone what is being recorded.")
    }
  }

  private mutating func create(in folder: OpenFile) throws(SystemFailure) -> OpenFile {
    for candidate in OutputFile.alternatives(to: final) {
      do {
        let copy = try folder.create(candidate.lastPathComponent, mode: handle.mode)
        final = candidate
        return copy
      } catch  where error.errno == EEXIST {
        continue
      }
    }
    throw SystemFailure(of: EEXIST)
  }

  /// Ends a recording as soon as it is seen.
  var removal: CaptureError {
    CaptureError(
      .notWritable, "\(temporary.path(percentEncoded: false)) was removed while it was recorded.",
      remedy: "What was recorded is put back there, under its own name.")
  }

  /// Nothing was recorded: no empty file stays behind.
  func remove() { try? folder.remove(temporary.lastPathComponent) }

  /// Bytes that are free on its disk; `nil` where the system does not tell.
  var freeSpace: Int64? { folder.freeBytes }

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
}
