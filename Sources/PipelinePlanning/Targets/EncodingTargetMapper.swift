/// Puts what an encoding target of GStreamer's asks into the words of a preset: container, encoders, element preset,
/// profile, size, rate and layout. What the preset says itself goes before it.

package import MediaFormats

package struct EncodingTargetMapper: Sendable {
  let encoders: [EncoderProfile]
  let containers: [ContainerProfile]
  let installedElements: Set<String>
  /// Whether an element can give what fits the caps.
  let canMake: @Sendable (_ element: String, _ format: Caps) -> Bool
  /// Names of the element presets that an encoder has.
  let elementPresets: @Sendable (_ element: String) -> [String]

  package init(
    encoders: [EncoderProfile], containers: [ContainerProfile], installedElements: Set<String>,
    canMake: @escaping @Sendable (_ element: String, _ format: Caps) -> Bool,
    elementPresets: @escaping @Sendable (_ element: String) -> [String]
  ) {
    self.encoders = encoders
    self.containers = containers
    self.installedElements = installedElements
    self.canMake = canMake
    self.elementPresets = elementPresets
  }

  /// - Returns: the preset with what its target asks; as it is where it wishes none, or where that is done already.
  /// - Throws: for a target that there is not, or of which Capstan makes nothing.
  package func applied(to preset: Preset, among targets: [EncodingTarget]) throws(PlanningError) -> Preset {
    guard let wish = preset.encodingTarget, wish.outcome == nil else { return preset }
    guard let (target, profile) = EncodingTarget.find(wish.name, among: targets) else {
      throw .unknownEncodingTarget(wish.name, known: targets.map(\.path).nearestFirst(to: wish.name))
    }
    var reading = TargetReading(preset: preset, wish: wish, target: target, profile: profile)
    let (stream, format) = try readEncoder(&reading)
    try readContainer(&reading)
    if let restriction = stream.restriction { reading.restrict(to: restriction) }
    if let format { readProfile(format, &reading) }
    reading.noteTheRest(beside: stream)
    return reading.finished
  }

  // MARK: Encoder

  /// - Returns: the stream that is recorded, and the one of its formats.
  private func readEncoder(
    _ reading: inout TargetReading
  ) throws(PlanningError) -> (EncodingTarget.Stream, CapsStructure?) {
    let videos = reading.profile.streams.filter { $0.kind == .video }
    guard let first = videos.first else { throw reading.unusable("has no video, and Capstan records no sound yet") }
    let said = reading.wish.says("encoder") ? reading.preset.encoders : nil
    let chosen = choice(among: videos, said)
    guard let (stream, able) = chosen else {
      if let said {
        reading.notes.append("asks for \(first.format.names), and the preset for \(said.joined(separator: ", "))")
        return (first, nil)
      }
      throw reading.unusable("wants \(first.format.names), which no encoder of Capstan's makes")
    }
    let names = said ?? ordered(able, like: reading.preset.encoders)
    if said == nil { reading.take(encoders: names) }
    takePreset(of: stream, names[0], &reading)
    return (stream, format(of: stream, by: names[0]))
  }

  /// The first stream that can be made here with its element preset; else without it; else with encoders that are not
  /// installed.
  private func choice(
    among streams: [EncodingTarget.Stream], _ said: [String]?
  ) -> (EncodingTarget.Stream, [EncoderProfile])? {
    let known = said.map { names in encoders.filter { names.contains($0.element) } } ?? encoders
    let installed = known.filter { installedElements.contains($0.element) }
    let ways: [([EncoderProfile], Bool)] = [(installed, true), (installed, false), (known, false)]
    for (encoders, isWhole) in ways {
      for stream in streams {
        let able = encoders.filter { makes(stream, $0) && (!isWhole || hasPreset(of: stream, $0)) }
        if !able.isEmpty { return (stream, able) }
      }
    }
    return nil
  }

  private func makes(_ stream: EncodingTarget.Stream, _ encoder: EncoderProfile) -> Bool {
    (stream.element ?? encoder.element) == encoder.element && format(of: stream, by: encoder.element) != nil
  }

  private func hasPreset(of stream: EncodingTarget.Stream, _ encoder: EncoderProfile) -> Bool {
    stream.elementPreset.map { elementPresets(encoder.element).contains($0) } ?? true
  }

  /// Of an encoder that is not installed, nothing but its codec is known.
  private func format(of stream: EncodingTarget.Stream, by element: String) -> CapsStructure? {
    stream.format.structures.first { structure in
      guard !installedElements.contains(element) else { return canMake(element, Caps([structure.withoutProfile])) }
      return encoders.contains { $0.element == element && structure.name == "video/x-\($0.codec)" }
    }
  }

  /// Those of the preset first, those that need certain hardware last.
  private func ordered(_ able: [EncoderProfile], like own: [String]) -> [String] {
    let names = (able.filter { !$0.isHardware } + able.filter { $0.isHardware }).map(\.element)
    return own.filter(names.contains) + names.filter { !own.contains($0) }
  }

  private func takePreset(of stream: EncodingTarget.Stream, _ encoder: String, _ reading: inout TargetReading) {
    guard let name = stream.elementPreset, !reading.wish.says("elementPreset") else { return }
    guard elementPresets(encoder).contains(name) else {
      reading.notes.append("asks for the element preset \"\(name)\", which \(encoder) has not got here")
      return
    }
    reading.take(elementPreset: name)
  }

  private func readProfile(_ format: CapsStructure, _ reading: inout TargetReading) {
    let profile = encoders.first { $0.element == reading.preset.encoders.first }
    if let wanted = format["profile"]?.texts, !reading.wish.says("profile") {
      if let name = wanted.first(where: { name in profile?.profiles.contains { $0.name == name } == true }) {
        reading.take(profile: name)
      } else {
        let names = wanted.joined(separator: " or ")
        reading.notes.append("asks for the profile \(names), to which \(profile?.element ?? "") cannot be held")
      }
    }
    let others = format.fields.filter { !CapsStructure.codingFields.contains($0.name) }
    if !others.isEmpty {
      let words = others.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
      reading.notes.append("asks for \(words) of its \(format.name), to which the encoder is not held")
    }
  }

  // MARK: Container

  private func readContainer(_ reading: inout TargetReading) throws(PlanningError) {
    guard let wanted = reading.profile.container else {
      reading.notes.append("asks for a stream without a container, and gets one")
      return
    }
    if let name = wanted.elementPreset {
      reading.notes.append(
        "asks for the preset \"\(name)\" of its muxer; how a file is written, Capstan's containers say")
    }
    guard !reading.wish.says("container") else { return }
    let able = containers.filter { canMake($0.muxer, wanted.format) }.map(\.name)
    guard !able.isEmpty else {
      let known = containers.map(\.name).joined(separator: ", ")
      throw reading.unusable(
        "wants the container \(wanted.format.names); name one of \(known) as the container instead")
    }
    let first = reading.target.names.filter(able.contains)
    let own = reading.preset.containers.filter(able.contains)
    reading.take(containers: (first + own + able).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }
}

extension Caps {
  /// The media types, for people.
  var names: String {
    let names = structures.map(\.name)
    return names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element).joined(separator: " or ")
  }
}

extension CapsStructure {
  /// What says which codec it is and how it is packed, and the profile, which is told by itself.
  static let codingFields: Set = [
    "profile", "stream-format", "alignment", "parsed", "mpegversion", "systemstream", "ffvversion", "variant",
  ]

  /// Templates of encoders name profiles that they call otherwise, or none.
  fileprivate var withoutProfile: CapsStructure {
    var structure = self
    structure.fields.removeAll { $0.name == "profile" || !CapsStructure.codingFields.contains($0.name) }
    return structure
  }
}

extension CapsValue {
  /// One text, or those of a list.
  fileprivate var texts: [String]? {
    switch self {
    case .string(let text): [text]
    case .list(let values): values.flatMap { $0.texts ?? [] }
    default: nil
    }
  }
}
