/// Recordings of a day and files over 4 GiB, made fast: frames at their times through the pipeline that writes files, as fast
/// as it takes them. An hour unless `CAPSTAN_TIMELINE_HOURS` says otherwise; `Tests/long` has a day, and the large files.

import Foundation
import GStreamer
import MediaFormats
import PipelinePlanning
import Synchronization
import TestSupport
import Testing

@testable import Capstan

extension FileWork {
  @Suite struct LongTimelineTests {
    private static func setting(_ name: String) -> Double? {
      ProcessInfo.processInfo.environment[name].flatMap { Double($0) }
    }

    private static let hours = setting("CAPSTAN_TIMELINE_HOURS") ?? 1
    /// So large are the large files.
    private static let gibibytes = setting("CAPSTAN_LARGE_FILE_GIB")

    @Test(arguments: ["mp4", "mov", "mkv"], [Fraction(60), Fraction(60000, 1001), Fraction(7013, 117)])
    func durationIsRightToAFrame(_ container: String, _ rate: Fraction) async throws {
      let group = try await Self.pictures(of: VideoDimensions(width: 64, height: 64), at: rate)
      try await Self.check(Int((Self.hours * 3600 * rate.value).rounded()), of: group, at: rate, container)
    }

    /// Each frame is about a megabyte of noise.
    @Test(
      .enabled("takes minutes and much of a disk; Tests/long does it") { gibibytes != nil },
      arguments: ["mp4", "mov", "mkv"])
    func aLargeFileSeeksToItsEnd(_ container: String) async throws {
      let group = try await Self.pictures(
        of: VideoDimensions(width: 1280, height: 720), at: Fraction(60), encoder: ["pass": "quant", "quantizer": "0"])
      let mean = Double(group.map(\.size).reduce(0, +)) / Double(group.count)
      let frames = Int((Self.gibibytes ?? 0) * Double(1 << 30) / mean) + 1
      try await Self.check(frames, of: group, at: Fraction(60), container)
    }

    /// An hour between two pictures: the next file begins before the clock of one has come to its end.
    @Test(arguments: [("mp4", [36, 4]), ("mkv", [40])])
    func aFileEndsBeforeItsClock(_ container: String, _ frames: [Int]) async throws {
      let group = try await Self.pictures(of: VideoDimensions(width: 64, height: 64), at: Fraction(60))
      let picture = try #require(group.first)
      let folder = try TemporaryFolder()
      let plan = try Self.plan(at: Fraction(60000, 1001), container)
      let (agreement, timeline) = (CameraAgreement(plan: plan), RecordingTimeline())
      let make = { @Sendable (number: Int) throws(CaptureError) -> RecordedFile in
        let output = MovieFileOutput(to: folder.file("\(number).\(container)"))
        let file = try OutputFile(for: output, fileExtension: container, date: Date())
        return try RecordedFile(file, number: number, agreement: agreement, timeline: timeline) { _ in }
      }
      let files = FileSequence(
        try make(0), rule: nil, replay: nil, longest: plan.container.longestFile, budget: plan.budget(SizeLimits()),
        period: agreement.period, timeline: timeline,
        listener: .init(
          finished: { _, _ in }, isGrown: { _ in }, isStuck: { error, _ in Issue.record("\(error)") }, isFull: { _ in },
          surplus: {}, synchronized: { _ in },
          warn: { Issue.record("\($0)") })
      ) { number throws(CaptureError) in try make(number) }
      try files.start()
      let (camera, source) = try Self.stream()
      let sink = try #require(camera.elements[NodeName.stream].flatMap(AppSink.init))
      sink.deliver(to: .init(sample: { files.write($0) }, endOfStream: { files.finish() }))
      try camera.pipeline.setState(.playing)
      source.setCaps(of: picture)
      for hour in 0..<40 {
        let time = Int64(hour) * 3_600_000_000_000
        #expect(source.push(picture, pts: time, dts: time) == .ok)
      }
      source.endOfStream()
      guard case .complete = await files.ending() else { throw CaptureError(.pipelineFailed, "not completed") }
      _ = files.current.settle(isComplete: true, origin: files.origin)
      try camera.pipeline.setState(.null)
      var counts: [Int] = []
      for name in try folder.names.sorted() {
        let packets = try await Packets(folder.file(name))
        counts.append(packets.count)
        #expect(packets.times == (0..<packets.count).map { Double($0) * 3600 }, "\(name)")
      }
      #expect(counts == frames)
    }

    // MARK: Steps

