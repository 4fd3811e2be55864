/// Fragments of an MP4 and clusters of a Matroska file, whole and cut short.

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

  // MARK: Matroska

  /// With its size in eight bytes; `nil` is a body that nobody knows the end of.
  private func element(_ id: [UInt8], _ body: [UInt8]?) -> [UInt8] {
    guard let body else { return id + [0x01] + [UInt8](repeating: 0xFF, count: 7) }
    let length = UInt64(body.count)
    let size: [UInt8] = (1..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
    return id + [0x01] + size + body
  }

  /// Up to its first cluster, as a muxer leaves it that did not get to its end.
  private var head: [UInt8] {
    let kind = element([0x42, 0x82], Array("matroska".utf8))
    let codec = element([0x86], Array("V_MJPEG".utf8))
    let fields: [UInt8] = element([0xD7], [1]) + element([0x83], [1]) + codec
    let entry = element([0xAE], fields)
    let top = element([0x1A, 0x45, 0xDF, 0xA3], kind) + element([0x18, 0x53, 0x80, 0x67], nil)
    return top + element([0x16, 0x54, 0xAE, 0x6B], entry)
  }

  /// On track 1, with 100 bytes of a picture.
  private var block: [UInt8] { [0x81, 0, 0, 0x80] + [UInt8](repeating: 7, count: 100) }
  private var simpleBlock: [UInt8] { element([0xA3], block) }
  private var blockGroup: [UInt8] {
    let parts: [UInt8] = element([0x9B], [16]) + element([0xA1], block)
    return element([0xA0], parts)
  }

  private func cluster(_ blocks: [UInt8], isOpen: Bool) -> [UInt8] {
    let body = element([0xE7], [0]) + blocks
    let id: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    return isOpen ? element(id, nil) + body : element(id, body)
  }

  @Test(arguments: [true, false]) func countsWholeBlocks(_ isOpen: Bool) throws {
    let first = head + cluster(simpleBlock + blockGroup, isOpen: isOpen)
    let whole = try read(first + cluster(simpleBlock + simpleBlock, isOpen: isOpen))
    #expect(whole.isPlayable && whole.frames == 4)
    for missing in [1, 100, 104, 105, 112] {
      let cut = try read(first + cluster(simpleBlock + simpleBlock, isOpen: isOpen).dropLast(missing))
      #expect(cut.isPlayable && cut.frames == 3, "\(missing) bytes are missing")
    }
    let group = try read(first + cluster(simpleBlock + blockGroup, isOpen: isOpen).dropLast())
    #expect(group.isPlayable && group.frames == 3)
  }

  @Test func clustersWithNothingToPlay() throws {
    #expect(try read(head).frames == 0)
    #expect(try !read(head).isPlayable)
    #expect(try !read(head + cluster([], isOpen: true)).isPlayable)
    #expect(try !read(head + cluster(simpleBlock, isOpen: true).dropLast()).isPlayable)
    #expect(try !read(Array(head.prefix(20))).isPlayable)
    #expect(try read(head + cluster(simpleBlock, isOpen: true)).frames == 1, "however small")
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
