/// Plans for this machine: with what is installed on it, and with what its encoders are proven to do.

import Foundation
import GStreamer

struct MachinePlanner: Sendable {
  let library: ProfileLibrary
  let prober: EncoderProber

  /// Tries each encoder that the plan would rest on, where it needs proof and none is known: blocks for some seconds
  /// then.
  /// - Parameters:
  ///   - asked: with the container that the file is to have.
  ///   - tell: called with what takes time, before it does.
  func plan(
    _ asked: Preset, source: CaptureSource, formats: [DeviceFormat], location: String, tell: (String) -> Void
  ) throws(CaptureError) -> RecordingPlan {
    let preset = try asked.readingEncodingTarget(library: library)
    var evidence = prober.cache.evidence
    var notes: [String] = []
    while true {
      let planner = try planner(evidence, for: preset)
      var plan: RecordingPlan
      do throws(PlanningError) {
        plan = try planner.plan(preset, source: source, formats: formats, location: location)
      } catch { throw CaptureError(error, preset: preset.name) }
      try EncoderCheck.check(plan)
      guard let trial = plan.trial else {
        plan.notes += notes
        return plan
      }
      if prober.cache.finding(of: trial) == nil {
        tell("\(trial.subject.name) is tried for a moment, as it has not been on this machine.")
      }
      switch prober.prove(trial, note: { notes.append($0) }) {
      case .found(let finding): evidence.add(finding, for: trial.subject)
      case .untried(let reason): evidence.add(untried: reason, for: trial.subject)
      }
    }
  }

  func planner(_ evidence: EncoderEvidence, for preset: Preset) throws(CaptureError) -> RecordingPlanner {
    do throws(ConfigurationError) {
      return RecordingPlanner(
        encoders: try library.encoders(), containers: try library.containers(),
        installedElements: ElementCatalog.installed, processorCount: ProcessInfo.processInfo.activeProcessorCount,
        elementPresets: ElementPreset.known(for: preset), evidence: evidence)
    } catch { throw CaptureError(error) }
  }
}
