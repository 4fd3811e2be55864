/// One row of what a camera can do: a payload at a size, with the rates it has there.

public struct DeviceFormat: Sendable, Hashable {
  /// Place in the device's list, counted from 0.
  public var index: Int
  public var payload: Payload
  /// The driver's own code; `JPEG` and `MJPG` are one payload.
  public var fourCC: FourCC
  public var dimensions: DimensionsRange
  /// In the device's order, without doubles. Empty where the driver tells none.
  public var frameRates: [FrameRateRange]
  /// As the driver declares it, unknown fields left unknown.
  public var colorimetry: Colorimetry
  /// Both fields of a picture in one frame (`V4L2_FIELD_INTERLACED`).
  public var isInterlaced: Bool
  /// Converted in software by a library, not made by the camera (`V4L2_FMT_FLAG_EMULATED`).
  public var isEmulated: Bool
  /// The node that has it, as `/dev/video0`; `nil` for devices without one.
  public var node: String?
  /// Field of view, binning, stabilisation, zoom and crop, as far as anybody says.
  public var traits: FormatTraits

  public init(
    index: Int = 0, payload: Payload, fourCC: FourCC? = nil, dimensions: DimensionsRange,
    frameRates: [FrameRateRange], colorimetry: Colorimetry = .unknown, isInterlaced: Bool = false,
    isEmulated: Bool = false, node: String? = nil, traits: FormatTraits = .unknown
  ) {
    self.index = index
    self.payload = payload
    self.fourCC = fourCC ?? payload.fourCC
    self.dimensions = dimensions
    self.frameRates = frameRates
    self.colorimetry = colorimetry
    self.isInterlaced = isInterlaced
    self.isEmulated = isEmulated
    self.node = node
    self.traits = traits
  }

  /// As AVFoundation words what a format is of: pictures.
  public var mediaType: FourCC { FourCC("vide") }

  /// The code that tells the ranges of NV12 apart, as AVFoundation does: `420f` is full, `420v` is video range. The
  /// driver's own code for everything else.
  public var subtype: FourCC {
    payload == .raw(.nv12) && fourCC == payload.fourCC ? FourCC(range == .full ? "420f" : "420v") : fourCC
  }

  /// The range that the samples really have. JPEG is full range by its own standard (ITU-T T.871), whatever the
  /// driver says; RGB is full and YUV is limited where the driver says nothing (Linux media documentation,
  /// `V4L2_MAP_QUANTIZATION_DEFAULT`).
  public var range: ColorRange {
    switch payload {
    case .jpeg: .full
    case .raw(let format) where format.chroma == .rgb: colorimetry.range ?? .full
    default: colorimetry.range ?? .limited
    }
  }
}

extension DeviceFormat: CustomStringConvertible {
  /// `MJPG 1280x720 at 60, 30 fps, full range`.
  public var description: String {
    let rates = frameRates.map(\.description).joined(separator: ", ")
    let speed = rates.isEmpty ? "an unknown rate" : "\(rates) fps"
    return "\(fourCC.trimmed) \(dimensions) at \(speed), \(range.name) range"
  }
}
