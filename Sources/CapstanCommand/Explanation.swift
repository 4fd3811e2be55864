/// Why a mode was chosen: the rules, and every mode with its figures or the reason for its rejection.

import Capstan
import Foundation

struct Explanation: Sendable {
  struct Rule: Encodable, Sendable {
    var name: String
    /// `required`, `preferred` or `ranked`.
    var strength: String
    var meaning: String
  }

  struct Candidate: Encodable, Sendable {
    var mode: CaptureMode
    /// Counted from 1, the best first; `nil` for one that is out.
    var rank: Int?
    var rejection: Judgement.Rejection?
    var deviations: [String]
    /// By rule; smaller goes first. Empty for one that is out.
    var scores: [Judgement.Score]
    /// What the camera sends, in Mbit/s; `nil` where the rate is unknown.
    var usbBandwidth: Double?
    var usbBandwidthIsEstimate: Bool
    /// What is written, in Mbit/s; `nil` where the pictures decide.
    var storage: Double?
    var decodeCost: CostClass
    var encodeCost: CostClass
    /// How long the disk lasts at the storage rate; `nil` where its free space is not known.
    var diskMinutes: Double?
  }

  let rules: [Rule]
  let candidates: [Candidate]
  private let request: FormatRequest

  /// - Parameter taken: the one of the preset's wishes that the answer is of.
  init(of formats: [DeviceFormat], _ request: RecordRequest, taken: FormatRequest) {
    self.request = taken
    rules = SelectionRule.all.map { Rule(name: $0.name, strength: $0.strength.rawValue, meaning: $0.meaning) }
    let encoder = Explanation.encoder(of: request.preset)
    let free = Explanation.freeBytes(request.output)
    candidates = FormatSelector(taken).judgements(of: formats).enumerated().map { place, judgement in
      let cost = ModeCost(
        of: judgement.mode, bitRate: request.preset.heldBitRate, encoder: encoder,
        cores: ProcessInfo.processInfo.activeProcessorCount, freeBytes: free)
      return Candidate(judgement, rank: judgement.rejection == nil ? place + 1 : nil, cost)
    }
  }

  private static func encoder(of preset: Preset) -> EncoderProfile? {
    guard let profiles = try? ProfileLibrary.standard.encoders() else { return nil }
    return preset.encoders.lazy.compactMap { name in profiles.first { $0.element == name } }.first
  }

  /// Of the disk that the file would be on.
  private static func freeBytes(_ output: MovieFileOutput) -> Int64? {
    let folder =
      switch output.destination {
      case .file(let file): file.deletingLastPathComponent()
      case .folder(let folder): folder
      }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path(percentEncoded: false))
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}

extension Explanation.Candidate {
  init(_ judgement: Judgement, rank: Int?, _ cost: ModeCost) {
    mode = judgement.mode
    self.rank = rank
    rejection = judgement.rejection
    deviations = judgement.deviations.map(\.description)
    scores = rank == nil ? [] : judgement.scores
    usbBandwidth = cost.busBitsPerSecond.map { $0 / 1e6 }
    usbBandwidthIsEstimate = cost.isBusEstimated
    storage = cost.storageBitsPerSecond.map { $0 / 1e6 }
    decodeCost = cost.decode
    encodeCost = cost.encode
    diskMinutes = cost.diskTime.map { $0.inSeconds / 60 }
  }
}

// MARK: - For people

extension Explanation {
  var text: String {
    let heading = ["rank", "row", "mode", "USB Mbit/s", "decode", "encode", "rules that tell it from the best"]
    let modes = TextTable(rows: [heading] + candidates.map(row)).text
    return "\(ruleText)\n\nModes for \(request):\n\(modes)\n\n\(storageText)"
  }

  private var ruleText: String {
    "Rules, in the order in which they decide:\n"
      + TextTable(rows: rules.map { ["  \($0.name)", $0.strength, $0.meaning] }).text
  }

  private func row(_ candidate: Candidate) -> [String] {
    [
      candidate.rank.map { "\($0)" } ?? "out", "\(candidate.mode.format.index)", "\(candidate.mode)",
      candidate.usbBandwidth.map {
        (candidate.usbBandwidthIsEstimate ? "about " : "") + Figures.fixed($0, decimals: 1)
      } ?? "unknown",
      candidate.decodeCost.rawValue, candidate.encodeCost.rawValue, reasons(candidate),
    ]
  }

  /// The reason for rejection; or every figure that is not the best mode's, the deciding one first.
  private func reasons(_ candidate: Candidate) -> String {
    if let rejection = candidate.rejection { return "\(rejection.rule): \(rejection.reason)" }
    guard let best = candidates.first, candidate.rank != 1 else { return "the best" }
    return zip(candidate.scores, best.scores).filter { $0.figure != $1.figure }
      .map { "\($0.rule) \(Explanation.figure($0.figure)) (\(Explanation.figure($1.figure)))" }
      .joined(separator: ", ")
  }

  private static func figure(_ value: Double) -> String {
    value == value.rounded() ? Figures.fixed(value, decimals: 0) : Figures.fixed(value, decimals: 2)
  }

  private var storageText: String {
    guard let first = candidates.first else { return "There is no mode." }
    guard let storage = first.storage else { return "Storage: as much as the pictures need." }
    let rate = "Storage: \(Figures.fixed(storage, decimals: 1)) Mbit/s, whatever the mode"
    guard let minutes = first.diskMinutes else { return "\(rate)." }
    return "\(rate); the disk lasts \(Figures.span(.seconds(minutes * 60)))."
  }
}
