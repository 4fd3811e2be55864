/// One of GStreamer's element presets (`.prs`), and how it goes together with what Capstan's preset says.

import MediaFormats

public struct ElementPreset: Sendable, Hashable {
  public var name: String
  /// Empty where its file has none.
  public var comment: String
  /// In the order in which GStreamer sets them.
  public var settings: [PipelineDescription.Property]

  public init(name: String, comment: String = "", settings: [PipelineDescription.Property]) {
    self.name = name
    self.comment = comment
    self.settings = settings
  }
}

/// The wish for one, by its name.
public struct ElementPresetWish: Sendable, Hashable {
  public var name: String
  /// Key paths of the preset (see `PresetKey.path`), as `bitrate`, that are told the encoder over it. Of what is not
  /// among them the element preset goes first, and the preset's values stand where it says nothing.
  public var saidKeys: Set<String>

  public init(_ name: String, saidKeys: Set<String> = []) {
    self.name = name
    self.saidKeys = saidKeys
  }
}

/// An element preset on its encoder, with what it takes the place of.
public struct ElementPresetLayer: Sendable, Hashable {
  public var name: String
  public var comment: String
  /// Those that are set: without those that the user has said otherwise.
  public var settings: [PipelineDescription.Property]
  /// Keys of the preset that stand back.
  public var replacedKeys: Set<String>
  /// Its settings that what the user says goes over.
  public var overruled: [String]
  /// Properties that Capstan would set by these keys.
  var replacedProperties: Set<String>
}

extension ElementPresetLayer {
  init(_ preset: ElementPreset, _ wish: ElementPresetWish, on encoder: EncoderProfile, raw: Set<String>) {
    (name, comment) = (preset.name, preset.comment)
    let groups = encoder.propertyGroups
    let isSaid = { (group: EncoderProfile.PropertyGroup) in !group.keys.isDisjoint(with: wish.saidKeys) }
    let said = groups.filter(isSaid).reduce(into: raw) { $0.formUnion($1.properties) }
    overruled = preset.settings.map(\.name).filter(said.contains)
    let own = preset.settings.filter { !said.contains($0.name) }
    settings = own + encoder.unsaidOfQuality(in: own).filter { !said.contains($0.name) }
    let set = Set(settings.map(\.name))
    let replaced = groups.filter { !isSaid($0) && !$0.properties.isDisjoint(with: set) }
    replacedKeys = replaced.reduce(into: []) { $0.formUnion($1.keys) }
    replacedProperties = replaced.reduce(into: set) { $0.formUnion($1.properties) }
    // A profile that only stood there would narrow what the element preset makes.
    if !wish.saidKeys.contains("profile") { replacedKeys.insert("profile") }
  }

  /// - Parameter properties: what Capstan sets, the user's raw ones included.
  func laid(under properties: [PipelineDescription.Property]) -> [PipelineDescription.Property] {
    settings + properties.filter { !replacedProperties.contains($0.name) }
  }

  /// For people.
  var notes: [String] {
    guard !overruled.isEmpty else { return [] }
    return ["what was said goes over \(overruled.joined(separator: ", ")) of the element preset \(name)"]
  }

  /// In frames; `nil` where it does not say.
  func keyFrameDistance(of encoder: EncoderProfile) -> Int? {
    let values = encoder.keyFrameInterval?.properties.compactMap { value(of: $0) } ?? []
    return values.first.flatMap { Int("\($0)") }
  }

  /// What it sets a property to; `nil` where it does not.
  func value(of property: String?) -> PropertyValue? { settings.first { $0.name == property }?.value }
}

extension EncoderProfile {
  /// Properties that are one matter: an element preset that sets one of them means all, and so does who says one of the
  /// keys.
  struct PropertyGroup {
    let keys: Set<String>
    let properties: Set<String>
  }

  /// What belongs to coding by quality and is not among settings that ask for that: without, x264enc holds the picture
  /// to its own bit rate.
  fileprivate func unsaidOfQuality(in settings: [PipelineDescription.Property]) -> [PipelineDescription.Property] {
    let said = Dictionary(settings.map { ($0.name, "\($0.value)") }) { $1 }
    guard let quality, quality.others.contains(where: { said[$0.key] == $0.value }) else { return [] }
    return quality.others.sorted { $0.key < $1.key }.filter { said[$0.key] == nil }
      .map { PipelineDescription.Property(name: $0.key, value: .string($0.value)) }
  }

  var propertyGroups: [PropertyGroup] {
    [
      group(
        ["bitrate", "quality", "lossless"],
        names(bitRate) + (quality.map { $0.properties + $0.others.keys } ?? []) + names(lossless)),
      group(["keyFrameInterval"], names(keyFrameInterval)),
      group(["speed"], [speedProperty].compactMap { $0 }),
      group(["bFrames"], names(bFrames)),
      group(["threads"], names(threads)),
      group(["lowLatency"], names(lowLatency)),
    ]
  }

  private func group(_ keys: Set<String>, _ names: [String]) -> PropertyGroup {
    PropertyGroup(keys: keys, properties: Set(names.map { EncoderProfile.parts(of: $0).property }))
  }

  private func names(_ amount: Amount?) -> [String] { amount.map { $0.properties + $0.others.keys } ?? [] }

  private func names(_ mode: Mode?) -> [String] { mode.map { Array($0.properties.keys) } ?? [] }
}

extension Preset {
  /// Takes away what stands back for an element preset; a bit rate and the distance of key frames cannot be nothing, and
  /// are not told the encoder then.
  mutating func leaveOut(_ keys: Set<String>) {
    if keys.contains("profile") { profile = nil }
    if keys.contains("quality") { quality = nil }
    if keys.contains("lossless") { lossless = false }
    if keys.contains("bFrames") { bFrames = 0 }
    if keys.contains("threads") { threads = nil }
    if keys.contains("lowLatency") { lowLatency = false }
  }
}

extension RecordingPlanner {
  /// The element preset that the preset wishes, laid on its encoder.
  package func layer(for preset: Preset, encoder: EncoderProfile) throws(PlanningError) -> ElementPresetLayer? {
    guard let wish = preset.elementPreset, !encoder.isCopy else { return nil }
    let known = elementPresets[encoder.element] ?? []
    guard let found = known.first(where: { $0.name == wish.name }) else {
      throw .unknownElementPreset(
        wish.name, encoder: encoder.element, known: known.map(\.name).nearestFirst(to: wish.name))
    }
    return ElementPresetLayer(found, wish, on: encoder, raw: Set(preset.encoderOptions.keys))
  }
}

extension [String] {
  /// The one that was probably meant before the others.
  func nearestFirst(to name: String) -> [String] {
    guard let nearest = Spelling.nearest(to: name, among: self) else { return self }
    return [nearest] + filter { $0 != nearest }
  }
}
