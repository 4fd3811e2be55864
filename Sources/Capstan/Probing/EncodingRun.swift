/// One encoder at work for at most a second of wall clock.

import Foundation
import GStreamer

struct EncodingRun: Sendable {
  let trial: EncoderTrial
  let pictures: [MediaSample]

  /// So much video is enough, however fast the encoder is; and so many bytes, whatever it makes of its bit rate.
  private static let mostSeconds = 4.0
  private static let mostBytes = 192 << 20

  /// - Throws: `TrialStop` for an encoder that gives nothing, or hangs; `PropertyError`.
  func run() throws -> EncodingOutcome {
    let elements = try trial.nodes.map { try PipelineBuilder.element(for: $0) }
    let bench = try BenchPipeline(elements, waiting: 2)
    let watch = try EncoderWatch(elements[0])
    guard bench.start(within: EncoderBench.patience) else { throw TrialStop("hangs when it is started") }
    if let failure = bench.failure { throw TrialStop("did not start", failure) }
    let begin = (time: OwnProcess.processorTime, machine: MachineLoad.now)
    let isFed = feed(bench, watch)
    let isWhole = isFed && bench.waitForEnd(within: EncoderBench.patience) && bench.hasEnded
    let cores = OwnProcess.processorTime - begin.time
    let isDisturbed = MachineLoad.now.isDisturbed(since: begin.machine, by: cores)
    if let failure = bench.failure { throw TrialStop(bench.samples.isEmpty ? "did not start" : "failed", failure) }
    let seen = watch.seen
    guard seen.left > 0 else { throw TrialStop(EncodingRun.silence(seen, work: cores)) }
    if isWhole, !bench.close(within: EncoderBench.patience) { throw TrialStop("hangs when it is stopped") }
    return EncodingOutcome(
      frames: bench.samples, framesIn: seen.entered, isWhole: isWhole, latency: seen.latency,
      seconds: EncodingRun.seconds(seen.firstEntry, seen.lastExit), coreSeconds: cores, isDisturbed: isDisturbed,
      record: seen.record, keyFrame: seen.keyFrame)
  }

  /// - Parameter work: seconds of processor time. An encoder that hangs has next to none.
  private static func silence(_ seen: EncoderWatch.Seen, work: Double) -> String {
    let pictures = "\(seen.entered) picture\(seen.entered == 1 ? "" : "s")"
    if work > EncoderBench.feeding.inSeconds { return "is far too slow: it worked on \(pictures) and gave none" }
    return "hangs: it took \(pictures) and gave none"
  }

  /// On a thread of its own, which an encoder that hangs or fails holds.
  /// - Returns: false where it does.
  private func feed(_ bench: BenchPipeline, _ watch: EncoderWatch) -> Bool {
    let most = max(60, Int(trial.frameRate.value * EncodingRun.mostSeconds))
    let period = 1e9 / trial.frameRate.value
    let (pictures, source) = (pictures, bench.source)
    source.setCaps(of: pictures[0])
    return Bench.within(EncoderBench.feeding + EncoderBench.patience, unless: bench.failure != nil) {
      for number in 0..<most {
        let seen = watch.seen
        let time = seen.firstEntry.map { ContinuousClock.now - $0 } ?? .zero
        let isOver = time >= EncoderBench.feeding || seen.bytes >= EncodingRun.mostBytes
        if isOver || bench.failure != nil { break }
        let pts = Int64((Double(number) * period).rounded())
        guard source.push(pictures[number % pictures.count], pts: pts, dts: nil) == .ok else { break }
      }
      source.endOfStream()
    }
  }

  private static func seconds(_ from: ContinuousClock.Instant?, _ to: ContinuousClock.Instant?) -> Double? {
    guard let from, let to, to > from else { return nil }
    return (to - from).inSeconds
  }
}
