/// Writes the frames of one file into another, as they are.

import Foundation
import GStreamer
import MediaFormats
import MediaInspection
import PipelinePlanning

struct RemuxPipeline: Sendable {
  private let media: MediaFile
  private let product: PipelineBuilder.Product
  private let source: AppSource

  init(_ media: MediaFile, container: ContainerProfile, to file: URL) throws(CaptureError) {
    guard let caps = media.streamCaps, container.codecs.contains(media.codec) else {
      throw CaptureError(.notReadable, "A recording in \(media.codec) cannot be completed here.")
    }
    self.media = media
    let description = RemuxPipeline.description(caps, media, container, file)
    product = try PipelineBuilder(description: description).build()
    guard let source = product.elements[NodeName.stream].flatMap(AppSource.init) else {
      throw CaptureError(.pipelineFailed, "There is nothing that the frames can be handed to.")
    }
    self.source = source
  }

  /// The parser reads the colour out of the stream, so that the container says it too.
  private static func description(
    _ caps: String, _ media: MediaFile, _ container: ContainerProfile, _ file: URL
  ) -> PipelineDescription {
    typealias Node = PipelineDescription.Node
    let codec = media.codec
    let head = Node(
      "appsrc", name: NodeName.stream,
      ["format": .string("time"), "block": .bool(true), "max-bytes": .int(8 << 20), "caps": .string(caps)])
    let parser = ["h264": "h264parse", "h265": "h265parse", "vp9": "vp9parse", "av1": "av1parse"][codec]
    let site = Node(
      "capssetter", name: "chroma-site",
      ["join": .bool(true), "caps": .string("video/x-vp9, chroma-site=(string)mpeg2")])
    let needsSite = codec == "vp9" && ["mp4mux", "qtmux"].contains(container.muxer)
    let muxer = Node(
      .factory(container.muxer), name: NodeName.muxer,
      properties: container.settings(fragment: .milliseconds(500), rate: media.rate))
    let sink = Node(
      "filesink", name: NodeName.file, ["location": .string(file.path(percentEncoded: false)), "async": .bool(false)])
    let nodes = [head] + (parser.map { [Node($0, name: "parser")] } ?? []) + (needsSite ? [site] : [])
    return PipelineDescription(stages: [.init("remux", nodes + [muxer, sink])])
  }

  /// - Parameter read: the bytes of a frame.
  func run(_ read: @escaping @Sendable (MediaFile.Frame) -> [UInt8]?) async throws(CaptureError) {
    defer {
      _ = try? product.pipeline.setState(.null)
      product.pipeline.bus.close()
    }
    do { try product.pipeline.setState(.playing) } catch { throw CaptureError(.pipelineFailed, "\(error)") }
    feed(read)
    for await message in product.pipeline.bus.messages {
      switch message {
      case .endOfStream: return
      case .error(let failure): throw CaptureError(failure, device: "")
      default: break
      }
    }
  }

  /// On a thread of its own: it waits while as much is on its way as may be.
  private func feed(_ read: @escaping @Sendable (MediaFile.Frame) -> [UInt8]?) {
    let (media, source) = (media, source)
    let (times, period) = (media.nanoseconds, media.period)
    Thread.detachNewThread {
      for (place, frame) in media.frames.enumerated() {
        guard let bytes = read(frame), bytes.count == frame.size else { break }
        let duration = frame.duration.map { Int64((Double($0) * 1e9 / media.timescale).rounded()) }
        let pushed = source.push(
          encoded: bytes, pts: times[place].pts, dts: times[place].dts,
          duration: duration.flatMap { $0 > 0 ? $0 : nil } ?? period, isKeyFrame: frame.isKey)
        if pushed != .ok { break }
      }
      source.endOfStream()
    }
  }
}

extension MediaFile {
  /// Frames a second, where they say how long they last.
  fileprivate var rate: Fraction? { period.flatMap { Fraction(checking: 1_000_000_000, over: Int($0)) } }
}
