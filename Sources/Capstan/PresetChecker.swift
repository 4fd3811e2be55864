/// Checks a preset as far as that goes without a camera: its encoders, their options, its container and its filters.

import GStreamer

public struct PresetChecker: Sendable {
  private let library: ProfileLibrary

  public init(library: ProfileLibrary = .standard) { self.library = library }

  /// - Returns: what could not be checked here, each a sentence.
  /// - Throws: the first thing that is wrong, with its place.
  public func check(_ asked: ResolvedPreset) throws(ConfigurationError) -> [String] {
    let resolved = try readingEncodingTarget(of: asked)
    for (place, filter) in resolved.preset.filters.enumerated() {
      if let refusal = FilterCheck.refusal(of: filter) {
        throw resolved.error(at: ["filters"], "[\(place)]: \(refusal)")
      }
    }
    let installed = ElementCatalog.installed
    let encoders = try library.encoders()
    var remarks: [String] = []
    for name in resolved.preset.encoders {
      guard installed.contains(name) || !encoders.contains(where: { $0.element == name }) else {
        remarks.append("\(name) is not installed here, so that what it is told was not checked")
        continue
      }
      let others = Set(resolved.preset.encoders).subtracting([name])
      let planner = RecordingPlanner(
        encoders: encoders, containers: try library.containers(), installedElements: installed.subtracting(others),
        processorCount: 1, elementPresets: ElementPreset.known(for: resolved.preset))
      remarks += try check(resolved, planner)
    }
    return remarks
  }

  /// With what its encoding target asks.
  /// - Throws: where there is none of that name, or none that can be used.
  public func readingEncodingTarget(of resolved: ResolvedPreset) throws(ConfigurationError) -> ResolvedPreset {
    guard resolved.preset.encodingTarget != nil else { return resolved }
    let mapper = try EncodingTargetMapper(library)
    do {
      return resolved.replacing(try mapper.applied(to: resolved.preset, among: EncodingTarget.all))
    } catch {
      throw resolved.error(at: ["encodingTarget"], "\(error)")
    }
  }

  /// GStreamer's own preset of the first encoder, as it is set; `nil` where none is wished.
  /// - Throws: where there is none of that name.
  public func elementPreset(of resolved: ResolvedPreset) throws(ConfigurationError) -> ElementPresetLayer? {
    let encoders = try library.encoders()
    guard let encoder = encoders.first(where: { $0.element == resolved.preset.encoders.first }) else { return nil }
    let planner = RecordingPlanner(
      encoders: encoders, containers: [], installedElements: [], processorCount: 1,
      elementPresets: ElementPreset.known(for: resolved.preset))
    do {
      return try planner.layer(for: resolved.preset, encoder: encoder)
    } catch {
      throw resolved.error(at: ["elementPreset"], "\(error)")
    }
  }

  private func check(_ resolved: ResolvedPreset, _ planner: RecordingPlanner) throws(ConfigurationError) -> [String] {
    let plan: RecordingPlan
    do {
      plan = try PresetChecker.plan(resolved.preset, planner)
    } catch {
      if case .unknownCodec(_, let file, _) = error {
        throw ConfigurationError(file: file, keyPath: "codec", problem: "\(error)")
      }
      guard let path = error.presetPath else { return ["\(error)"] }
      throw resolved.error(at: path, "\(error)")
    }
    guard let refusal = EncoderCheck(of: plan) else { return [] }
    guard let option = refusal.option else {
      throw ConfigurationError(file: refusal.file, keyPath: refusal.key ?? "", problem: refusal.problem)
    }
    throw resolved.error(at: ["encoderOptions", option], refusal.problem)
  }

  /// For a camera that has exactly what is wished.
  private static func plan(_ preset: Preset, _ planner: RecordingPlanner) throws(PlanningError) -> RecordingPlan {
    var preset = preset
    let size = preset.request.dimensions ?? VideoDimensions(width: 1280, height: 720)
    let rate = preset.request.frameRate ?? Fraction(30)
    preset.wishes = [FormatRequest(dimensions: size, frameRate: rate, range: preset.request.range)]
    let row = DeviceFormat(
      payload: preset.encoders.first == EncoderProfile.copyName ? .jpeg : .raw(.nv12),
      dimensions: DimensionsRange(size), frameRates: [FrameRateRange(rate)],
      colorimetry: Colorimetry(range: .full, matrix: .bt709, transfer: .bt709, primaries: .bt709))
    return try planner.plan(preset, source: .application, formats: [row], location: "recording")
  }
}

/// Whether a preset's filters are elements: asked before a camera is opened.
enum FilterCheck {
  static func check(_ preset: Preset) throws(CaptureError) {
    for (place, filter) in preset.filters.enumerated() {
      guard let refusal = refusal(of: filter) else { continue }
      throw CaptureError(.configuration, "Preset \(preset.name), filters[\(place)]: \(refusal)")
    }
  }

  /// `nil` for elements with one way in and one way out, for raw pictures.
  static func refusal(of filter: String) -> String? {
    do throws(ElementError) {
      let element = try Element(launch: Preset.standingAlone(filter: filter))
      guard let way = element.pad("sink"), let out = element.pad("src") else {
        return "\"\(filter)\" has no way in, or no way out: a filter takes pictures and gives pictures."
      }
      let isFilter = [way, out].allSatisfy { hasRawPictures($0.queryCaps()) }
      return isFilter ? nil : "\"\(filter)\" does not take and give raw pictures (video/x-raw), as a filter must."
    } catch {
      return "\(error)"
    }
  }

  private static func hasRawPictures(_ caps: Caps) -> Bool {
    caps.isAny || caps.structures.contains { $0.name == "video/x-raw" }
  }
}
