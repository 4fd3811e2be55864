/// An encoder that takes over from another in a running pipeline: every picture once, in order, at its time.

import Foundation
import GStreamer
import MediaFormats
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ElementReplacementTests {
  private static let frames = 240

  private static func encoder(_ speed: String, name: String) throws -> Element {
    let encoder = try Element(factory: "x264enc", name: name)
    try encoder.set("speed-preset", to: .string(speed))
    try encoder.set("bframes", to: .int(0))
    try encoder.set("key-int-max", to: .int(60))
    try encoder.set(
      "option-string", to: .string("ref=1:cabac=1:8x8dct=1:weightp=0:keyint=60:scenecut=0:chroma-qp-offset=0"))
    return encoder
  }

  @Test func anEncoderTakesOverWithoutLossInOneFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mp4")
    defer { try? FileManager.default.removeItem(at: file) }
    let pipeline = try Pipeline()
    let source = try Element(factory: "videotestsrc")
    try source.set("num-buffers", to: .int(Self.frames))
    try source.set("is-live", to: .bool(true))
    let queue = try Element(factory: "queue")
    let filter = try Element(factory: "capsfilter")
    try filter.set("caps", to: .string("video/x-raw,format=I420,width=320,height=240,framerate=60/1"))
    let parser = try Element(factory: "h264parse")
    let muxer = try Element(factory: "mp4mux")
    let sink = try Element(factory: "filesink")
    try sink.set("location", to: .string(file.path(percentEncoded: false)))
    let first = try Self.encoder("medium", name: "encoder-0")
    let chain = [source, filter, queue, first, parser, muxer, sink]
    try pipeline.add(chain)
    try pipeline.link(chain: chain)
    let entered = Mutex(0)
    let parsed = Mutex((count: 0, keys: [Int]()))
    queue.pad("src")?.observeBuffers { _ in
      entered.withLock { $0 += 1 }
      return .pass
    }
    parser.pad("src")?.observeBuffers { frame in
      parsed.withLock { state in
        if !frame.isDelta { state.keys.append(state.count) }
        state.count += 1
      }
      return .pass
    }
    try pipeline.setState(.playing)
    var current = first
    for (place, speed) in ["ultrafast", "veryfast", "faster"].enumerated() {
      Self.wait { entered.withLock { $0 } >= (place + 1) * 50 }
      let next = try Self.encoder(speed, name: "encoder-\(place + 1)")
      try pipeline.replace(current, by: next, patience: .seconds(60))
      current = next
    }
    #expect(await PipelineTests.ending(of: pipeline) == .endOfStream)
    try pipeline.setState(.null)
    let result = parsed.withLock { $0 }
    #expect(result.count == Self.frames)
    #expect(result.keys.count >= 4)
    #expect(!pipeline.remove(first) && pipeline.element(named: "encoder-3") != nil)
    let times = try Self.times(of: file)
    #expect(times.count == Self.frames)
    for (place, time) in times.enumerated() { #expect(abs(time - Double(place) / 60) < 0.002, "frame \(place)") }
  }

  /// Gives its thread to nobody: where other tests keep them all busy, it would get it back when the frames are over.
  private static func wait(_ holds: () -> Bool) {
    while !holds() { Thread.sleep(forTimeInterval: 0.01) }
  }

  /// Seconds, by ffprobe, which decodes every frame.
  static func times(of file: URL) throws -> [Double] {
    let process = Process()
    let output = Foundation.Pipe()
    process.executableURL = URL(filePath: "/usr/bin/ffprobe")
    process.arguments = [
      "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
      file.path(percentEncoded: false),
    ]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(whereSeparator: \.isNewline).compactMap { Double($0.split(separator: ",").first ?? "") }
  }

  @Test func withoutABufferNothingChanges() throws {
    let pipeline = try Pipeline()
    let source = try AppSource(isLive: true)
    let old = try Element(factory: "identity", name: "old")
    let sink = try Element(factory: "fakesink", name: "end")
    try pipeline.add([source.element, old, sink])
    try pipeline.link(chain: [source.element, old, sink])
    try pipeline.setState(.playing)
    let new = try Element(factory: "identity", name: "new")
    #expect(throws: ReplacementError.noBuffer) {
      try pipeline.replace(old, by: new, patience: .milliseconds(50))
    }
    #expect(pipeline.element(named: "new") == nil && old.pad("src")?.peer?.path == "end.sink")
    #expect(pipeline.element(named: "old") != nil)
    try pipeline.setState(.null)
  }

  @Test func anElementAtTheEdgeCannotBeReplaced() throws {
    let pipeline = try Pipeline()
    let lone = try Element(factory: "identity", name: "lone")
    try pipeline.add(lone)
    #expect(throws: ReplacementError.notInAChain("lone")) {
      try pipeline.replace(lone, by: try Element(factory: "identity", name: "other"))
    }
  }
}