    private static func check(_ frames: Int, of group: [MediaSample], at rate: Fraction, _ container: String)
      async throws
    {
      let folder = try TemporaryFolder()
      let file = folder.file("long.\(container)")
      try await write(frames, of: group, at: rate, to: file, container)
      let tool = Places.tests.appending(path: "Tools/check-timeline").path(percentEncoded: false)
      let words = ["python3", tool, file.path(percentEncoded: false), "--frames", "\(frames)", "--rate", "\(rate)"]
      let outcome = try await RunningProgram("/usr/bin/env", words).finish(within: .seconds(900))
      Figures.tell(["\(container) \(rate) \(outcome.output)"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    private static func plan(at rate: Fraction, _ container: String) throws -> RecordingPlan {
      let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
      var preset = try library.preset("720p60")
      preset.encoders = ["x264enc"]
      preset.container = container
      let planner = RecordingPlanner(
        encoders: try library.encoders(), containers: try library.containers(),
        installedElements: ElementCatalog.installed, processorCount: 2)
      let size = DimensionsRange(VideoDimensions(width: 1280, height: 720))
      let format = DeviceFormat(payload: .raw(.i420), dimensions: size, frameRates: [FrameRateRange(rate)])
      return try planner.plan(preset, source: .application, formats: [format], location: "long")
    }

    /// The frames of one group of pictures, over and over, at the times that a camera would give them.
    private static func write(
      _ frames: Int, of group: [MediaSample], at rate: Fraction, to file: URL, _ container: String
    ) async throws {
      let plan = try plan(at: rate, container)
      let writer = try FileWriter(
        plan.filePipeline(to: file.path(percentEncoded: false)), plan.container, period: nanoseconds(1, rate),
        timeline: RecordingTimeline())
      let (camera, source) = try stream()
      let sink = try #require(camera.elements[NodeName.stream].flatMap(AppSink.init))
      sink.deliver(to: .init(sample: { writer.write($0) }, endOfStream: { writer.finish() }))
      try writer.start()
      try camera.pipeline.setState(.playing)
      source.setCaps(of: try #require(group.first))
      Thread.detachNewThread {
        for place in 0..<frames {
          let time = nanoseconds(place, rate)
          guard source.push(group[place % group.count], pts: time, dts: time) == .ok else { break }
        }
        source.endOfStream()
      }
      let ending = await writer.ending()
      if case .complete = ending {} else { Issue.record("\(String(describing: ending))") }
      writer.close()
      try camera.pipeline.setState(.null)
    }

    private static func nanoseconds(_ frames: Int, _ rate: Fraction) -> Int64 {
      let (numerator, denominator) = (Int64(rate.numerator), Int64(rate.denominator))
      return (Int64(frames) * 1_000_000_000 * denominator + numerator / 2) / numerator
    }

    /// A pipeline with the end that recordings have.
    private static func stream() throws -> (PipelineBuilder.Product, AppSource) {
      let pipeline = try GStreamer.Pipeline()
      let source = try Element(factory: "appsrc")
      try source.set("format", to: .string("time"))
      try source.set("block", to: .bool(true))
      let sink = try Element(factory: "appsink")
      try sink.set("sync", to: .bool(false))
      try sink.set("async", to: .bool(false))
      try pipeline.add([source, sink])
      try pipeline.link(source, to: sink)
      return (.init(pipeline: pipeline, elements: [NodeName.stream: sink]), try #require(AppSource(source)))
    }

    /// A key frame and what follows it, encoded.
    private static func pictures(
      of size: VideoDimensions, at rate: Fraction, encoder properties: KeyValuePairs<String, String> = [:]
    ) async throws -> [MediaSample] {
      let pipeline = try GStreamer.Pipeline()
      let source = try Element(factory: "videotestsrc")
      try source.set("num-buffers", to: .int(30))
      try source.set("pattern", to: .string(properties.isEmpty ? "smpte" : "snow"))
      let filter = try Element(factory: "capsfilter")
      let caps = "video/x-raw,format=I420,width=\(size.width),height=\(size.height),framerate=\(rate)"
      try filter.set("caps", to: .string(caps))
      let encoder = try Element(factory: "x264enc")
      try encoder.set("bframes", to: .int(0))
      try encoder.set("speed-preset", to: .string("ultrafast"))
      try encoder.set("key-int-max", to: .int(30))
      for property in properties { try encoder.set(property.key, to: .string(property.value)) }
      let format = try Element(factory: "capsfilter")
      try format.set("caps", to: .string("video/x-h264,stream-format=avc,alignment=au"))
      let end = try Element(factory: "appsink")
      try end.set("sync", to: .bool(false))
      let chain = [source, filter, encoder, try Element(factory: "h264parse"), format, end]
      try pipeline.add(chain)
      try pipeline.link(chain: chain)
      let taken = Mutex<[MediaSample]>([])
      try #require(AppSink(end)).deliver(to: .init { sample in taken.withLock { $0.append(sample) } })
      try pipeline.setState(.playing)
      for await message in pipeline.bus.messages {
        if case .error(let failure) = message { throw failure }
        if message == .endOfStream { break }
      }
      try pipeline.setState(.null)
      return taken.withLock { $0 }
    }
  }
}
