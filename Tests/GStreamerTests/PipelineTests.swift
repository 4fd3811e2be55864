/// Pipelines that run: their ends, errors, probes and what they leave behind.

import Foundation
import GStreamer
import MediaFormats
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PipelineTests {
  /// What stopped a pipeline: its end, or its first error.
  enum Ending: Equatable {
    case endOfStream
    case failure(ElementFailure)
    case silence
  }

  static func ending(of pipeline: Pipeline) async -> Ending {
    for await message in pipeline.bus.messages {
      switch message {
      case .endOfStream: return .endOfStream
      case .error(let failure): return .failure(failure)
      default: continue
      }
    }
    return .silence
  }

  static func make(
    _ description: [(factory: String, properties: [String: PropertyValue])]
  ) throws -> (Pipeline, [Element]) {
    let pipeline = try Pipeline()
    let elements = try description.map { part in
      let element = try Element(factory: part.factory)
      for (name, value) in part.properties { try element.set(name, to: value) }
      return element
    }
    try pipeline.add(elements)
    try pipeline.link(chain: elements)
    return (pipeline, elements)
  }

  @Test func endsWithEndOfStream() async throws {
    let (pipeline, _) = try Self.make([("videotestsrc", ["num-buffers": .int(5)]), ("fakesink", [:])])
    try pipeline.setState(.playing)
    #expect(await Self.ending(of: pipeline) == .endOfStream)
    try pipeline.setState(.null)
    #expect(pipeline.state == .null)
  }

  @Test func tellsTheFirstErrorWithItsCause() async throws {
    let (pipeline, _) = try Self.make([
      ("filesrc", ["location": .string("/nonexistent/file")]), ("fakesink", [:]),
    ])
    #expect(throws: StateChangeError.self) { try pipeline.setState(.playing) }
    guard case .failure(let failure) = await Self.ending(of: pipeline) else {
      Issue.record("no error on the bus")
      return
    }
    #expect(failure.factory == "filesrc" && failure.element.hasPrefix("filesrc"))
    #expect(failure.domain == .resource && failure.code == "not-found")
    #expect(failure.debug.contains("/nonexistent/file") && !failure.message.isEmpty)
  }

  @Test func reportsStateChangesOfThePipelineItself() async throws {
    let (pipeline, _) = try Self.make([("videotestsrc", ["num-buffers": .int(2)]), ("fakesink", [:])])
    try pipeline.setState(.playing)
    #expect(try pipeline.waitForState(timeout: .seconds(60)) == .success)
    var reached: [PipelineState] = []
    for await message in pipeline.bus.messages {
      if case .stateChanged(_, _, let to, true) = message { reached.append(to) }
      if message == .endOfStream { break }
    }
    #expect(reached == [.ready, .paused, .playing])
    #expect((pipeline.runningTime ?? -1) >= 0)
    try pipeline.setState(.null)
  }

  @Test func aLiveSourceHasNoPreroll() throws {
    let (pipeline, _) = try Self.make([("videotestsrc", ["is-live": .bool(true)]), ("fakesink", [:])])
    #expect(try pipeline.setState(.paused) == .noPreroll)
    try pipeline.setState(.null)
  }

  /// Told to while it still starts: many times, because a bin that is told as a whole locks up now and then.
  @Test func endsWhenToldTo() async throws {
    for _ in 0..<40 {
      let (pipeline, _) = try Self.make([("videotestsrc", [:]), ("fakesink", [:])])
      try pipeline.setState(.playing)
      #expect(pipeline.sendEndOfStream())
      #expect(await Self.ending(of: pipeline) == .endOfStream)
    }
  }

  @Test func endsTheSourcesInsideOfABin() async throws {
    let pipeline = try Pipeline()
    let (source, sink) = (try Element(launch: "videotestsrc ! identity"), try Element(factory: "fakesink"))
    try pipeline.add([source, sink])
    try pipeline.link(source, to: sink)
    try pipeline.setState(.playing)
    #expect(pipeline.sendEndOfStream())
    #expect(await Self.ending(of: pipeline) == .endOfStream)
  }

  /// An appsrc that is given nothing stands for a camera that stalls in its driver.
  @Test func endsBehindASourceThatStalls() async throws {
    let (pipeline, elements) = try Self.make([("appsrc", [:]), ("queue", [:]), ("fakesink", ["async": .bool(false)])])
    let ended = Mutex(false)
    elements[2].pad("sink")?.observeEvents { if $0 == .endOfStream { ended.withLock { $0 = true } } }
    try pipeline.setState(.playing)
    let sent = await Task.detached { elements[1].pad("sink")?.sendEndOfStream() }.value
    #expect(sent == true)
    #expect(await Self.ending(of: pipeline) == .endOfStream)
    #expect(ended.withLock { $0 })
  }

  @Test func explainsALinkThatCannotBe() throws {
    let pipeline = try Pipeline()
    let (source, sink) = (
      try Element(factory: "audiotestsrc", name: "tone"), try Element(factory: "x264enc", name: "enc")
    )
    try pipeline.add([source, sink])
    let error = try #require(throws: LinkError.self) { try pipeline.link(source, to: sink) }
    #expect(error.from == "tone.src" && error.to == "enc.sink")
    #expect(error.description.contains("audio/x-raw") && error.description.contains("video/x-raw"))
    #expect(throws: LinkError.self) { try pipeline.link(source, pad: "nosuch", to: sink, pad: "sink") }
    #expect(throws: PipelineError.self) { try pipeline.add(source) }
  }

  @Test func linksByTemplateAndByName() throws {
    let pipeline = try Pipeline()
    let parser = try Element(factory: "h264parse")
    let (mux, sink) = (try Element(factory: "mp4mux", name: "mux"), try Element(factory: "fakesink"))
    try pipeline.add([parser, mux, sink])
    try pipeline.link(parser, pad: "src", to: mux, pad: "video_%u")
    try pipeline.link(mux, to: sink)
    #expect(parser.pad("src")?.peer?.path == "mux.video_0")
    #expect(mux.requestPad("audio_%u")?.name == "audio_0")
    #expect(mux.requestPad("smell_%u") == nil)
  }

  @Test func probesCountAndDrop() async throws {
    let (pipeline, elements) = try Self.make([
      ("videotestsrc", ["num-buffers": .int(20)]),
      ("capsfilter", ["caps": .string("video/x-raw,format=GRAY8,width=32,height=8,framerate=50/1")]),
      ("fakesink", [:]),
    ])
    let seen = Mutex<[BufferInfo]>([])
    let passed = Mutex(0)
    let caps = Mutex<[PadEvent]>([])
    let source = try #require(elements[0].pad("src"))
    let sink = try #require(elements[2].pad("sink"))
    source.observeBuffers { info in
      seen.withLock { $0.append(info) }
      return info.offset.map { $0 % 2 == 0 } == true ? .pass : .drop
    }
    sink.observeBuffers { _ in
      passed.withLock { $0 += 1 }
      return .pass
    }
    sink.observeEvents { event in caps.withLock { $0.append(event) } }
    try pipeline.setState(.playing)
    #expect(await Self.ending(of: pipeline) == .endOfStream)
    let infos = seen.withLock { $0 }
    #expect(infos.map(\.offset) == (0..<20).map { UInt64($0) })
    #expect(infos.map(\.pts) == (0..<20).map { Int64($0) * 20_000_000 })
    #expect(infos.allSatisfy { $0.size == 256 && $0.duration == 20_000_000 && !$0.isDelta && !$0.isCorrupted })
    #expect(passed.withLock { $0 } == 10)
    #expect(caps.withLock { $0.last } == .endOfStream)
    guard case .caps(let agreed)? = caps.withLock({ $0.first }) else {
      Issue.record("no caps event")
      return
    }
    #expect(agreed == sink.currentCaps && agreed.structures.first?["width"] == .int(32))
    try pipeline.setState(.null)
  }

  @Test func probesSeeIntoBufferLists() async throws {
    let (pipeline, elements) = try Self.make([
      ("videotestsrc", ["num-buffers": .int(1)]),
      ("capsfilter", ["caps": .string("video/x-raw,format=UYVY,width=640,height=480,framerate=30/1")]),
      ("rtpvrawpay", [:]), ("fakesink", [:]),
    ])
    let count = Mutex(0)
    let kept = Mutex(0)
    elements[2].pad("src")?.observeBuffers { _ in
      count.withLock {
        $0 += 1
        return $0 % 3 == 0 ? .drop : .pass
      }
    }
    elements[3].pad("sink")?.observeBuffers { _ in
      kept.withLock { $0 += 1 }
      return .pass
    }
    try pipeline.setState(.playing)
    #expect(await Self.ending(of: pipeline) == .endOfStream)
    let (all, left) = (count.withLock { $0 }, kept.withLock { $0 })
    #expect(all > 300 && left == all - all / 3)
    try pipeline.setState(.null)
  }

  @Test func aRemovedProbeIsSilentAndFreed() async throws {
    final class Witness: Sendable {}
    let (pipeline, elements) = try Self.make([("videotestsrc", ["num-buffers": .int(5)]), ("fakesink", [:])])
    let count = Mutex(0)
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      let observation = elements[0].pad("src")?.observeBuffers { _ in
        count.withLock { $0 += 1 }
        return withExtendedLifetime(held) { .pass }
      }
      observation?.remove()
      observation?.remove()
    }
    #expect(witness == nil)
    try pipeline.setState(.playing)
    #expect(await Self.ending(of: pipeline) == .endOfStream)
    #expect(count.withLock { $0 } == 0)
    try pipeline.setState(.null)
  }

  @Test func copiesElementMessages() async throws {
    let (pipeline, _) = try Self.make([
      ("audiotestsrc", ["num-buffers": .int(20)]), ("level", ["interval": .int(50_000_000)]), ("fakesink", [:]),
    ])
    try pipeline.setState(.playing)
    var levels: [CapsStructure] = []
    for await message in pipeline.bus.messages {
      if case .element(_, let structure) = message, structure.name == "level" { levels.append(structure) }
      if message == .endOfStream { break }
    }
    #expect(!levels.isEmpty && levels[0]["rms"] != nil)
    try pipeline.setState(.null)
  }

  /// Every buffer but the first comes too late; a reader that sleeps must find one message of them all.
  @Test func mergesMessagesAboutLateFrames() async throws {
    let (pipeline, elements) = try Self.make([
      ("videotestsrc", ["num-buffers": .int(30)]),
      ("capsfilter", ["caps": .string("video/x-raw,framerate=1000/1")]),
      ("identity", ["sleep-time": .int(5000)]),
      ("fakesink", ["sync": .bool(true), "qos": .bool(true), "max-lateness": .int(0)]),
    ])
    let ended = Mutex(false)
    elements[3].pad("sink")?.observeEvents { if $0 == .endOfStream { ended.withLock { $0 = true } } }
    try pipeline.setState(.playing)
    while !ended.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    var reports: [BusMessage] = []
    for await message in pipeline.bus.messages {
      if case .qos = message { reports.append(message) }
      if message == .endOfStream { break }
    }
    guard reports.count == 1, case .qos(elements[3].name, _, let dropped?, let count) = reports[0] else {
      Issue.record("late frames were told as \(reports)")
      return
    }
    #expect(count > 1 && dropped >= UInt64(count))
    try pipeline.setState(.null)
  }

  @Test func streamsEndWhenTheBusCloses() async throws {
    let pipeline = try Pipeline()
    let reader = Task { await Self.ending(of: pipeline) }
    pipeline.bus.close()
    #expect(await reader.value == .silence)
    let other = try Pipeline()
    let cancelled = Task { await Self.ending(of: other) }
    cancelled.cancel()
    #expect(await cancelled.value == .silence)
  }

  /// A pipeline that goes while it runs must stop its threads and give back its files. In a process of its own, because
  /// other tests open files too.
  @Test func leavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      for number in 0..<5 { try await PipelineTests.cycle(number) }
      let before = try PipelineTests.openFiles()
      for number in 0..<50 { try await PipelineTests.cycle(number) }
      #expect(try PipelineTests.openFiles() == before)
    }
  }

  static func openFiles() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Some end, some are stopped, some are let go while they run.
  static func cycle(_ number: Int) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "capstan-cycle-\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (pipeline, elements) = try make([
      ("videotestsrc", ["num-buffers": .int(number % 2 == 0 ? 2 : -1)]), ("queue", [:]),
      ("filesink", ["location": .string(file)]),
    ])
    elements[1].pad("src")?.observeBuffers { _ in .pass }
    try pipeline.setState(.playing)
    if number % 2 == 0 { #expect(await ending(of: pipeline) == .endOfStream) }
    if number % 3 == 0 { try pipeline.setState(.null) }
  }
}

