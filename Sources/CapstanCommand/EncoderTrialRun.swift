/// `capstan encoders --probe`: tries encoders at one size and rate, speed by speed, and says what it found.

import Capstan
import Dispatch
import Foundation

struct EncoderTrialRun: Sendable {
  let console: Console
  let planner: RecordingPlanner
  let preset: Preset
  let dimensions: VideoDimensions
  let frameRate: Fraction
  var prober = EncoderProber.byThisProgram

  /// A speed that is this much too slow, as a share of the rate, has none after it that is not.
  private static let hopeless = 0.6

  /// Speeds from the fastest on, as long as there is a point in slower ones.
  func run(_ encoder: EncoderProfile) async throws -> [TrialAnswer] {
    var answers: [TrialAnswer] = []
    for trial in try planner.trials(of: encoder, preset: preset, dimensions, at: frameRate) {
      let answer = TrialAnswer(trial.subject, await outcome(of: trial), at: frameRate)
      console.say(answer.line)
      answers.append(answer)
      guard let rate = answer.finding?.framesPerSecond, rate >= frameRate.value * EncoderTrialRun.hopeless else {
        break
      }
    }
    return answers
  }

  /// Frames a second; where others disturb, what the processor time of one comes to.
  private func able(_ finding: EncoderFinding) -> Double {
    guard let rate = finding.framesPerSecond else { return 0 }
    guard finding.isDisturbed, let seconds = finding.coreSecondsPerFrame, seconds > 0 else { return rate }
    return max(rate, Double(planner.processorCount) / seconds)
  }

  /// Away from the threads that other tasks need: a trial blocks for seconds.
  private func outcome(of trial: EncoderTrial) async -> EncoderProber.Outcome {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: prober.probe(trial) { console.say("note: \($0)") })
      }
    }
  }
}

/// What is known of an encoder at one size and speed.
struct TrialAnswer: Encodable, Sendable {
  let subject: EncoderSubject
  /// `nil` where nothing could be found out.
  let finding: EncoderFinding?
  /// What is wrong with it, each the end of a sentence; why nothing could be found out, else.
  let faults: [String]
  /// Whether a recording may rest on it.
  let works: Bool
  /// `nil` where it is not known for which rate.
  let frameRate: Fraction?

  init(_ subject: EncoderSubject, _ outcome: EncoderProber.Outcome, at rate: Fraction?) {
    self.subject = subject
    frameRate = rate
    switch outcome {
    case .found(let finding):
      self.finding = finding
      let faults = finding.faults(at: rate)
      self.faults = faults.map { "\($0)" }
      works = !faults.contains { $0.disqualifies }
    case .untried(let reason): (finding, faults, works) = (nil, ["could not be tried: \(reason)"], false)
    }
  }

  private enum CodingKeys: String, CodingKey { case faults, works }

  /// Subject, finding and judgement in one object.
  func encode(to encoder: any Encoder) throws {
    try subject.encode(to: encoder)
    try finding?.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(faults, forKey: .faults)
    try container.encode(works, forKey: .works)
  }
}

// MARK: - For people

extension TrialAnswer {
  static let heading = [
    "encoder", "speed", "frames/s", "key frames", "bit rate", "colour", "error", "latency", "verdict",
  ]

  /// While the trials go on.
  var line: String {
    "\(subject.name): \(finding?.framesPerSecond.map { "\(Figures.fixed($0, decimals: 0)) frames a second; " } ?? "")"
      + verdict
  }

  var row: [String] {
    [
      subject.element, subject.speed ?? "-", figure(finding?.framesPerSecond, decimals: 0), keyFrames, bitRate, color,
      figure(finding?.decoding?.meanError, decimals: 1), finding?.latency.map { "\($0)" } ?? "-", verdict,
    ]
  }

  private var verdict: String {
    let words = faults + (finding?.isDisturbed == true ? ["was tried on a busy machine: its speed is not known"] : [])
    return ([works ? "works" : "not usable"] + words).joined(separator: "; ")
  }

  private func figure(_ value: Double?, decimals: Int) -> String {
    value.map { Figures.fixed($0, decimals: decimals) } ?? "-"
  }

  private var keyFrames: String { finding?.keyFrameDistance.map { "\($0.found) for \($0.asked)" } ?? "-" }

  private var bitRate: String {
    guard let figure = finding?.bitRate, figure.asked > 0 else { return "-" }
    let percent = (Double(figure.found) / Double(figure.asked) - 1) * 100
    return "\(percent >= 0 ? "+" : "")\(Figures.fixed(percent, decimals: 0)) %"
  }

  private var color: String {
    guard let color = finding?.color else { return finding?.failure == nil ? "container" : "-" }
    return color.isSignalled ? "in the stream" : color.isCompleted ? "by Capstan" : "wrong"
  }
}
