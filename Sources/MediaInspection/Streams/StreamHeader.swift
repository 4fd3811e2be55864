/// What a video stream says of itself, in its own headers.

public import MediaFormats

public struct StreamHeader: Sendable, Hashable {
  /// As presets and containers name it: `h264`, `h265`, `vp8`, `vp9`, `av1`.
  public var codec: String
  /// In words, as `High` or `Main 10`; `nil` where the codec has none.
  public var profile: String?
  public var chroma: PixelFormat.Chroma
  /// Bits a sample.
  public var depth: Int
  /// After cropping.
  public var dimensions: VideoDimensions
  public var color: CodedColor

  public init(
    codec: String, profile: String?, chroma: PixelFormat.Chroma, depth: Int, dimensions: VideoDimensions,
    color: CodedColor
  ) {
    self.codec = codec
    self.profile = profile
    self.chroma = chroma
    self.depth = depth
    self.dimensions = dimensions
    self.color = color
  }
}