@Suite struct CapsQueryTests {
  @Test func asksASource() throws {
    let caps = try CapsQuery.sourceCaps(of: "videotestsrc", properties: ["pattern": .string("snow")])
    #expect(caps.structures.contains { $0.name == "video/x-raw" && $0["framerate"] != nil })
    let narrow = try CapsQuery.sourceCaps(launch: "videotestsrc ! capsfilter caps=video/x-raw,format=NV12,width=640")
    #expect(narrow.structures.first?["width"] == .int(640))
  }

  @Test func leavesTheElementClosedAndFree() throws {
    let source = try Element(factory: "videotestsrc")
    _ = try CapsQuery.sourceCaps(of: source)
    #expect(source.state == .null)
    try Pipeline().add(source)
  }

  @Test func tellsWhatTheBusSaid() throws {
    let error = try #require(throws: CapsQueryError.self) {
      try CapsQuery.sourceCaps(of: "v4l2src", properties: ["device": .string("/dev/nosuchvideo")])
    }
    guard case .failure(let failure) = error else {
      Issue.record("told as \(error)")
      return
    }
    #expect(failure.factory == "v4l2src" && failure.domain == .resource && failure.code == "not-found")
    #expect(failure.description.contains("/dev/nosuchvideo"))
    #expect(throws: CapsQueryError.self) { try CapsQuery.sourceCaps(of: "nosuchsrc") }
    #expect(throws: CapsQueryError.self) {
      try CapsQuery.sourceCaps(of: "v4l2src", properties: ["devise": .string("/dev/video0")])
    }
    #expect(throws: CapsQueryError.self) { try CapsQuery.sourceCaps(of: "fakesink") }
  }
}
