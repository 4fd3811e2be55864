/// What stands at the head of a pipeline.

import MediaFormats

public enum CaptureSource: Sendable, Hashable {
  /// A V4L2 node, by path.
  case v4l2(path: String)
  /// Any element or row of elements, in gst-launch-1.0's words, as `libcamerasrc camera-name=...`.
  case launch(String)
  /// Frames that the program itself makes.
  case application
}

extension CaptureSource {
  /// The node that has the chosen format: a camera can have several, as one for H.264 alone.
  func following(_ format: DeviceFormat) -> CaptureSource {
    guard case .v4l2 = self, let node = format.node else { return self }
    return .v4l2(path: node)
  }
}
