/// Raw pixel layouts: GStreamer's name, V4L2's code, and the few properties that choosing and planning need.

public struct PixelFormat: Sendable, Hashable, CustomStringConvertible {
  public enum Chroma: Sendable, Hashable {
    case yuv420, yuv422, yuv411, yuv410, yuv444, rgb, gray

    /// As it is usually written: `4:2:0`.
    public var name: String {
      switch self {
      case .yuv420: "4:2:0"
      case .yuv422: "4:2:2"
      case .yuv411: "4:1:1"
      case .yuv410: "4:1:0"
      case .yuv444: "4:4:4"
      case .rgb: "RGB"
      case .gray: "grey"
      }
    }

    /// Reads what an encoder may be asked for: `4:2:0`, `4:2:2`, `4:4:4`, with or without the colons.
    public init?(encoded text: String) {
      switch text.filter({ $0 != ":" }) {
      case "420": self = .yuv420
      case "422": self = .yuv422
      case "444": self = .yuv444
      default: return nil
      }
    }
  }

  /// `GstVideoFormat`'s name, as `YUY2`.
  public let name: String
  /// V4L2's code, as `YUYV`.
  public let fourCC: FourCC
  public let chroma: Chroma
  /// Bits a sample.
  public let depth: Int
  /// Bits a pixel in memory, padding aside.
  public let bitsPerPixel: Int

  public var description: String { name }

  init(_ name: String, _ fourCC: String, _ chroma: Chroma, depth: Int = 8, bitsPerPixel: Int) {
    self.name = name
    self.fourCC = FourCC(fourCC)
    self.chroma = chroma
    self.depth = depth
    self.bitsPerPixel = bitsPerPixel
  }

  /// A format of the table below, or one of which only the name is known: that tells RGB and grey from YUV, and it is
  /// taken for deeper than 8 bits, so that a known format goes before it.
  public init(named name: String) {
    self =
      PixelFormat.byName[name] ?? PixelFormat(name, name, PixelFormat.chroma(ofName: name), depth: 10, bitsPerPixel: 64)
  }

  private static func chroma(ofName name: String) -> Chroma {
    if ["RGB", "BGR", "GBR", "r210"].contains(where: name.contains) { return .rgb }
    return name.hasPrefix("GRAY") ? .gray : .yuv444
  }

  public static let i420 = PixelFormat(named: "I420")
  public static let nv12 = PixelFormat(named: "NV12")
  public static let yuy2 = PixelFormat(named: "YUY2")

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The formats of `gst_v4l2_object_v4l2fourcc_to_video_format` in GStreamer 1.22.
  static let all = [
    PixelFormat("I420", "YU12", .yuv420, bitsPerPixel: 12), PixelFormat("YV12", "YV12", .yuv420, bitsPerPixel: 12),
    PixelFormat("NV12", "NV12", .yuv420, bitsPerPixel: 12), PixelFormat("NV21", "NV21", .yuv420, bitsPerPixel: 12),
    PixelFormat("NV12_64Z32", "TM12", .yuv420, bitsPerPixel: 12),
    PixelFormat("NV12_16L32S", "MM21", .yuv420, bitsPerPixel: 12),
    PixelFormat("NV12_4L4", "VT12", .yuv420, bitsPerPixel: 12),
    PixelFormat("P010_10LE", "P010", .yuv420, depth: 10, bitsPerPixel: 24),
    PixelFormat("YUY2", "YUYV", .yuv422, bitsPerPixel: 16), PixelFormat("YVYU", "YVYU", .yuv422, bitsPerPixel: 16),
    PixelFormat("UYVY", "UYVY", .yuv422, bitsPerPixel: 16), PixelFormat("VYUY", "VYUY", .yuv422, bitsPerPixel: 16),
    PixelFormat("Y42B", "422P", .yuv422, bitsPerPixel: 16), PixelFormat("NV16", "NV16", .yuv422, bitsPerPixel: 16),
    PixelFormat("NV61", "NV61", .yuv422, bitsPerPixel: 16), PixelFormat("NV24", "NV24", .yuv444, bitsPerPixel: 24),
    PixelFormat("Y41B", "411P", .yuv411, bitsPerPixel: 12), PixelFormat("YUV9", "YUV9", .yuv410, bitsPerPixel: 9),
    PixelFormat("YVU9", "YVU9", .yuv410, bitsPerPixel: 9),
    PixelFormat("RGB", "RGB3", .rgb, bitsPerPixel: 24), PixelFormat("BGR", "BGR3", .rgb, bitsPerPixel: 24),
    PixelFormat("RGBx", "XB24", .rgb, bitsPerPixel: 32), PixelFormat("BGRx", "XR24", .rgb, bitsPerPixel: 32),
    PixelFormat("xRGB", "BX24", .rgb, bitsPerPixel: 32), PixelFormat("xBGR", "RX24", .rgb, bitsPerPixel: 32),
    PixelFormat("RGBA", "AB24", .rgb, bitsPerPixel: 32), PixelFormat("BGRA", "AR24", .rgb, bitsPerPixel: 32),
    PixelFormat("ARGB", "BA24", .rgb, bitsPerPixel: 32), PixelFormat("ABGR", "RA24", .rgb, bitsPerPixel: 32),
    PixelFormat("RGB15", "RGBO", .rgb, depth: 5, bitsPerPixel: 16),
    PixelFormat("BGR15", "RGBQ", .rgb, depth: 5, bitsPerPixel: 16),
    PixelFormat("RGB16", "RGBP", .rgb, depth: 5, bitsPerPixel: 16),
    PixelFormat("Y444", "444P", .yuv444, bitsPerPixel: 24),
    PixelFormat("I420_10LE", "I4:0", .yuv420, depth: 10, bitsPerPixel: 24),
    PixelFormat("I422_10LE", "I4:2", .yuv422, depth: 10, bitsPerPixel: 32),
    PixelFormat("Y444_10LE", "I4:4", .yuv444, depth: 10, bitsPerPixel: 48),
    PixelFormat("GRAY8", "GREY", .gray, bitsPerPixel: 8),
    PixelFormat("GRAY16_LE", "Y16 ", .gray, depth: 16, bitsPerPixel: 16),
    PixelFormat("GRAY16_BE", "Y16 -BE", .gray, depth: 16, bitsPerPixel: 16),
  ]
}
