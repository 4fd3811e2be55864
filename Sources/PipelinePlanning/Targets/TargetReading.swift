/// A preset on its way to what an encoding target asks: each thing that is taken, and each that cannot be.

import MediaFormats

struct TargetReading {
  private(set) var preset: Preset
  let wish: EncodingTargetWish
  let target: EncodingTarget
  let profile: EncodingTarget.Profile
  /// Each the end of a sentence about the target.
  var notes: [String] = []
  private var asked: [String] = []
  private var replacedKeys: Set<String> = []

  init(preset: Preset, wish: EncodingTargetWish, target: EncodingTarget, profile: EncodingTarget.Profile) {
    self.preset = preset
    self.wish = wish
    self.target = target
    self.profile = profile
  }

  var path: String { "\(target.path)/\(profile.name)" }

  func unusable(_ reason: String) -> PlanningError { .encodingTargetUnusable(path, reason: reason) }

  var finished: Preset {
    var preset = preset
    preset.encodingTarget?.outcome = .init(path: path, asked: asked, notes: notes, replacedKeys: replacedKeys)
    return preset
  }

  /// What is in the words of an encoder that gives way goes with it, unless it is said.
  mutating func take(encoders: [String]) {
    if encoders.first != preset.encoders.first {
      if !wish.says("speed") { preset.speed = nil }
      if !wish.says("profile") { preset.profile = nil }
      if !wish.says("elementPreset") { preset.elementPreset = nil }
      if !wish.says("encoderOptions") { preset.encoderOptions = [:] }
    }
    preset.encoders = encoders
    note("encoder", encoders.joined(separator: " or "))
  }

  mutating func take(elementPreset name: String) {
    preset.elementPreset = ElementPresetWish(name, saidKeys: wish.saidKeys)
    note("elementPreset", "element preset \"\(name)\"")
  }

  mutating func take(profile name: String) {
    preset.profile = name
    preset.elementPreset?.saidKeys.insert("profile")
    note("profile", "profile \(name)")
  }

  mutating func take(containers: [String]) {
    preset.containers = containers
    note("container", containers.joined(separator: " or "))
  }

  private mutating func note(_ key: String, _ words: String) {
    replacedKeys.insert(key)
    asked.append(words)
  }

  // MARK: Restriction

  /// Of several, the one that the preset meets as it is, else the first.
  mutating func restrict(to caps: Caps) {
    let (size, rate) = (preset.scale ?? preset.request.dimensions, preset.request.frameRate)
    guard let limits = caps.structures.first(where: { $0.admits(size) && $0.admits(rate) }) ?? caps.structures.first
    else { return }
    if let size = limits.nearest(to: size) { restrict(size: size) }
    if let rate = limits.nearest(to: rate) { restrict(rate: rate) }
    if let format = limits["format"] { restrict(format) }
    let known = ["width", "height", "framerate", "format", "max-framerate"]
    let others = limits.fields.filter { !known.contains($0.name) && !$0.isSquare }
    if !others.isEmpty {
      let words = others.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
      notes.append("restricts pictures to \(words), which is not looked after")
    }
  }

  /// The camera is to have it; where it has not, the picture that the preset wishes is scaled.
  private mutating func restrict(size: VideoDimensions) {
    guard !wish.says("request.size"), !wish.says("scale") else {
      notes.append("wants \(size), and the preset another size")
      return
    }
    let sized = preset.wishes.map { wish in
      var wish = wish
      wish.dimensions = size
      return wish
    }
    preset.wishes = sized + preset.wishes
    preset.scale = size
    note("request.size", "\(size)")
    replacedKeys.insert("scale")
  }

  private mutating func restrict(rate: Fraction) {
    guard !wish.says("request.framerate") else {
      notes.append("wants \(rate.decimal) frames a second, and the preset another rate")
      return
    }
    preset.wishes = preset.wishes.map { wish in
      var wish = wish
      wish.frameRate = rate
      return wish
    }
    note("request.framerate", "\(rate.decimal) fps")
  }

  /// Which layout it is; how its samples lie in memory is the encoder's matter.
  private mutating func restrict(_ format: CapsValue) {
    guard case .string(let name) = format, !wish.says("chroma"), !wish.says("depth") else { return }
    let wanted = PixelFormat(named: name)
    (preset.color.chroma, preset.color.depth) = (wanted.chroma, wanted.depth)
    note("chroma", "\(wanted.chroma.name) of \(wanted.depth) bits")
    replacedKeys.insert("depth")
  }

  // MARK: What is left

  mutating func noteTheRest(beside taken: EncodingTarget.Stream) {
    for stream in profile.streams where stream.kind != .video && stream.isWanted(in: profile) {
      let kind =
        stream.kind == .audio
        ? "sound (\(stream.format.names)), which Capstan does not record yet" : "\(stream.format.names)"
      notes.append("asks for \(kind)")
    }
    let others = profile.streams.filter { $0.kind == .video && $0 != taken && $0.presence > 0 }
    let count = others.reduce(taken.presence) { $0 + $1.presence }
    if count > 1 { notes.append("asks for \(count) video streams, and one camera gives one") }
    if taken.pass > 0 { notes.append("asks for a coding in several passes, which live video has no time for") }
    if let properties = taken.elementProperties {
      notes.append("sets properties of the encoder (\(properties)), which are left out; say them as encoderOptions")
    }
  }
}

extension EncodingTarget.Stream {
  /// Targets list several of a kind as a choice: one note is enough.
  fileprivate func isWanted(in profile: EncodingTarget.Profile) -> Bool {
    profile.streams.first { $0.kind == kind } == self
  }
}

extension CapsField {
  fileprivate var isSquare: Bool { name == "pixel-aspect-ratio" && value == .fraction(Fraction(1)) }
}
