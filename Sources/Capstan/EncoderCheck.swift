/// Whether a plan's encoder takes what it is told, and what follows it what it makes: asked before a camera is opened.

import GStreamer
import MediaFormats

/// What is wrong with how an encoder would be used.
struct EncoderCheck {
  /// The key of `encoderOptions` that is at fault; `nil` where the encoder's file is.
  let option: String?
  /// The encoder's.
  let file: String
  /// Of the encoder's file; `nil` where that cannot be told.
  let key: String?
  /// Without a full stop.
  let problem: String

  /// `nil` where there is nothing to object to; an element that cannot be made at all is none of its matters.
  init?(of plan: RecordingPlan) {
    guard !plan.encoder.isCopy, let stage = plan.pipeline.stages.first(where: { $0.name == "encode" }),
      let start = stage.nodes.firstIndex(where: { $0.name == NodeName.encoder })
    else { return nil }
    let nodes = Array(stage.nodes[start...])
    guard let fault = EncoderFault(nodes, plan) else { return nil }
    // An option inside a property is named behind a full stop.
    option = fault.property.flatMap { property in
      plan.preset.encoderOptions.keys.sorted().first { $0.prefix { $0 != "." } == property }
    }
    (file, key) = (plan.encoder.file, fault.key)
    problem = fault.reason.hasSuffix(".") ? String(fault.reason.dropLast()) : fault.reason
  }

  /// - Throws: `configuration`.
  static func check(_ plan: RecordingPlan) throws(CaptureError) {
    guard let check = EncoderCheck(of: plan) else { return }
    let place = check.option.map { "Preset \(plan.preset.name), encoderOptions.\($0)" }
    throw CaptureError(.configuration, "\(place ?? check.placeInFile): \(check.problem).")
  }

  private var placeInFile: String { key.map { "\(file): \($0)" } ?? file }
}

/// The first thing that an encoder, or what stands behind it, does not take.
private struct EncoderFault {
  /// That an element refuses.
  var property: String?
  /// Of the encoder's file.
  var key: String?
  var reason: String

  init?(_ nodes: [PipelineDescription.Node], _ plan: RecordingPlan) {
    do {
      let elements = try nodes.map { node in (node.name, try PipelineBuilder.element(for: node)) }
      guard let fault = try EncoderFault.unfit(elements.map(\.1), plan) else { return nil }
      self = fault
    } catch let error as PropertyError {
      let key = nodes.lazy.compactMap { EncoderFault.keys[$0.name] }.first { _ in error.property == "caps" }
      self.init(property: key == nil ? error.property : nil, key: key, reason: "\(error)")
    } catch let error as LinkError {
      self.init(key: "output, parser, streamCaps", reason: "they do not fit one another: \(error)")
    } catch {
      return nil
    }
  }

  private init(property: String? = nil, key: String?, reason: String) {
    (self.property, self.key, self.reason) = (property, key, reason)
  }

  /// What in an encoder's file a node is made of.
  private static let keys = ["profile": "output", "stream-caps": "streamCaps"]

  private static func unfit(_ elements: [Element], _ plan: RecordingPlan) throws -> EncoderFault? {
    if let encoder = elements.first, let unknown = unknownInput(of: encoder, plan.encoder) {
      return EncoderFault(key: "inputs", reason: "\(plan.encoder.element) takes no \(unknown)")
    }
    let pipeline = try Pipeline(name: "check")
    for element in elements { try pipeline.add(element) }
    try pipeline.link(chain: elements)
    return nil
  }

  /// A pixel format that the element's template does not name; `nil` where it has all, or names none.
  private static func unknownInput(of element: Element, _ profile: EncoderProfile) -> String? {
    let values = element.pad("sink")?.queryCaps().structures.compactMap { $0["format"] } ?? []
    let known = Set(values.flatMap(\.words))
    guard !known.isEmpty, let unknown = profile.inputs.first(where: { !known.contains($0) }) else { return nil }
    return unknown + (Spelling.nearest(to: unknown, among: known.sorted()).map { " (did you mean \($0)?)" } ?? "")
  }
}

extension CapsValue {
  fileprivate var words: [String] {
    switch self {
    case .string(let word): [word]
    case .list(let values): values.flatMap(\.words)
    default: []
    }
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
