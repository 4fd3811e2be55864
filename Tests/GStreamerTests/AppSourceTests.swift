/// Bytes that a program pushes, compared with those that come out at the other end.

import Foundation
import GStreamer
import MediaFormats
import Synchronization
import Testing

@Suite struct AppSourceTests {
  @Test func whatIsPushedIsWhatIsWritten() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "capstan-push-\(UUID()).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    let pipeline = try Pipeline()
    let source = try AppSource(name: "frames", isLive: false)
    let sink = try Element(factory: "filesink")
    try sink.set("location", to: .string(file.path))
    try pipeline.add([source.element, sink])
    try pipeline.link(source.element, to: sink)
    source.setCaps(try #require(Caps(parsing: "video/x-raw,format=GRAY8,width=100,height=7,framerate=25/1")))
    let infos = Mutex<[BufferInfo]>([])
    sink.pad("sink")?.observeBuffers { info in
      infos.withLock { $0.append(info) }
      return .pass
    }
    #expect(source.queuedBuffers == 0)
    try pipeline.setState(.playing)
    for frame in 0..<10 {
      let result = source.push(
        size: 700, pts: Int64(frame) * 40_000_000, duration: 40_000_000, offset: UInt64(frame) * 3
      ) { bytes in
        for index in 0..<bytes.byteCount {
          bytes.storeBytes(of: UInt8((index + frame) & 0xff), toByteOffset: index, as: UInt8.self)
        }
      }
      #expect(result == .ok)
    }
    source.endOfStream()
    #expect(await PipelineTests.ending(of: pipeline) == .endOfStream)
    try pipeline.setState(.null)
    let expected = (0..<10).flatMap { frame in (0..<700).map { UInt8(($0 + frame) & 0xff) } }
    #expect(try Data(contentsOf: file) == Data(expected))
    let seen = infos.withLock { $0 }
    #expect(seen.map(\.offset) == (0..<10).map { UInt64($0 * 3) })
    #expect(seen.map(\.pts) == (0..<10).map { Int64($0) * 40_000_000 })
    #expect(seen.allSatisfy { $0.size == 700 && $0.duration == 40_000_000 })
  }

  @Test func tellsWhyNothingIsTaken() throws {
    let pipeline = try Pipeline()
    let source = try AppSource(isLive: true)
    let sink = try Element(factory: "fakesink")
    try pipeline.add([source.element, sink])
    try pipeline.link(source.element, to: sink)
    #expect(source.push(size: -1, pts: nil, offset: 0) { _ in } == .refused)
    try pipeline.setState(.playing)
    #expect(source.endOfStream() == .ok)
    #expect(source.push(size: 1, pts: nil, offset: 0) { _ in } == .endOfStream)
    try pipeline.setState(.null)
    #expect(source.push(size: 1, pts: nil, offset: 0) { _ in } == .flushing)
    #expect(AppSource(sink) == nil && AppSource(source.element) != nil)
  }
}
