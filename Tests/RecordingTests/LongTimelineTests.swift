/// Recordings of a day, made fast: tiny frames at their times through the pipeline that writes files, as fast as it takes
/// them. An hour unless `CAPSTAN_TIMELINE_HOURS` says otherwise; `Tests/long` has a day.

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
    private static let hours =
      ProcessInfo.processInfo.environment["CAPSTAN_TIMELINE_HOURS"].flatMap { Double($0) } ?? 1
    private static let size = VideoDimensions(width: 64, height: 64)

    @Test(arguments: ["mp4", "mov", "mkv"], [Fraction(60), Fraction(60000, 1001), Fraction(7013, 117)])
    func durationIsRightToAFrame(_ container: String, _ rate: Fraction) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("long.\(container)")
      let frames = Int((Self.hours * 3600 * rate.value).rounded())
      try await Self.write(frames, at: rate, to: file, container)
      let tool = Places.tests.appending(path: "Tools/check-timeline").path(percentEncoded: false)
      let outcome = try await RunningProgram(
        "/usr/bin/env",
        [
          "python3", tool, file.path(percentEncoded: false), "--frames", "\(frames)", "--rate",
          "\(rate.numerator)/\(rate.denominator)",
        ]
      ).finish(within: .seconds(600))
      Figures.tell(["\(container) \(rate) \(outcome.output)"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    // MARK: Steps

    private static func plan(at rate: Fraction, _ container: String) throws -> RecordingPlan {
      let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
      var preset = try library.preset("720p60")
      preset.encoders = ["x264enc"]
      preset.container = container
      let planner = RecordingPlanner(
        encoders: try library.encoders(), containers: try library.containers(),
        installedElements: ElementCatalog.installed, processorCount: 2)
      let format = DeviceFormat(
        payload: .raw(.i420), dimensions: DimensionsRange(size), frameRates: [FrameRateRange(rate)])
      return try planner.plan(preset, source: .application, formats: [format], location: "long")
    }

    /// The frames of one group of pictures, over and over, at the times that a camera would give them.
    private static func write(_ frames: Int, at rate: Fraction, to file: URL, _ container: String) async throws {
      let plan = try plan(at: rate, container)
      let writer = try FileWriter(
        plan.filePipeline(to: file.path(percentEncoded: false)), plan.container, period: nanoseconds(1, rate),
        timeline: RecordingTimeline())
      let group = try await pictures(at: rate)
      let (camera, source) = try stream()
      try writer.join(camera)
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
    private static func pictures(at rate: Fraction) async throws -> [MediaSample] {
      let pipeline = try GStreamer.Pipeline()
      let source = try Element(factory: "videotestsrc")
      try source.set("num-buffers", to: .int(60))
      let filter = try Element(factory: "capsfilter")
      try filter.set(
        "caps",
        to: .string("video/x-raw,format=I420,width=64,height=64,framerate=\(rate.numerator)/\(rate.denominator)"))
      let encoder = try Element(factory: "x264enc")
      try encoder.set("bframes", to: .int(0))
      try encoder.set("key-int-max", to: .int(60))
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
