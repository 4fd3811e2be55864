/// What came out of an encoder in a trial, and what it says about the encoder.

import Foundation
import GStreamer
import MediaInspection

struct EncodingOutcome: Sendable {
  /// As a container would get them.
  var frames: [MediaSample]
  var framesIn: Int
  /// False where its end was not waited for.
  var isWhole: Bool
  var latency: Int?
  /// From the first picture in to the last frame out.
  var seconds: Double?
  /// Processor time of all of it.
  var coreSeconds: Double
  var isDisturbed: Bool
  var record: [UInt8]?
  var keyFrame: [UInt8]?

  /// A rate control needs this long to find its rate; then as long again says whether it did.
  private static let settling = 0.5
  private static let judged = 1.0

  func finding(for trial: EncoderTrial) -> EncoderFinding {
    var finding = EncoderFinding(date: Date())
    finding.framesIn = framesIn
    finding.framesOut = isWhole ? frames.count : nil
    finding.framesPerSecond = seconds.map { Double(frames.count) / $0 }
    finding.coreSecondsPerFrame = frames.isEmpty ? nil : coreSeconds / Double(frames.count)
    finding.isDisturbed = isDisturbed
    finding.latency = latency
    finding.keyFrameDistance = keyFrameDistance(trial)
    finding.bitRate = bitRate(trial)
    finding.color = color(trial)
    return finding
  }

  /// The part behind the last key frame counts too: it shows that the next one is late.
  private func keyFrameDistance(_ trial: EncoderTrial) -> EncoderFinding.Figure? {
    guard frames.count > trial.keyFrameDistance else { return nil }
    let keys = frames.indices.filter { frames[$0].isKeyFrame }
    let found = zip(keys, keys.dropFirst() + [frames.count]).map { $1 - $0 }.max() ?? frames.count
    return EncoderFinding.Figure(asked: trial.keyFrameDistance, found: found)
  }

  /// `nil` with less than a second and a half of video.
  private func bitRate(_ trial: EncoderTrial) -> EncoderFinding.Figure? {
    let rate = trial.frameRate.value
    let first = Int((EncodingOutcome.settling * rate).rounded(.up))
    guard let asked = trial.bitRate, Double(frames.count - first) >= EncodingOutcome.judged * rate else { return nil }
    // From key frame to key frame, or one more of them than its share would be counted.
    let keys = frames.indices.filter { frames[$0].isKeyFrame && $0 >= first }
    let part = keys.count > 1 ? keys[0]..<keys[keys.count - 1] : first..<frames.count
    let bits = frames[part].reduce(0) { $0 + $1.size } * 8
    return EncoderFinding.Figure(asked: asked, found: Int((Double(bits) * rate / Double(part.count)).rounded()))
  }

  /// What the encoder says by itself, and whether Capstan can make the stream say all that its codec has words for.
  private func color(_ trial: EncoderTrial) -> EncoderFinding.Color? {
    guard let completion = ColorCompletion(codec: trial.codec, color: CodedColor(trial.colorimetry)) else { return nil }
    let header = StreamHeader(codec: trial.codec, configuration: record, frame: keyFrame ?? [])
    // Completion changes nothing in a stream that says it all.
    let changes = try? hasChanges(by: completion, trial.codec)
    return EncoderFinding.Color(
      signalled: header.map { "\($0.color)" } ?? "nothing", isSignalled: header != nil && changes == false,
      isCompleted: header != nil && changes != nil)
  }

  private func hasChanges(by completion: ColorCompletion, _ codec: String) throws(BitstreamError) -> Bool {
    if let record, try completion.completed(configuration: record) != nil { return true }
    guard let keyFrame else { return false }
    return try completion.completed(frame: keyFrame, NALUnits.Framing(codec: codec, record: record)) != nil
  }
}
