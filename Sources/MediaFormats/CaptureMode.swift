/// One way to run a camera, with nothing left open but a rate that the driver would not tell.

public struct CaptureMode: Sendable, Hashable {
  /// The row of the device's list that it comes from.
  public var format: DeviceFormat
  public var dimensions: VideoDimensions
  /// In the device's own spelling; `nil` where neither the driver nor the request names one.
  public var frameRate: Fraction?

  public init(format: DeviceFormat, dimensions: VideoDimensions, frameRate: Fraction?) {
    self.format = format
    self.dimensions = dimensions
    self.frameRate = frameRate
  }

  /// The caps that make a source deliver this mode. Colour is left out: a driver refuses any but its own wording.
  public var caps: Caps {
    var fields: [CapsField] = []
    let name: String
    switch format.payload {
    case .raw(let pixelFormat):
      name = "video/x-raw"
      fields.append(CapsField("format", .string(pixelFormat.name)))
    case .bayer(let pattern):
      name = "video/x-bayer"
      fields.append(CapsField("format", .string(pattern)))
    case .jpeg: name = "image/jpeg"
    case .h264: name = "video/x-h264"
    case .h265: name = "video/x-h265"
    case .vp8: name = "video/x-vp8"
    case .vp9: name = "video/x-vp9"
    case .dv: name = "video/x-dv"
    case .mpeg4, .mpeg2:
      name = "video/mpeg"
      fields.append(CapsField("mpegversion", .int(format.payload == .mpeg4 ? 4 : 2)))
    case .unsupported: name = "video/x-unsupported"
    }
    fields.append(CapsField("width", .int(dimensions.width)))
    fields.append(CapsField("height", .int(dimensions.height)))
    if let frameRate { fields.append(CapsField("framerate", .fraction(frameRate))) }
    return Caps([CapsStructure(name, fields: fields)])
  }
}

extension CaptureMode: CustomStringConvertible {
  /// `MJPG 1280x720 at 60 fps, full range`.
  public var description: String {
    let rate = frameRate.map { "\($0.decimal) fps" } ?? "an unknown rate"
    return "\(format.fourCC.trimmed) \(dimensions) at \(rate), \(format.range.name) range"
  }
}
