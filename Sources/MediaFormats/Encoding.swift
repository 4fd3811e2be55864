/// How the vocabulary looks in JSON: rates as exact fractions, sizes as two numbers, unknown as null.

extension Fraction: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension FourCC: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(trimmed)
  }
}

extension SteppedRange: Encodable {
  private enum CodingKeys: CodingKey { case min, max, step }

  /// A plain number for a single length.
  public func encode(to encoder: any Encoder) throws {
    if isSingle {
      var container = encoder.singleValueContainer()
      return try container.encode(min)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(min, forKey: .min)
    try container.encode(max, forKey: .max)
    try container.encode(step, forKey: .step)
  }
}

extension FrameRateRange: Encodable {
  private enum CodingKeys: CodingKey { case min, max }

  /// A plain fraction for a single rate.
  public func encode(to encoder: any Encoder) throws {
    if isSingle { return try min.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(min, forKey: .min)
    try container.encode(max, forKey: .max)
  }
}

extension Colorimetry: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ColorRange: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension DeviceFormat: Encodable {
  private enum CodingKeys: CodingKey {
    case index, mediaType, subtype, payload, fourCC, pixelFormat, width, height, frameRates, range, colorimetry
    case fieldOfView, binned, stabilization, maximumZoom, upscalingZoom, crop, presentationSize
    case interlaced, emulated, node, refusal
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(index, forKey: .index)
    try container.encode(mediaType, forKey: .mediaType)
    try container.encode(subtype, forKey: .subtype)
    try container.encode(payload.name, forKey: .payload)
    try container.encode(fourCC, forKey: .fourCC)
    if case .raw(let format) = payload { try container.encode(format.name, forKey: .pixelFormat) }
    try container.encode(dimensions.width, forKey: .width)
    try container.encode(dimensions.height, forKey: .height)
    try container.encode(frameRates, forKey: .frameRates)
    try container.encode(range, forKey: .range)
    try container.encode(colorimetry, forKey: .colorimetry)
    try container.encode(traits.fieldOfView, forKey: .fieldOfView)
    try container.encode(traits.isBinned, forKey: .binned)
    try container.encode(traits.supportsStabilization, forKey: .stabilization)
    try container.encode(traits.maximumZoom, forKey: .maximumZoom)
    try container.encode(traits.upscalingZoom, forKey: .upscalingZoom)
    try container.encode(traits.crop, forKey: .crop)
    try container.encodeIfPresent(traits.presentationDimensions, forKey: .presentationSize)
    if isInterlaced { try container.encode(true, forKey: .interlaced) }
    if isEmulated { try container.encode(true, forKey: .emulated) }
    try container.encodeIfPresent(node, forKey: .node)
    try container.encodeIfPresent(payload.refusal, forKey: .refusal)
  }
}

extension CaptureMode: Encodable {
  private enum CodingKeys: CodingKey {
    case index, payload, fourCC, subtype, pixelFormat, width, height, frameRate, range, caps, node
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format.index, forKey: .index)
    try container.encode(format.payload.name, forKey: .payload)
    try container.encode(format.fourCC, forKey: .fourCC)
    try container.encode(format.subtype, forKey: .subtype)
    if case .raw(let format) = format.payload { try container.encode(format.name, forKey: .pixelFormat) }
    try container.encode(dimensions.width, forKey: .width)
    try container.encode(dimensions.height, forKey: .height)
    try container.encode(frameRate, forKey: .frameRate)
    try container.encode(format.range, forKey: .range)
    try container.encode(caps.description, forKey: .caps)
    try container.encodeIfPresent(format.node, forKey: .node)
  }
}

extension FormatSelection: Encodable {
  private enum CodingKeys: CodingKey { case outcome, mode, deviations, reason, nearest }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(outcome, forKey: .outcome)
    switch self {
    case .exact(let mode): try container.encode(mode, forKey: .mode)
    case .adjusted(let mode, let deviations):
      try container.encode(mode, forKey: .mode)
      try container.encode(deviations.map(\.description), forKey: .deviations)
    case .impossible(let reason, let nearest):
      try container.encode(reason, forKey: .reason)
      try container.encode(nearest, forKey: .nearest)
    }
  }
}
