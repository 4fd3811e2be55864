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
}
