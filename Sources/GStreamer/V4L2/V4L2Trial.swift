/// Sets a mode and reads it back, and starts a stream for a moment, to learn what a driver makes of what it lists.

import CGStreamer
import Glibc
package import MediaFormats

extension V4L2Node {
  /// Sets a format (`VIDIOC_S_FMT`). Drivers adjust rather than refuse: the answer is what they set.
  package func setFormat(_ fourCC: FourCC, _ dimensions: VideoDimensions) throws(V4L2Error) -> V4L2PixelFormat {
    guard let code = V4L2Code.code(fourCC.description) else {
      throw .other(path: path, call: "VIDIOC_S_FMT", errno: EINVAL, text: "\"\(fourCC)\" is no four-character code")
    }
    var format = capstan_v4l2_pixel_format()
    let (width, height) = (UInt32(clamping: dimensions.width), UInt32(clamping: dimensions.height))
    try check(
      "VIDIOC_S_FMT", unsafe capstan_v4l2_set_format(descriptor, captureType, code, width, height, &format))
    return V4L2PixelFormat(format)
  }

  /// Sets a rate (`VIDIOC_S_PARM`) and reads it back (`VIDIOC_G_PARM`); `nil` where the driver keeps none.
  package func setRate(_ rate: Fraction) throws(V4L2Error) -> Fraction? {
    let outcome = capstan_v4l2_set_interval(
      descriptor, captureType, UInt32(clamping: rate.denominator), UInt32(clamping: rate.numerator))
    switch outcome {
    case 0: return currentRate
    case ENOTTY, EINVAL, ENOTSUP: return nil
    default: throw V4L2Error(path: path, call: "VIDIOC_S_PARM", errno: outcome)
    }
  }

  /// Fails where another program is streaming, and changes nothing: sets the format that is set (`VIDIOC_S_FMT`).
  package func checkIsFree() throws(V4L2Error) {
    let format = try currentFormat
    do {
      _ = try setFormat(FourCC(format.fourCC), VideoDimensions(width: format.width, height: format.height))
    } catch .other {
      // A driver that refuses its own format has been asked too much; the trial will tell.
    }
  }

  /// Starts a stream of the format that is set, and stops it at once (`VIDIOC_REQBUFS`, `VIDIOC_QBUF`,
  /// `VIDIOC_STREAMON`).
  /// - Throws: what the first of these calls that failed says.
  package func tryStreaming() throws(V4L2Error) {
    let planes = (try? currentFormat)?.planes ?? 1
    var call: UnsafePointer<CChar>?
    let outcome = unsafe capstan_v4l2_try_streaming(descriptor, captureType, UInt32(clamping: planes), &call)
    guard outcome != 0 else { return }
    if outcome == ENOSPC { throw .noBandwidth(path: path) }
    throw V4L2Error(path: path, call: unsafe copied(call) ?? "", errno: outcome)
  }

  /// The first call that the driver refuses on the way to a stream of this mode; `nil` where all of them succeed.
  /// Nobody else may be streaming.
  package func streamingObstacle(_ fourCC: FourCC, _ dimensions: VideoDimensions) -> V4L2Error? {
    do {
      _ = try setFormat(fourCC, dimensions)
      try tryStreaming()
      return nil
    } catch {
      return error
    }
  }
}
