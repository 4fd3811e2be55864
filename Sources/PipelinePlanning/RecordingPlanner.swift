/// Plans a recording: from the chosen mode, a preset and what is installed here to a pipeline, as a pure function.

public import MediaFormats

public struct RecordingPlanner: Sendable {
  public let encoders: [EncoderProfile]
  public let containers: [ContainerProfile]
  /// Factories that GStreamer has on the machine that will record.
  public let installedElements: Set<String>
  public let processorCount: Int
  /// GStreamer's presets of its elements there, by element.
  public let elementPresets: [String: [ElementPreset]]
  /// What trials on that machine have found.
  public let evidence: EncoderEvidence

  public init(
    encoders: [EncoderProfile], containers: [ContainerProfile], installedElements: Set<String>, processorCount: Int,
    elementPresets: [String: [ElementPreset]] = [:], evidence: EncoderEvidence = EncoderEvidence()
  ) {
    self.encoders = encoders
    self.containers = containers
    self.installedElements = installedElements
    self.processorCount = processorCount
    self.elementPresets = elementPresets
    self.evidence = evidence
  }

  /// - Parameters:
  ///   - formats: what the device lists.
  ///   - location: the path that `filesink` writes.
  public func plan(
    _ preset: Preset, source: CaptureSource, formats: [DeviceFormat], location: String
  ) throws(PlanningError) -> RecordingPlan {
    let task = RecordingTask(preset: preset, source: source, formats: formats, location: location)
    var choice = EncoderChoice(preset: preset)
    for encoder in try candidates(for: preset) {
      let plan = try plan(task, with: encoder, refused: choice.refusals)
      if choice.takes(plan.plan, trial: plan.trial, evidence) { break }
    }
    return try choice.plan()
  }

  private func plan(
    _ task: RecordingTask, with encoder: EncoderProfile, refused: [EncoderRefusal]
  ) throws(PlanningError) -> (plan: RecordingPlan, trial: EncoderTrial) {
    let isFirstMissing = !refused.contains { $0.encoder == task.preset.encoders.first }
    var (preset, told) = task.preset.addressed(to: encoder.element, isFirstMissing: isFirstMissing)
    let layer = try layer(for: preset, encoder: encoder)
    if let layer {
      preset.leaveOut(layer.replacedKeys)
      told += layer.notes
    }
    try check(preset, against: encoder)
    let (granted, mode) = try mode(for: preset, among: task.formats)
    let selection = granted.selection
    let encoder = try encoder.isCopy ? copy(of: mode) : encoder
    let container = try container(for: preset, codec: encoder.codec)
    let color = try color(for: preset, range: granted.request.range, mode: mode, encoder: encoder)
    let recorded = mode.scaled(to: preset.scale)
    let (speed, basis) = try speed(for: preset, layer, encoder: encoder, mode: recorded, color)
    let ladder = layer == nil ? encoder.ladder(for: preset, slowest: speed) : []
    var assembler = PipelineAssembler(
      mode: mode, color: color, encoder: encoder, speed: speed, pins: ladder.last?.pins ?? [:], preset: preset,
      container: container, layer: layer)
    assembler.recovery = try recovery(of: preset, encoder, speed: speed, mode)
    let proxy = try proxy(of: preset, assembler)
    let pipeline = assembler.assemble(
      source: task.source.following(mode.format), location: task.location, proxy: proxy?.assembler)
    let missing = pipeline.factories.subtracting(installedElements).sorted()
    if let parser = encoder.parser, missing.contains(parser) { throw .parserMissing(parser, file: encoder.file) }
    guard missing.isEmpty else { throw .elementsMissing(missing) }
    var plan = RecordingPlan(
      preset: preset, request: granted.request, selection: selection, mode: mode, color: color, encoder: encoder,
      elementPreset: layer, speed: speed, speedBasis: basis, speedLadder: assembler.rungs(ladder), container: container,
      dimensions: color.encodedSize(of: recorded), proxy: proxy.map { ProxyPlan($0.assembler) }, pipeline: pipeline,
      trial: proxy?.trial,
      notes: told + (preset.encodingTarget?.outcome?.sentences ?? []) + notes(selection, color, encoder, container)
        + RecordingPlanner.notes(on: preset, scaling: mode)
        + RecordingPlanner.notes(on: granted, of: preset, task.formats) + (proxy?.notes ?? [])
        + (encoder.isCopy ? preset.notesOnCopying() : []))
    plan.recovery = assembler.recovery
    plan.notes += assembler.recovery.notes
    return (plan, assembler.trial)
  }

