/// What stands at the head of a pipeline.

public enum CaptureSource: Sendable, Hashable {
  /// A V4L2 node, by path.
  case v4l2(path: String)
  /// Any element or row of elements, in gst-launch-1.0's words, as `libcamerasrc camera-name=...`.
  case launch(String)
  /// Frames that the program itself makes.
  case application
}
