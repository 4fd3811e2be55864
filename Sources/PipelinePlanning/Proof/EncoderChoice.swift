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
    guard plan.encoder.needsProof else { return take(plan) }
    guard let finding = evidence[trial.subject] else { return take(plan, unproven: trial, evidence) }
    let faults = finding.faults(at: trial.frameRate)
    let told = faults.filter { !$0.isFatal }.map { "\(plan.encoder.element) \($0)" }
    if let worst = faults.first(where: { isPinned ? $0.isFatal : $0.disqualifies }) {
      refusals.append(EncoderRefusal(encoder: plan.encoder.element, reason: "\(worst)"))
      if !faults.contains(where: \.isFatal) { resort = resort ?? plan.telling(told) }
      return false
    }
    return take(plan.telling(told))
  }

  /// - Throws: `encoderUnfit` where none of those that were offered gives a recording.
  func plan() throws(PlanningError) -> RecordingPlan {
    if let taken {
      return taken.telling(refusals.map { "\($0.encoder) is skipped: it \($0.reason)" })
    }
    if let resort { return resort }
    throw .encoderUnfit(refusals)
  }

  private mutating func take(_ plan: RecordingPlan) -> Bool {
    taken = plan
    return true
  }

  /// Without a trial, or where none can be made, it is taken at its word.
  private mutating func take(_ plan: RecordingPlan, unproven trial: EncoderTrial, _ evidence: EncoderEvidence) -> Bool {
    var plan = plan
    if let reason = evidence.reasonUntried(trial.subject) {
      plan.notes.append("\(plan.encoder.element) was not tried first: \(reason)")
    } else {
      plan.trial = trial
    }
    return take(plan)
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
