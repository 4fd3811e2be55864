/// What a listing can say of a mode beyond payload, size, rate and colour. Whatever nobody says stays unknown.

public struct FormatTraits: Sendable, Hashable {
  /// Horizontal, in degrees, above 0 and below 360.
  public var fieldOfView: Double?
  /// True where pixels of the sensor are joined, so that the picture holds less detail than its size promises.
  public var isBinned: Bool?
  public var supportsStabilization: Bool?
  /// The largest zoom factor, at least 1.
  public var maximumZoom: Double?
  /// The zoom factor, at least 1, from which on pixels are made up.
  public var upscalingZoom: Double?
  /// The part of the sensor that the picture comes from.
  public var crop: CropRectangle?
  /// The size at which the picture is meant to be shown, where the listing names it beside the coded one.
  public var presentationDimensions: VideoDimensions?

  public init(
    fieldOfView: Double? = nil, isBinned: Bool? = nil, supportsStabilization: Bool? = nil, maximumZoom: Double? = nil,
    upscalingZoom: Double? = nil, crop: CropRectangle? = nil, presentationDimensions: VideoDimensions? = nil
  ) {
    self.fieldOfView = fieldOfView
    self.isBinned = isBinned
    self.supportsStabilization = supportsStabilization
    self.maximumZoom = maximumZoom
    self.upscalingZoom = upscalingZoom
    self.crop = crop
    self.presentationDimensions = presentationDimensions
  }

  /// Nothing is known.
  public static let unknown = FormatTraits()
}

/// A part of a sensor, in its pixels (`V4L2_SEL_TGT_CROP`).
public struct CropRectangle: Sendable, Hashable, Encodable {
  public var left: Int
  public var top: Int
  public var width: Int
  public var height: Int

  public init(left: Int, top: Int, width: Int, height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }
}

extension CropRectangle: CustomStringConvertible {
  /// `1280x720+320+180`: size, then distance from the left and the upper edge.
  public var description: String { "\(width)x\(height)+\(left)+\(top)" }

  /// Reads what `description` prints; `nil` for anything else.
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count == 3, let size = VideoDimensions(parsing: parts[0]), let left = Int(digits: parts[1]),
      let top = Int(digits: parts[2])
    else { return nil }
    self.init(left: left, top: top, width: size.width, height: size.height)
  }
}
