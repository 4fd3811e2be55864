/// Whether a plan's encoder takes what it is told: asked before a camera is opened.

import GStreamer

/// A property that the element refuses.
struct EncoderCheck {
  /// The key of `encoderOptions` that sets it; `nil` where the encoder's file does.
  let option: String?
  /// The encoder's.
  let file: String
  /// Without a full stop.
  let problem: String

  /// `nil` where there is nothing to object to; an element that cannot be made at all is none of its matters.
  init?(of plan: RecordingPlan) {
    guard let node = plan.pipeline.nodes.first(where: { $0.name == NodeName.encoder }) else { return nil }
    do {
      _ = try PipelineBuilder.element(for: node)
      return nil
    } catch let error as PropertyError {
      // An option inside a property is named behind a full stop.
      option = plan.preset.encoderOptions.keys.sorted().first { $0.split(separator: ".").first == error.property[...] }
      file = plan.encoder.file
      problem = "\(error)".hasSuffix(".") ? String("\(error)".dropLast()) : "\(error)"
    } catch {
      return nil
    }
  }

  /// - Throws: `configuration`.
  static func check(_ plan: RecordingPlan) throws(CaptureError) {
    guard let check = EncoderCheck(of: plan) else { return }
    let place = check.option.map { "Preset \(plan.preset.name), encoderOptions.\($0)" } ?? check.file
    throw CaptureError(.configuration, "\(place): \(check.problem).")
  }
}

extension PropertyError {
  fileprivate var property: String {
    switch self {
    case .unknown(_, let property, _, _), .unreadable(_, let property, _, _), .outOfRange(_, let property, _, _),
      .readOnly(_, let property, _), .notReadable(_, let property):
      property
    }
  }
}
