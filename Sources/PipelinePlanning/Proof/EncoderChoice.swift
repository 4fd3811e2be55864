/// Takes the first encoder of a preset's list that is known to work, or known to need no proof.

struct EncoderChoice: Sendable {
  private let isPinned: Bool
  private var taken: RecordingPlan?
  /// The first one that would give a recording, if not a good one.
  private var resort: RecordingPlan?
  private(set) var refusals: [EncoderRefusal] = []

  /// One encoder alone is meant: of that one only what spoils the recording is a reason not to take it.
  init(preset: Preset) { isPinned = preset.encoders.count == 1 }

  /// - Returns: whether the search is over.
  mutating func takes(_ plan: RecordingPlan, trial: EncoderTrial, _ evidence: EncoderEvidence) -> Bool {
    switch evidence.verdict(on: plan.encoder, trial, isPinned: isPinned) {
    case .fit(let remarks): taken = plan.telling(remarks)
    case .unknown:
      taken = plan
      taken?.trial = trial
    case .unfit(let reason, let remarks):
      refusals.append(EncoderRefusal(encoder: plan.encoder.element, reason: reason))
      if let remarks { resort = resort ?? plan.telling(remarks) }
      return false
    }
    return true
  }

  /// - Throws: `encoderUnfit` where none of those that were offered gives a recording.
  func plan() throws(PlanningError) -> RecordingPlan {
    if let taken {
      return taken.telling(refusals.map(\.note))
    }
    if let resort { return resort }
    throw .encoderUnfit(refusals)
  }
}

extension EncoderEvidence {
  enum Verdict: Sendable, Hashable {
    /// What is to be told of it all the same.
    case fit(remarks: [String])
    /// `remarks` where it would give a recording, if not a good one; `nil` where not.
    case unfit(reason: String, remarks: [String]?)
    /// It is to be tried.
    case unknown
  }

  /// - Parameter isPinned: whether there is no other to take.
  func verdict(on encoder: EncoderProfile, _ trial: EncoderTrial, isPinned: Bool) -> Verdict {
    guard encoder.needsProof else { return .fit(remarks: []) }
    let name = encoder.element
    guard let finding = self[trial.subject] else {
      return reasonUntried(trial.subject).map { .fit(remarks: ["\(name) was not tried first: \($0)"]) } ?? .unknown
    }
    let faults = finding.faults(at: trial.frameRate)
    let remarks = faults.filter { !$0.isFatal }.map { "\(name) \($0)" }
    guard let worst = faults.first(where: { isPinned ? $0.isFatal : $0.disqualifies }) else {
      return .fit(remarks: remarks)
    }
    return .unfit(reason: "\(worst)", remarks: faults.contains(where: \.isFatal) ? nil : remarks)
  }
}

extension RecordingPlan {
  /// With notes before its own.
  fileprivate func telling(_ notes: [String]) -> RecordingPlan {
    var plan = self
    plan.notes = notes + plan.notes
    return plan
  }
}