  private func recovery(
    of preset: Preset, _ encoder: EncoderProfile, speed: String?, _ mode: CaptureMode
  ) throws(PlanningError) -> RecoveryPlan {
    guard RecoveryPlan.range.contains(preset.recoveryPoint) else { throw .recoveryPoint(preset.recoveryPoint) }
    let frames = encoder.delay(for: preset, speed: speed, cores: processorCount)
    // The frame that the camera makes meanwhile, and the one that the muxer keeps to know how long it lasts.
    let time = Double(frames + 2) / max(0.001, (mode.frameRate ?? Fraction(30)).value)
    return RecoveryPlan(asked: preset.recoveryPoint, encoderDelay: .seconds(time))
  }

  /// The preset's encoders that are installed, in its order.
  func candidates(for preset: Preset) throws(PlanningError) -> [EncoderProfile] {
    if preset.encoders == [EncoderProfile.copyName] { return EncoderProfile.copy(of: .jpeg).map { [$0] } ?? [] }
    let known = encoders.map(\.element)
    for name in preset.encoders where !known.contains(name) { throw .unknownEncoder(name, known: known) }
    let installed = preset.encoders.filter(installedElements.contains)
    let candidates = installed.compactMap { name in encoders.first { $0.element == name } }
    guard !candidates.isEmpty else {
      throw .encoderMissing(preset.encoders, installed: known.filter(installedElements.contains))
    }
    return candidates
  }

  private func check(_ preset: Preset, against encoder: EncoderProfile) throws(PlanningError) {
    if encoder.isCopy { return }
    if let profile = preset.profile {
      try check(profile, for: preset.color, in: encoder)
      if preset.bFrames > 0, encoder.profilesWithoutBFrames.contains(profile) {
        throw .profileWithoutBFrames(profile, encoder: encoder.element)
      }
      if preset.lossless, let able = encoder.lossless?.profile, able != profile {
        throw .profileWithLoss(profile, encoder: encoder.element, able: able)
      }
    }
    try preset.checkWords(against: encoder, others: encoders.filter { installedElements.contains($0.element) })
  }

  private func check(_ name: String, for color: ColorWish, in encoder: EncoderProfile) throws(PlanningError) {
    guard let profile = encoder.profiles.first(where: { $0.name == name }) else {
      throw .unknownProfile(name, encoder: encoder.element, known: encoder.profiles.map(\.name))
    }
    guard !profile.holds(color.chroma, depth: color.depth) else { return }
    let able = encoder.profiles.filter { $0.holds(color.chroma, depth: color.depth) }.map(\.name)
    throw .profileCannotHold(
      name, encoder: encoder.element, chroma: color.chroma, depth: color.depth, able: able)
  }

  func container(for preset: Preset, codec: String) throws(PlanningError) -> ContainerProfile {
    for name in preset.containers where !containers.contains(where: { $0.name == name }) {
      throw .unknownContainer(name, known: containers.map(\.name))
    }
    let able = containers.filter { $0.codecs.contains(codec) }.map(\.name)
    if able.isEmpty, let encoder = encoders.first(where: { $0.codec == codec }) {
      throw .unknownCodec(codec, file: encoder.file, known: Set(containers.flatMap(\.codecs)).sorted())
    }
    guard let name = preset.containers.first(where: able.contains),
      let container = containers.first(where: { $0.name == name })
    else {
      throw .containerCannotHold(codec: codec, container: preset.containers.joined(separator: " or "), able: able)
    }
    return container
  }

  private func mode(
    for preset: Preset, among formats: [DeviceFormat]
  ) throws(PlanningError) -> (WishSelection, CaptureMode) {
    let recordable = preset.recordable(formats)
    if recordable.isEmpty, !formats.isEmpty { throw .nothingToCopy }
    let granted = FormatSelector.select(from: recordable, wishes: preset.wishes)
    if let mode = granted.selection.mode { return (granted, mode) }
    guard case .impossible(let reason, let nearest) = granted.selection else {
      preconditionFailure("a mode or a reason")
    }
    throw .noMode(request: granted.request, reason: reason, nearest: nearest)
  }

