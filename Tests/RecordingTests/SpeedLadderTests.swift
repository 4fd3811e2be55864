/// The speeds that the profiles call switchable: the same headers from each of them, and one file from all of them. The
/// headers are taken out by ffmpeg.

import Foundation
import GStreamer
import MediaFormats
import PipelinePlanning
import Testing

@testable import Capstan

extension LiveTests {
  @Suite struct SpeedLadderTests {
    /// Each encoder with ffmpeg's filter and format for its headers; those of VP9 have no place of their own.
    static let encoders = [
      ("x264enc", "h264_mp4toannexb,filter_units=pass_types=7-8", "h264"),
      ("openh264enc", "h264_mp4toannexb,filter_units=pass_types=7-8", "h264"),
      ("x265enc", "hevc_mp4toannexb,filter_units=pass_types=32-34", "hevc"),
      ("av1enc", "filter_units=pass_types=1", "obu"), ("vp9enc", "null", "ivf"), ("vp8enc", "null", "ivf"),
    ].filter { ElementCatalog.contains($0.0) }

    /// On a machine so large that the planner takes the slowest speed.
    private static func plan(_ encoder: String, lowLatency: Bool = false) throws -> RecordingPlan {
      let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
      var preset = try library.preset("720p60")
      preset.encoders = [encoder]
      preset.lowLatency = lowLatency
      preset.container = "mkv"
      let planner = RecordingPlanner(
        encoders: try library.encoders(), containers: try library.containers(),
        installedElements: ElementCatalog.installed, processorCount: 1024)
      let format = DeviceFormat(
        payload: .raw(.i420), dimensions: DimensionsRange(VideoDimensions(width: 320, height: 180)),
        frameRates: [FrameRateRange(Fraction(60))])
      return try planner.plan(preset, source: .application, formats: [format], location: "a.mkv")
    }

    private static func chain(
      _ plan: RecordingPlan, _ encoder: Element, frames: Int, isLive: Bool, to file: URL
    ) throws -> (pipeline: GStreamer.Pipeline, head: Element) {
      let pipeline = try GStreamer.Pipeline()
      let source = try Element(factory: "videotestsrc")
      try source.set("num-buffers", to: .int(frames))
      try source.set("is-live", to: .bool(isLive))
      try source.set("pattern", to: .string("snow"))
      let filter = try Element(factory: "capsfilter", name: "head")
      try filter.set("caps", to: .string("video/x-raw,format=I420,width=320,height=180,framerate=60/1"))
      var chain = [source, filter, encoder]
      if let output = plan.encoder.output {
        let profile = try Element(factory: "capsfilter", name: "profile")
        try profile.set("caps", to: .string(output))
        chain.append(profile)
      }
      if let parser = plan.encoder.parser { chain.append(try Element(factory: parser, name: "parser")) }
      let sink = try Element(factory: "filesink", name: "file")
      try sink.set("location", to: .string(file.path(percentEncoded: false)))
      chain += [try Element(factory: "matroskamux", name: "muxer"), sink]
      try pipeline.add(chain)
      try pipeline.link(chain: chain)
      return (pipeline, filter)
    }

    private static func end(of pipeline: GStreamer.Pipeline) async throws {
      for await message in pipeline.bus.messages {
        if case .error(let failure) = message { throw failure }
        if message == .endOfStream { break }
      }
      try pipeline.setState(.null)
    }

    private static func output(_ program: String, _ arguments: [String]) throws -> Data {
      let (process, output) = (Process(), Foundation.Pipe())
      process.executableURL = URL(filePath: "/usr/bin/\(program)")
      process.arguments = ["-v", "error"] + arguments
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return data
    }

    private static func scratch() -> URL { FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mkv") }

    @Test(arguments: encoders, [false, true])
    func everySpeedWritesTheSameHeaders(_ tool: (String, String, String), _ lowLatency: Bool)
      async throws
    {
      let (encoder, filter, format) = tool
      let plan = try Self.plan(encoder, lowLatency: lowLatency)
      #expect(plan.speedLadder.count == plan.encoder.speeds.count)
      var headers: [String: Data] = [:]
      for rung in plan.speedLadder {
        let file = Self.scratch()
        defer { try? FileManager.default.removeItem(at: file) }
        let element = try PipelineBuilder.element(for: rung.node)
        let (pipeline, _) = try Self.chain(plan, element, frames: 3, isLive: false, to: file)
        try pipeline.setState(.playing)
        try await Self.end(of: pipeline)
        let path = file.path(percentEncoded: false)
        let bytes = try Self.output(
          "ffmpeg", ["-i", path, "-frames:v", "1", "-c", "copy", "-bsf:v", filter, "-f", format, "-"])
        // Behind 32 bytes for the file and 12 for the frame, a key frame of VP9 says profile, colour and size in 8; one of
        // VP8 begins with the size of its parts, and says start and size in the 7 behind.
        let place = encoder == "vp8enc" ? 47..<54 : 44..<52
        headers[rung.speed] = format == "ivf" ? Data(bytes[place]) : bytes
      }
      #expect(headers.values.allSatisfy { $0.count >= 7 }, "\(headers)")
      #expect(Set(headers.values).count == 1, "\(headers.mapValues { $0.map { String($0, radix: 16) } })")
    }

    @Test(arguments: encoders) func everySpeedTakesOver(_ encoder: String, _ filter: String, _ format: String)
      async throws
    {
      let plan = try Self.plan(encoder)
      let ladder = plan.speedLadder
      let frames = 30 * (ladder.count + 1)
      let file = Self.scratch()
      defer { try? FileManager.default.removeItem(at: file) }
      let first = try PipelineBuilder.element(for: try #require(ladder.last).node)
      let (pipeline, _) = try Self.chain(plan, first, frames: frames, isLive: true, to: file)
      let exchange = EncoderExchange(pipeline: pipeline, encoder: first, period: .milliseconds(17))
      try pipeline.setState(.playing)
      for rung in ladder.dropLast().reversed() {
        try await Task.sleep(for: .milliseconds(150))
        let outcome = await withCheckedContinuation { done in
          exchange.exchange(for: rung.node) { done.resume(returning: $0) }
        }
        #expect(outcome == .done)
      }
      try await Self.end(of: pipeline)
      let path = file.path(percentEncoded: false)
      let probe = try Self.output(
        "ffprobe", ["-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path])
      #expect(String(decoding: probe, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == "\(frames)")
    }
  }
}
