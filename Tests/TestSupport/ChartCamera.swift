/// Cameras that show the colour chart, each with its own way of sending colour.

/// A source of the colour matrix.
public struct ChartCamera: Sendable, Hashable {
  public var name: String
  public var fourCC: String
  public var isFullRange: Bool
  /// 601 or 709.
  public var matrix: Int
  /// As Tests/FakeCamera/README.md has them.
  public var color: [String: String]
  /// What the user has to say because no driver can.
  public var options: [String] = []

  public func camera(width: Int = 320, height: Int = 240) -> FakeCamera {
    FakeCamera(format: fourCC, width: width, height: height, color: color).showing("ramp")
  }

  /// Raw and JPEG, full and limited; between them the labels that drivers give.
  public static let all: [ChartCamera] = raw + jpeg

  private static let raw = [
    ChartCamera(
      name: "YUYV full", fourCC: "YUYV", isFullRange: true, matrix: 601,
      color: ["colorspace": "sRGB", "quantization": "Full Range"]),
    // The USB video class's own default.
    ChartCamera(name: "YUYV limited", fourCC: "YUYV", isFullRange: false, matrix: 601, color: ["colorspace": "sRGB"]),
    ChartCamera(
      name: "NV12 full", fourCC: "NV12", isFullRange: true, matrix: 709,
      color: ["colorspace": "Rec. 709", "quantization": "Full Range"]),
    ChartCamera(
      name: "NV12 limited", fourCC: "NV12", isFullRange: false, matrix: 709, color: ["colorspace": "Rec. 709"]),
    ChartCamera(name: "I420 full", fourCC: "YU12", isFullRange: true, matrix: 601, color: ["colorspace": "JPEG"]),
    ChartCamera(
      name: "I420 limited", fourCC: "YU12", isFullRange: false, matrix: 709,
      color: ["colorspace": "sRGB", "ycbcr_encoding": "Rec. 709"]),
  ]

  /// A camera whose JPEGs are limited is known to its user alone.
  private static let jpeg = ["4:2:2", "4:2:0"].flatMap { sampling in
    [true, false].map { isFull in
      ChartCamera(
        name: "MJPG \(sampling) \(isFull ? "full" : "limited")", fourCC: "MJPG", isFullRange: isFull, matrix: 601,
        color: ["jpegSubsampling": sampling, "jpegRange": isFull ? "full" : "limited"],
        options: isFull ? [] : ["--source-color", "limited"])
    }
  }
}
