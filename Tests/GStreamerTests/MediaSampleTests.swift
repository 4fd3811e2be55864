/// Encoded frames that go from one pipeline into another: the same bytes, at the times that they were given.

import Foundation
import GStreamer
import MediaFormats
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct MediaSampleTests {
  private static let frames = 90

  private static func samples(bFrames: Int) async throws -> [MediaSample] {
    let pipeline = try Pipeline()
    let source = try Element(factory: "videotestsrc")
    try source.set("num-buffers", to: .int(frames))
    let filter = try Element(factory: "capsfilter")
    try filter.set("caps", to: .string("video/x-raw,format=I420,width=320,height=240,framerate=30/1"))
    let encoder = try Element(factory: "x264enc")
    try encoder.set("bframes", to: .int(bFrames))
    try encoder.set("key-int-max", to: .int(30))
    let parser = try Element(factory: "h264parse")
    let format = try Element(factory: "capsfilter")
    try format.set("caps", to: .string("video/x-h264,stream-format=avc,alignment=au"))
    let end = try Element(factory: "appsink")
    try end.set("sync", to: .bool(false))
    let chain = [source, filter, encoder, parser, format, end]
    try pipeline.add(chain)
    try pipeline.link(chain: chain)
    let taken = Mutex<[MediaSample]>([])
    try #require(AppSink(end)).deliver(to: .init { sample in taken.withLock { $0.append(sample) } })
    try pipeline.setState(.playing)
    #expect(await PipelineTests.ending(of: pipeline) == .endOfStream)
    try pipeline.setState(.null)
    return taken.withLock { $0 }
  }

  private static func write(_ samples: ArraySlice<MediaSample>, from origin: Int64, to file: URL) async throws {
    let pipeline = try Pipeline()
    let source = try AppSource(isLive: false)
    let muxer = try Element(factory: "mp4mux")
    let sink = try Element(factory: "filesink")
    try sink.set("location", to: .string(file.path(percentEncoded: false)))
    try sink.set("async", to: .bool(false))
    try pipeline.add([source.element, muxer, sink])
    try pipeline.link(source.element, pad: nil, to: muxer, pad: "video_0")
    try pipeline.link(muxer, to: sink)
    source.setCaps(of: try #require(samples.first))
    try pipeline.setState(.playing)
    for sample in samples {
      #expect(source.push(sample, pts: sample.pts.map { $0 - origin }, dts: sample.dts.map { $0 - origin }) == .ok)
    }
    source.endOfStream()
    let ending = await PipelineTests.ending(of: pipeline)
    #expect(ending == .endOfStream)
    try pipeline.setState(.null)
  }

  @Test(arguments: [0, 2]) func framesKeepTheirTimes(bFrames: Int) async throws {
    let samples = try await Self.samples(bFrames: bFrames)
    #expect(samples.count == Self.frames && samples.first?.isKeyFrame == true)
    #expect(samples.map { $0.pts ?? -1 }.min() == 0)
    #expect((samples[0].dts ?? 1) <= 0 && (bFrames == 0) == (samples[0].dts == samples[0].pts))
    #expect(samples.allSatisfy { $0.hasCaps(of: samples[0]) && $0.size > 0 })
    for first in [0, 30, 60] {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mp4")
      defer { try? FileManager.default.removeItem(at: file) }
      let part = samples[first...]
      #expect(part.first?.isKeyFrame == true)
      try await Self.write(part, from: part.first?.dts ?? 0, to: file)
      let times = try ElementReplacementTests.times(of: file)
      #expect(times.count == Self.frames - first)
      for (place, time) in times.enumerated() {
        #expect(abs(time - Double(place) / 30) < 0.002, "\(first) \(place) \(time)")
      }
    }
  }
}
