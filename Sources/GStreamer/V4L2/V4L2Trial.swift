/// Starts a stream for a moment, to learn why it cannot be started.

import CGStreamer
import Glibc
package import MediaFormats

extension V4L2Node {
  /// The first call that the driver refuses on the way to a stream of this mode (`VIDIOC_S_FMT`, `VIDIOC_REQBUFS`,
  /// `VIDIOC_QBUF`, `VIDIOC_STREAMON`); `nil` where all of them succeed. Nobody else may be streaming.
  package func streamingObstacle(_ fourCC: FourCC, _ dimensions: VideoDimensions) -> V4L2Error? {
    guard let code = V4L2Code.code(fourCC.description) else { return nil }
    var call: UnsafePointer<CChar>?
    let outcome = unsafe capstan_v4l2_try_streaming(
      descriptor, captureType, code, UInt32(clamping: dimensions.width), UInt32(clamping: dimensions.height), &call)
    guard outcome != 0 else { return nil }
    if outcome == ENOSPC { return .noBandwidth(path: path) }
    return V4L2Error(path: path, call: unsafe copied(call) ?? "", errno: outcome)
  }
}
