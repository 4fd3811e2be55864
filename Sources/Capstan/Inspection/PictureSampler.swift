/// Decodes key frames that are spread over a file, and counts their levels.

import Foundation
import GStreamer
import MediaInspection
import Synchronization

/// `filesrc ! demuxer ! parser ! decoder ! fakesink`; what is no key frame is dropped before the decoder. What the
/// demuxer says of colour is not asked: qtdemux of GStreamer 1.22 misreads the range, and only codes are counted here.
struct PictureSampler {
  let file: URL
  let media: MediaFile

  /// Enough to see what a recording looks like, in a second or two.
  static let most = 60

  /// What the demuxer's pictures are taken by, and what decodes them.
  static let decoders: [String: (stream: String, decoder: String)] = [
    "h264": ("h264parse", "avdec_h264"), "h265": ("h265parse", "avdec_h265"), "vp8": ("video/x-vp8", "vp8dec"),
    "vp9": ("video/x-vp9", "vp9dec"), "av1": ("av1parse", "av1dec"), "mjpeg": ("jpegparse", "avdec_mjpeg"),
    "mpeg4": ("video/mpeg,mpegversion=4", "avdec_mpeg4"), "ffv1": ("video/x-ffv", "avdec_ffv1"),
  ]

  /// - Returns: `nil` where nothing could be decoded here.
  func levels() async throws(CaptureError) -> LevelCount? {
    guard let way = PictureSampler.decoders[media.codec], !media.frames.isEmpty else { return nil }
    let demuxer = [.mkv, .webm].contains(media.container) ? "matroskademux" : "qtdemux"
    // A decoder leaves out what an edit list leaves out, and that may be the only key frame: not in one single segment.
    let text =
      "filesrc name=source ! \(demuxer) ! \(way.stream) ! identity single-segment=true ! "
      + "\(way.decoder) name=decoder ! fakesink name=end sync=false async=false"
    let counted = Mutex(LevelCount())
    do {
      let pipeline = try Pipeline(name: "inspection")
      let chain = try Element(launch: text, isWhole: true)
      try pipeline.add(chain)
      try chain.child(named: "source")?.set("location", to: .string(file.path(percentEncoded: false)))
      dropAllBut(every: max(1, media.frames.count { $0.isKey } / PictureSampler.most), before: chain)
      chain.child(named: "end")?.pad("sink")?.observeLevels { counts in counted.withLock { $0.add(counts) } }
      await run(pipeline)
    } catch {
      return nil
    }
    let result = counted.withLock { $0 }
    return result.pictures > 0 ? result : nil
  }

  private func dropAllBut(every step: Int, before chain: Element) {
    let keys = Mutex(0)
    chain.child(named: "decoder")?.pad("sink")?.observeBuffers { frame in
      if frame.isDelta { return .drop }
      let place = keys.withLock { keys in
        defer { keys += 1 }
        return keys
      }
      return place % step == 0 ? .pass : .drop
    }
  }

  /// A decoder that fails has often given pictures before.
  private func run(_ pipeline: Pipeline) async {
    let queue = DispatchQueue(label: "capstan.inspection")
    queue.async { _ = try? pipeline.setState(.playing) }
    loop: for await message in pipeline.bus.messages {
      switch message {
      case .endOfStream, .error: break loop
      default: continue
      }
    }
    await withCheckedContinuation { continuation in
      queue.async {
        _ = try? pipeline.setState(.null)
        continuation.resume()
      }
    }
  }
}
