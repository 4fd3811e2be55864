/// What a frame consists of when it leaves the camera: raw pixels or a coded picture.

/// Four characters that name a format, as V4L2 and AVFoundation print them: `YUYV`, `MJPG`, `Y16 `.
public struct FourCC: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// Pads with spaces to four characters, as the codes of V4L2 are.
  public init(_ text: String) {
    description = text + String(repeating: " ", count: max(0, 4 - text.count))
  }

  /// Without the padding.
  public var trimmed: String { String(description.reversed().drop { $0 == " " }.reversed()) }
}

public enum Payload: Sendable, Hashable {
  case raw(PixelFormat)
  case jpeg
  case h264
  case h265
  case vp8
  case vp9
  case mpeg4
  case mpeg2
  case dv
  /// A pattern of single-colour pixels, by its GStreamer name, as `rggb`.
  case bayer(String)
  /// Something that GStreamer has no caps for, as depth (`Z16 `) or 10-bit Bayer.
  case unsupported(FourCC)

  /// The word for people and for `--input-format`.
  public var name: String {
    switch self {
    case .raw: "raw"
    case .jpeg: "mjpeg"
    case .h264: "h264"
    case .h265: "h265"
    case .vp8: "vp8"
    case .vp9: "vp9"
    case .mpeg4: "mpeg4"
    case .mpeg2: "mpeg2"
    case .dv: "dv"
    case .bayer: "bayer"
    case .unsupported: "unsupported"
    }
  }

  /// True where a frame can be left out without a trace in the others.
  public var standsAlone: Bool {
    switch self {
    case .raw, .jpeg: true
    default: false
    }
  }

  /// The code that V4L2 has for it. Several codes can stand for one payload (`MJPG` and `JPEG`): this is the usual one.
  public var fourCC: FourCC {
    switch self {
    case .raw(let format): format.fourCC
    case .jpeg: FourCC("MJPG")
    case .h264: FourCC("H264")
    case .h265: FourCC("HEVC")
    case .vp8: FourCC("VP80")
    case .vp9: FourCC("VP90")
    case .mpeg4: FourCC("MPG4")
    case .mpeg2: FourCC("MPEG")
    case .dv: FourCC("dvsd")
    case .bayer(let pattern): FourCC(Payload.bayerCodes[pattern] ?? pattern.uppercased())
    case .unsupported(let code): code
    }
  }

  /// What a V4L2 code stands for; `nil` for one that GStreamer has no caps for.
  public init?(fourCC: FourCC) {
    let code = Payload.severalPlanes[fourCC.trimmed].map { FourCC($0) } ?? fourCC
    if let format = PixelFormat.all.first(where: { $0.fourCC == code }) {
      self = .raw(format)
    } else if let payload = Payload.codes[fourCC.trimmed] {
      self = payload
    } else if let pattern = Payload.bayerCodes.first(where: { $0.value == fourCC.trimmed })?.key {
      self = .bayer(pattern)
    } else {
      return nil
    }
  }

  /// Codes for planes in buffers of their own: the same pictures, and the same caps.
  private static let severalPlanes = [
    "NM12": "NV12", "NM21": "NV21", "NM16": "NV16", "NM61": "NV61", "YM12": "YU12",
  ]

  private static let codes: [String: Payload] = [
    "MJPG": .jpeg, "JPEG": .jpeg, "PJPG": .jpeg, "H264": .h264, "AVC1": .h264, "HEVC": .h265, "VP80": .vp8,
    "VP90": .vp9, "MPG4": .mpeg4, "XVID": .mpeg4, "MPG2": .mpeg2, "dvsd": .dv,
  ]

  static let bayerCodes = ["bggr": "BA81", "gbrg": "GBRG", "grbg": "GRBG", "rggb": "RGGB"]

  /// What one frame of a capture card or machine camera can be made into a colour recording from.
  public var isColor: Bool {
    switch self {
    case .raw(let format): format.chroma != .gray
    case .bayer, .unsupported: false
    default: true
    }
  }
}

extension Payload {
  /// A grey picture, as infrared cameras send it, or depth.
  var isGrey: Bool {
    switch self {
    case .raw(let format): format.chroma == .gray
    case .unsupported(let code): code.trimmed == "Z16"
    default: false
    }
  }

  /// Why it cannot be made into a recording; `nil` where it can.
  public var refusal: String? {
    switch self {
    case .raw, .jpeg, .h264, .h265, .vp8, .vp9, .mpeg4: nil
    case .bayer: "it is Bayer data as the sensor makes it, and needs the camera maker's image processor"
    case .mpeg2, .dv: "recording from tape formats is not supported"
    case .unsupported(let code): "GStreamer has no caps for \(code.trimmed)"
    }
  }
}
