/// Decodes what an encoder made in a trial, and compares it with the pictures that went in.

import GStreamer
import Synchronization

struct DecodingRun: Sendable {
  let trial: EncoderTrial
  let pictures: [MediaSample]

  /// Enough of each picture to tell it from another.
  private static let points = 20_000

  private struct Sums {
    var frames = 0
    var error = 0.0
  }

  /// - Parameter isWhole: whether the frames are all that there are.
  /// - Returns: `nil` where no decoder is here, or it is so slow that nothing can be said.
  func run(_ frames: [MediaSample], _ isWhole: Bool) throws -> EncoderFinding.Decoding? {
    guard let first = frames.first, let (stream, decoder) = PictureSampler.decoders[trial.codec],
      let chain = try? Element(launch: Preset.standingAlone(filter: "\(stream) ! \(decoder)"))
    else { return nil }
    let sources = pictures.compactMap { $0.luma(points: DecodingRun.points) }
    guard sources.count == pictures.count else { return nil }
    let sums = Mutex(Sums())
    let compare = comparer(sources)
    let bench = try BenchPipeline([chain], waiting: 8) { picture in
      if let error = compare(picture) {
        sums.withLock { sums in
          sums.frames += 1
          sums.error += error
        }
      }
      return nil
    }
    bench.source.setCaps(of: first)
    guard bench.start(within: EncoderBench.patience) else { return nil }
    let isDone = feed(frames, to: bench)
    _ = bench.close(within: EncoderBench.patience)
    let (count, error) = sums.withLock { ($0.frames, $0.error) }
    guard isDone || count == 0 else { return nil }
    let contrast = sources.map(DecodingRun.contrast).reduce(0, +) / Double(sources.count)
    return EncoderFinding.Decoding(
      frames: count, meanError: count > 0 ? error / Double(count) : 0, contrast: contrast)
  }

  private func feed(_ frames: [MediaSample], to bench: BenchPipeline) -> Bool {
    let source = bench.source
    return Bench.within(EncoderBench.decodingPatience, unless: bench.failure != nil) {
      for frame in frames where bench.failure == nil { _ = source.push(frame, pts: frame.pts, dts: frame.dts) }
      source.endOfStream()
      _ = bench.waitForEnd(within: EncoderBench.decodingPatience)
    }
  }

  /// A decoded picture is known by its time.
  private func comparer(_ sources: [[UInt8]]) -> @Sendable (MediaSample) -> Double? {
    let rate = trial.frameRate.value
    return { picture in
      guard let codes = picture.luma(points: DecodingRun.points), let pts = picture.pts else { return nil }
      let number = Int((Double(pts) * rate / 1e9).rounded())
      return DecodingRun.distance(codes, sources[((number % sources.count) + sources.count) % sources.count])
    }
  }

  /// Mean distance of two pictures; a picture of another size has nothing in common with it.
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Double {
    guard one.count == other.count, !one.isEmpty else { return 255 }
    var sum = 0
    for place in one.indices { sum += abs(Int(one[place]) - Int(other[place])) }
    return Double(sum) / Double(one.count)
  }

  /// What a picture of one grey would be beside this one.
  static func contrast(_ codes: [UInt8]) -> Double {
    let mean = codes.reduce(0) { $0 + Int($1) } / max(1, codes.count)
    return distance(codes, [UInt8](repeating: UInt8(clamping: mean), count: codes.count))
  }
}