  func color(
    for preset: Preset, range: ColorRange?, mode: CaptureMode, encoder: EncoderProfile
  ) throws(PlanningError) -> ColorPlan {
    var wish = preset.color
    wish.range = range
    if encoder.isCopy { return try copiedColor(of: mode, preset, wish) }
    if let scale = preset.scale, wish.chroma != .yuv444, scale.width % 2 + scale.height % 2 > 0 {
      throw .oddScale(scale)
    }
    let mode = mode.scaled(to: preset.scale)
    wish = try encoder.color.held(wish, by: encoder.element)
    do throws(ColorPlanningError) {
      return try ColorPlanner(encoderFormats: encoder.inputs.map { PixelFormat(named: $0) }).plan(for: mode, wish)
    } catch {
      throw .color(error, encoder: encoder.element, able: able(wish))
    }
  }

  /// Installed encoders that take the wished layout.
  func able(_ wish: ColorWish) -> [String] {
    encoders.filter { profile in
      installedElements.contains(profile.element)
        && profile.inputs.contains { name in
          let format = PixelFormat(named: name)
          return format.chroma == wish.chroma && format.depth == wish.depth
        }
    }.map(\.element)
  }

  private func speed(
    for preset: Preset, _ layer: ElementPresetLayer?, encoder: EncoderProfile, mode: CaptureMode, _ color: ColorPlan
  ) throws(PlanningError) -> (speed: String?, basis: SpeedBasis?) {
    // A raw option wins over everything, and is what the report has to tell.
    if let property = encoder.speedProperty, let raw = preset.encoderOptions[property] { return (raw, .asked) }
    if let own = layer?.value(of: encoder.speedProperty) { return ("\(own)", .asked) }
    if preset.lossless, preset.speed == nil, let speed = encoder.lossless?.speed { return (speed, .file) }
    guard let asked = preset.speed else {
      let measured = evidence.speeds(of: encoder.element, color.encodedSize(of: mode), like: color.format)
      return SpeedChooser(profile: encoder, measured: measured, mode: mode, cores: processorCount).choice()
    }
    let known = encoder.speeds.map(\.value) + encoder.otherSpeeds
    guard known.contains(asked) else { throw .unknownSpeed(asked, encoder: encoder.element, known: known) }
    return (asked, .asked)
  }

  private func notes(
    _ selection: FormatSelection, _ color: ColorPlan, _ encoder: EncoderProfile, _ container: ContainerProfile
  ) -> [String] {
    var notes = selection.deviations.map(\.description)
    notes += color.assumptions
    if encoder.color != .init(), color.source != color.target {
      notes.append("the camera's \(color.source) becomes \(color.target), as \(encoder.codec) can say nothing else")
    }
    // Players know that JPEG is.
    if !container.signalsRange, color.target.range == .full, encoder.codec != "mjpeg" {
      notes.append(
        "\(container.name) has no place for full range, only the stream says it: a player that trusts the file alone "
          + "shows it wrong; mp4 and mkv say it in both")
    }
    return notes
  }

  /// What the choice itself has to tell: a wish that came later in the list, formats that a library emulates.
  private static func notes(on granted: WishSelection, of preset: Preset, _ formats: [DeviceFormat]) -> [String] {
    var notes: [String] = []
    if granted.place > 0 {
      notes.append("the camera has not exactly \(preset.request); wish \(granted.place + 1) is \(granted.request)")
    }
    if let mode = granted.selection.mode, mode.frameRate == nil { notes.append("the driver tells no rate") }
    if granted.selection.mode?.format.isEmulated == true {
      notes.append("a library makes this format of another one of the camera's, which costs time and gains nothing")
      return notes
    }
    var seen = Set<FourCC>()
    let emulated = formats.filter { $0.isEmulated && seen.insert($0.fourCC).inserted }.map(\.fourCC.trimmed)
    if !emulated.isEmpty {
      notes.append("left out, as a library emulates it: \(emulated.joined(separator: ", ")); --input-format takes it")
    }
    return notes
  }
}

/// What is to be planned, whichever encoder does it.
private struct RecordingTask: Sendable {
  let preset: Preset
  let source: CaptureSource
  let formats: [DeviceFormat]
  let location: String
}
