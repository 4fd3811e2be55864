/// Fragments of an MP4, whole and cut short.

import Foundation
import Testing

@testable import Capstan

@Suite struct UnfinishedFileTests {
  private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(body.count + 8)
    return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(kind.utf8) + body
  }

  /// With its 30 samples in one run.
  private var fragment: [UInt8] {
    box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1]) + box("traf", box("trun", [0, 0, 0, 0, 0, 0, 0, 30])))
      + box("mdat", [UInt8](repeating: 7, count: 100))
  }

  private func read(_ bytes: [UInt8]) throws -> UnfinishedFile {
    let file = FileManager.default.temporaryDirectory.appending(path: "capstan-unfinished-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return UnfinishedFile(file)
  }

  @Test func countsWholeFragments() throws {
    let head = box("ftyp", [1, 2, 3, 4]) + box("moov", [0, 0])
    let whole = try read(head + fragment + fragment)
    #expect(whole.isPlayable && whole.frames == 60)
    let cut = try read(head + fragment + fragment.dropLast())
    #expect(cut.isPlayable && cut.frames == 30)
  }

  /// mp4mux describes the first fragment in the index, behind its samples.
  @Test func countsTheIndex() throws {
    let table = box("stsz", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12])
    let track = box("trak", box("mdia", box("minf", box("stbl", table))))
    let file = box("ftyp", []) + box("mdat", [1, 2, 3]) + box("moov", track)
    #expect(try read(file).frames == 12)
    let later = box("mdat", [1]) + fragment.prefix(fragment.count - 108)
    #expect(try read(file + later).frames == 42, "data first, then what describes it")
    #expect(try read(file + later + box("mdat", [1]).dropLast()).frames == 42)
  }

  @Test func nothingToPlay() throws {
    #expect(try !read([]).isPlayable)
    #expect(try !read(box("ftyp", [1, 2, 3, 4]) + box("moov", [0, 0])).isPlayable)
    #expect(try !read(fragment).isPlayable, "without an index nothing can be decoded")
    #expect(try !read(box("ftyp", []) + box("moov", []) + fragment.dropLast()).isPlayable)
    #expect(try !read([0, 0, 0, 0, 1, 2, 3, 4]).isPlayable)
    #expect(UnfinishedFile(URL(filePath: "/nowhere/at/all")).isPlayable == false)
  }
}
