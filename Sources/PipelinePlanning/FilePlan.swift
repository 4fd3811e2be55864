/// What a second, smaller file of the same capture is to be: light enough to be cut or sent while the first is kept.

public import MediaFormats

/// The wish, as presets say it; what it leaves out is the main file's.
public struct ProxyWish: Sendable, Hashable {
  /// Stands in the file's name before the extension, as `a-proxy.mp4`.
  public var name = "proxy"
  public var scale = VideoDimensions(width: 640, height: 360)
  public var bitRate = BitRate(bitsPerSecond: 800_000)
  /// In order of preference; empty for those of the main file.
  public var encoders: [String] = []
  /// `nil` for that of the main file.
  public var container: String?

  public init() {}
}

/// One file beside the main one: what is encoded for it and what writes it.
public struct ProxyPlan: Sendable, Hashable {
  public var name: String
  public var dimensions: VideoDimensions
  public var bitRate: BitRate
  public var encoder: EncoderProfile
  public var speed: String?
  public var container: ContainerProfile
}

extension Preset {
  /// The preset that the proxy is planned by; `nil` without one.
  var ofProxy: Preset? {
    guard let proxy else { return nil }
    var preset = self
    preset.encoders = proxy.encoders.isEmpty ? encoders : proxy.encoders
    (preset.bitRate, preset.quality, preset.lossless) = (proxy.bitRate, nil, false)
    preset.containers = proxy.container.map { [$0] } ?? containers
    preset.scale = proxy.scale
    (preset.proxy, preset.elementPreset) = (nil, nil)
    if preset.encoders.first != encoders.first {
      preset.forgetEncoderWords()
    }
    return preset
  }
}

extension ProxyPlan {
  init(_ assembler: PipelineAssembler) {
    name = assembler.role
    dimensions = assembler.preset.scale ?? assembler.mode.dimensions
    bitRate = assembler.preset.bitRate
    encoder = assembler.encoder
    speed = assembler.speed
    container = assembler.container
  }
}

extension CaptureMode {
  /// With the size that its pictures are then given.
  func scaled(to size: VideoDimensions?) -> CaptureMode {
    var mode = self
    mode.dimensions = size ?? dimensions
    return mode
  }
}

extension RecordingPlanner {
  /// What encodes and writes the second file. It is fed with pictures that are right already, and works at the
  /// encoder's fastest, so that it takes little from the first.
  func proxy(of preset: Preset, _ main: PipelineAssembler) throws(PlanningError) -> ProxyChoice? {
    guard let wish = preset.proxy, let own = preset.ofProxy, !main.encoder.isCopy else { return nil }
    if wish.scale.width % 2 + wish.scale.height % 2 > 0 { throw .ofProxy(.oddScale(wish.scale)) }
    do { return try choice(for: own, main) } catch { throw .ofProxy(error) }
  }

  private func choice(for own: Preset, _ main: PipelineAssembler) throws(PlanningError) -> ProxyChoice {
    let format = main.color.format
    if own.encoders.contains(EncoderProfile.copyName) {
      throw .unknownEncoder(EncoderProfile.copyName, known: encoders.map(\.element))
    }
    let able = try candidates(for: own).filter { $0.layout(like: format) != nil }
    guard !able.isEmpty else {
      throw .color(
        .noLayout(chroma: format.chroma, depth: format.depth), encoder: own.encoders.joined(separator: " or "),
        able: self.able(ColorWish(chroma: format.chroma, depth: format.depth)))
    }
    var refusals: [EncoderRefusal] = []
    for encoder in able {
      let assembler = try proxy(own, encoder, main)
      switch evidence.verdict(on: encoder, assembler.trial, isPinned: able.count == 1) {
      case .fit(let remarks): return ProxyChoice(assembler: assembler, notes: refusals.map(\.note) + remarks)
      case .unknown: return ProxyChoice(assembler: assembler, trial: assembler.trial)
      case .unfit(let reason, _): refusals.append(EncoderRefusal(encoder: encoder.element, reason: reason))
      }
    }
    throw .encoderUnfit(refusals)
  }

  private func proxy(
    _ preset: Preset, _ encoder: EncoderProfile, _ main: PipelineAssembler
  ) throws(PlanningError) -> PipelineAssembler {
    try preset.checkWords(against: encoder, others: [])
    let isOwn = encoder.element == main.encoder.element
    let speed = isOwn && preset.speed != nil ? preset.speed : encoder.speeds.first?.value
    var color = main.color
    color.format = encoder.layout(like: color.format) ?? color.format
    var assembler = PipelineAssembler(
      mode: main.mode, color: color, encoder: encoder, speed: speed, pins: [:], preset: preset,
      container: try container(for: preset, codec: encoder.codec), role: main.preset.proxy?.name ?? "")
    assembler.recovery = main.recovery
    return assembler
  }

  static func notes(on preset: Preset, scaling mode: CaptureMode) -> [String] {
    guard let scale = preset.scale, scale.pixels > mode.dimensions.pixels else { return [] }
    return ["the picture is enlarged from \(mode.dimensions) to \(scale), which adds nothing but size"]
  }
}

/// How the second file is made.
struct ProxyChoice: Sendable {
  let assembler: PipelineAssembler
  /// What its encoder is still to be tried at.
  var trial: EncoderTrial?
  var notes: [String] = []
}

extension EncoderProfile {
  /// The format itself where the encoder takes it, or another one that holds the same samples; `nil` for none.
  fileprivate func layout(like format: PixelFormat) -> PixelFormat? {
    let formats = inputs.map { PixelFormat(named: $0) }
    return formats.first { $0 == format } ?? formats.first { $0.chroma == format.chroma && $0.depth == format.depth }
  }
}
