/// Tries an encoder: opens it, feeds it for at most a second, and looks at what came out.

import Foundation
import GStreamer
import MediaInspection

/// To be run in a process of its own, which it may hang or end: see `EncoderProber`.
package struct EncoderBench: Sendable {
  let trial: EncoderTrial

  package init(trial: EncoderTrial) { self.trial = trial }

  /// Of wall clock.
  static let feeding = Duration.seconds(1)
  /// For what should take no time: opening, closing, and the last pictures to come.
  static let patience = Duration.seconds(4)
  static let decodingPatience = Duration.seconds(10)

  /// Blocks for a few seconds, and leaves threads behind where something hangs.
  package func run() -> EncoderFinding {
    do {
      let pictures = try BenchPictures(trial: trial).samples()
      let encoding = try EncodingRun(trial: trial, pictures: pictures).run()
      var finding = encoding.finding(for: trial)
      finding.decoding = try DecodingRun(trial: trial, pictures: pictures).run(encoding.frames, encoding.isWhole)
      return finding
    } catch let stop as TrialStop {
      return EncoderFinding(failure: stop.reason, date: Date())
    } catch let error as PropertyError {
      return EncoderFinding(failure: "cannot be set as it should be: \(error)", date: Date())
    } catch {
      return EncoderFinding(failure: "could not be tried: \(error)", date: Date())
    }
  }
}

/// Why a trial ended early: the end of a sentence that the encoder begins.
struct TrialStop: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ verb: String, _ failure: ElementFailure) {
    let text = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
    self.init("\(verb): \(failure.factory) says \"\(text)\"")
  }
}

/// The pictures of a trial in the layout that the encoder gets, made before the clock starts.
struct BenchPictures: Sendable {
  let trial: EncoderTrial

  func samples() throws -> [MediaSample] {
    let size = trial.subject.dimensions
    let pictures = TrialPictures(dimensions: size, bitsPerPixel: trial.subject.format.bitsPerPixel)
    let convert = try Element(factory: "videoconvert")
    let layout = try Element(factory: "capsfilter")
    try layout.set("caps", to: .caps(caps(trial.subject.format)))
    let bench = try BenchPipeline([convert, layout], waiting: 2)
    bench.source.setCaps(caps(.i420))
    guard bench.start(within: EncoderBench.patience) else { throw TrialStop("could not be given pictures") }
    let period = Int64(1e9 / trial.frameRate.value)
    for number in 0..<pictures.count {
      let bytes = pictures.bytes(of: number)
      _ = bench.source.push(
        copying: bytes, pts: Int64(number) * period, duration: period, offset: UInt64(number))
    }
    bench.source.endOfStream()
    _ = bench.waitForEnd(within: EncoderBench.decodingPatience)
    defer { _ = bench.close(within: EncoderBench.patience) }
    guard bench.hasEnded, !bench.samples.isEmpty else {
      throw TrialStop("could not be given pictures in \(trial.subject.format)")
    }
    return bench.samples
  }

  private func caps(_ format: PixelFormat) -> Caps {
    let size = trial.subject.dimensions
    let fields = [
      CapsField("format", .string(format.name)), CapsField("width", .int(size.width)),
      CapsField("height", .int(size.height)), CapsField("framerate", .fraction(trial.frameRate)),
      CapsField("colorimetry", .string("\(trial.colorimetry)")),
    ]
    return Caps([CapsStructure("video/x-raw", fields: fields)])
  }
}
