/// Names and files: nothing overwritten, nothing empty left, any name taken.

import Foundation
import Testing

@testable import Capstan

@Suite struct OutputFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "capstan-output-\(UUID())/")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
  }

  private func output(_ name: String, overwrite: Bool = false) -> MovieFileOutput {
    MovieFileOutput(.file(folder.appending(path: name, directoryHint: .notDirectory)), mayOverwrite: overwrite)
  }

  private func record(_ output: MovieFileOutput, _ text: String) throws -> OutputFile {
    var file = try OutputFile(for: output, fileExtension: "mp4", date: Date())
    try Data(text.utf8).write(to: file.temporary)
    try file.finish()
    return file
  }

  @Test(arguments: [
    "a.mp4", "with space.mp4", "it's \"quoted\".mp4", "100%d %s.mp4", "new\nline.mp4", "-leading.mp4", "höhe 高.mp4",
    "a!b;c&d|e$f`g.mp4", "no-extension", "two.dots.mp4", ".hidden.mp4", "back\\slash.mp4",
  ])
  func anyName(_ name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try record(output(name), "data")
    #expect(try names() == [name])
  }

  @Test func temporaryNameOpensInPlayers() throws {
    let file = try OutputFile(for: output("a.mp4"), fileExtension: "mp4", date: Date())
    #expect(file.temporary.lastPathComponent == "a.recording.mp4")
    file.remove()
    #expect(try names().isEmpty)
  }

  @Test func refusesToOverwrite() throws {
    _ = try record(output("a.mp4"), "first")
    let error = #expect(throws: CaptureError.self) { try record(output("a.mp4"), "second") }
    #expect(error?.code == .fileExists)
    #expect(try String(contentsOf: folder.appending(path: "a.mp4"), encoding: .utf8) == "first")
    #expect(try names() == ["a.mp4"])
  }

  @Test func overwritesWhenAskedAndOnlyAtTheEnd() throws {
    _ = try record(output("a.mp4"), "first")
    var file = try OutputFile(for: output("a.mp4", overwrite: true), fileExtension: "mp4", date: Date())
    #expect(try String(contentsOf: folder.appending(path: "a.mp4"), encoding: .utf8) == "first")
    try Data("second".utf8).write(to: file.temporary)
    try file.finish()
    #expect(try String(contentsOf: folder.appending(path: "a.mp4"), encoding: .utf8) == "second")
    #expect(try names() == ["a.mp4"])
  }

  @Test func nameTakenDuringTheRecording() throws {
    var file = try OutputFile(for: output("a.mp4"), fileExtension: "mp4", date: Date())
    try Data("mine".utf8).write(to: file.temporary)
    try Data("theirs".utf8).write(to: folder.appending(path: "a.mp4"))
    try file.finish()
    #expect(file.final.lastPathComponent == "a-1.mp4")
    #expect(try String(contentsOf: folder.appending(path: "a.mp4"), encoding: .utf8) == "theirs")
    #expect(try String(contentsOf: folder.appending(path: "a-1.mp4"), encoding: .utf8) == "mine")
  }

  @Test func unfinishedRecordingOfThatNameIsKept() throws {
    try Data("killed".utf8).write(to: folder.appending(path: "a.recording.mp4"))
    _ = try record(output("a.mp4"), "new")
    #expect(try names() == ["a.mp4", "a.recording.mp4"])
    #expect(try String(contentsOf: folder.appending(path: "a.recording.mp4"), encoding: .utf8) == "killed")
  }

  @Test func countsUpWithinASecond() throws {
    let date = Date(timeIntervalSince1970: 1_796_047_509)
    let stems = try (0..<3).map { _ in
      try OutputFile(for: MovieFileOutput(.folder(folder)), fileExtension: "mp4", date: date).final.lastPathComponent
    }
    #expect(Set(stems).count == 1, "an unfinished one does not take the name, only the finished does")
    let pattern = /\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-0\.mp4/
    #expect(try pattern.wholeMatch(in: stems[0]) != nil)
    #expect(try names().count == 3)
  }

  @Test func missingFolder() throws {
    let error = #expect(throws: CaptureError.self) {
      try OutputFile(for: output("missing/a.mp4"), fileExtension: "mp4", date: Date())
    }
    #expect(error?.code == .folderMissing)
    #expect(error?.message.contains("missing") == true)
  }

  @Test func folderInPlaceOfAFile() throws {
    let error = #expect(throws: CaptureError.self) {
      try OutputFile(
        for: MovieFileOutput(.file(folder)), fileExtension: "mp4", date: Date())
    }
    #expect(error?.code == .fileExists)
  }

  @Test func readOnlyPlace() throws {
    let place = URL(filePath: "/proc/a.mp4")
    let error = #expect(throws: CaptureError.self) {
      try OutputFile(for: MovieFileOutput(to: place), fileExtension: "mp4", date: Date())
    }
    #expect(error?.code == .notWritable || error?.code == .folderMissing)
  }

  @Test func longestName() throws {
    let name = String(repeating: "n", count: 251) + ".mp4"
    _ = try record(output(name), "data")
    #expect(try names() == [name])
    let error = #expect(throws: CaptureError.self) { try record(output("n" + name), "data") }
    #expect(error?.code == .notWritable)
    #expect(try names() == [name])
  }

  // MARK: Rights and links

  private func mode(_ file: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// From the first byte, and whatever the process's mask.
  @Test(arguments: [0o600, 0o640, 0o666, 0o777] as [UInt32]) func theModeIsAsAsked(_ wanted: UInt32) throws {
    var output = output("a.mp4")
    output.fileMode = wanted
    var file = try OutputFile(for: output, fileExtension: "mp4", date: Date())
    #expect(try mode(file.temporary) == Int(wanted))
    let proxy = try OutputFile("proxy", of: file, output, fileExtension: "mp4")
    #expect(try mode(proxy.temporary) == Int(wanted))
    try Data("data".utf8).write(to: file.temporary)
    try file.finish()
    #expect(try mode(file.final) == Int(wanted))
  }

  @Test(arguments: [0o400, 0o066, 0o1777] as [UInt32]) func modesThatCannotBe(_ mode: UInt32) {
    var output = output("a.mp4")
    output.fileMode = mode
    #expect(throws: CaptureError.self) { try output.validate() }
  }

  private func link(_ name: String, to target: URL) throws {
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: name, directoryHint: .notDirectory), withDestinationURL: target)
  }

  /// Also one that leads nowhere.
  @Test(arguments: [true, false]) func aLinkInTheFilesPlaceIsKept(_ leadsSomewhere: Bool) throws {
    let target = folder.appending(path: "target")
    if leadsSomewhere { try Data("theirs".utf8).write(to: target) }
    try link("a.mp4", to: target)
    let error = #expect(throws: CaptureError.self) { try record(output("a.mp4"), "mine") }
    #expect(error?.code == .fileExists)
    #expect(FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) == leadsSomewhere)
  }

  /// Overwriting replaces the link, not what it leads to.
  @Test func aLinkIsReplacedItself() throws {
    let target = folder.appending(path: "target")
    try Data("theirs".utf8).write(to: target)
    try link("a.mp4", to: target)
    _ = try record(output("a.mp4", overwrite: true), "mine")
    #expect(try String(contentsOf: target, encoding: .utf8) == "theirs")
    #expect(try String(contentsOf: folder.appending(path: "a.mp4"), encoding: .utf8) == "mine")
    let path = folder.appending(path: "a.mp4").path(percentEncoded: false)
    let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    #expect(kind == .typeRegular)
  }

  @Test func aLinkInTheTemporaryFilesPlaceIsNotFollowed() throws {
    let target = folder.appending(path: "target")
    try Data("theirs".utf8).write(to: target)
    try link("a.recording.mp4", to: target)
    let file = try OutputFile(for: output("a.mp4"), fileExtension: "mp4", date: Date())
    #expect(file.temporary.lastPathComponent == "a.recording-1.mp4")
    try Data("mine".utf8).write(to: URL(filePath: file.location))
    #expect(try String(contentsOf: target, encoding: .utf8) == "theirs")
  }

  // MARK: Folders that go

  @Test func aFolderThatMoves() throws {
    let (place, other) = (folder.appending(path: "one"), folder.appending(path: "two"))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var file = try OutputFile(
      for: MovieFileOutput(to: place.appending(path: "a.mp4")), fileExtension: "mp4", date: Date())
    try FileManager.default.moveItem(at: place, to: other)
    try Data("data".utf8).write(to: URL(filePath: file.location))
    try file.finish()
    #expect(file.current.lastPathComponent == "a.mp4" && file.isThere)
    #expect(try String(contentsOf: other.appending(path: "a.mp4"), encoding: .utf8) == "data")
  }

  @Test func aFileThatIsRemovedIsPutBack() throws {
    let place = folder.appending(path: "one")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var output = MovieFileOutput(to: place.appending(path: "a.mp4"))
    output.fileMode = 0o600
    var file = try OutputFile(for: output, fileExtension: "mp4", date: Date())
    try Data("data".utf8).write(to: URL(filePath: file.location))
    try FileManager.default.removeItem(at: place)
    #expect(!file.isThere)
    try file.finish()
    #expect(file.wasPutBack && file.isThere)
    #expect(try String(contentsOf: file.final, encoding: .utf8) == "data")
    #expect(try mode(file.final) == 0o600)
  }
}
