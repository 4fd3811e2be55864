/// A device node of Video4Linux, opened: who it is, what it can give, and its controls.

import CGStreamer
import Glibc
package import MediaFormats

package final class V4L2Node: Sendable {
  package let path: String
  let descriptor: CInt

  /// Opens the node (`open`) and makes sure that it answers as V4L2 (`VIDIOC_QUERYCAP`).
  package convenience init(path: String) throws(V4L2Error) {
    try V4L2Node.checkKind(of: path)
    let opened = unsafe capstan_v4l2_open(path)
    guard opened >= 0 else { throw V4L2Error(path: path, call: "open", errno: -opened) }
    try self.init(path: path, owning: opened)
  }

  /// A node that someone else has open already, by a descriptor of our own on it (`F_DUPFD_CLOEXEC`): the device is not
  /// opened a second time.
  package convenience init(path: String, sharing descriptor: Int) throws(V4L2Error) {
    let copy = capstan_v4l2_duplicate(CInt(clamping: descriptor))
    guard copy >= 0 else { throw V4L2Error(path: path, call: "fcntl", errno: -copy) }
    try self.init(path: path, owning: copy)
  }

  private init(path: String, owning descriptor: CInt) throws(V4L2Error) {
    self.path = path
    self.descriptor = descriptor
    var capability = v4l2_capability()
    switch unsafe capstan_v4l2_capability(descriptor, &capability) {
    case 0: break
    case ENOTTY, EINVAL, EOPNOTSUPP: throw .notVideo(path: path)
    case let errno: throw V4L2Error(path: path, call: "VIDIOC_QUERYCAP", errno: errno)
    }
  }

  deinit { close(descriptor) }

  /// Driver, card and kind (`VIDIOC_QUERYCAP`).
  package var identity: V4L2Identity {
    get throws(V4L2Error) {
      var capability = v4l2_capability()
      try check("VIDIOC_QUERYCAP", unsafe capstan_v4l2_capability(descriptor, &capability))
      return V4L2Identity(capability)
    }
  }

  /// The format that is set now (`VIDIOC_G_FMT`).
  package var currentFormat: V4L2PixelFormat {
    get throws(V4L2Error) {
      var format = capstan_v4l2_pixel_format()
      try check("VIDIOC_G_FMT", unsafe capstan_v4l2_get_format(descriptor, captureType, &format))
      return V4L2PixelFormat(format)
    }
  }

  /// The rate that is set now (`VIDIOC_G_PARM`); `nil` where the driver keeps none.
  package var currentRate: Fraction? {
    var interval = v4l2_fract()
    guard unsafe capstan_v4l2_get_interval(descriptor, captureType, &interval) == 0 else { return nil }
    return Fraction(rateOf: interval)
  }

  /// What the driver would make of a format, without setting it (`VIDIOC_TRY_FMT`). It may answer another one.
  package func tryFormat(_ fourCC: String, width: Int, height: Int) throws(V4L2Error) -> V4L2PixelFormat {
    guard let code = V4L2Code.code(fourCC) else {
      throw .other(path: path, call: "VIDIOC_TRY_FMT", errno: EINVAL, text: "\"\(fourCC)\" is no four-character code")
    }
    var format = capstan_v4l2_pixel_format()
    let (width, height) = (UInt32(clamping: width), UInt32(clamping: height))
    let outcome = unsafe capstan_v4l2_try_format(descriptor, captureType, code, width, height, &format)
    try check("VIDIOC_TRY_FMT", outcome)
    return V4L2PixelFormat(format)
  }

  /// A rectangle of the sensor (`VIDIOC_G_SELECTION`); `nil` where the driver knows none.
  package func selection(_ target: V4L2SelectionTarget) -> V4L2Rectangle? {
    var rectangle = v4l2_rect()
    guard unsafe capstan_v4l2_get_selection(descriptor, target.raw, &rectangle) == 0 else { return nil }
    return V4L2Rectangle(
      left: Int(rectangle.left), top: Int(rectangle.top), width: Int(rectangle.width), height: Int(rectangle.height))
  }

  /// The buffer type that the calls about formats want: a node has one plane a frame or several.
  var captureType: UInt32 {
    (try? identity)?.kinds.contains(.videoCaptureMultiPlanar) == true
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }

  func check(_ call: String, _ errno: CInt) throws(V4L2Error) {
    guard errno == 0 else { throw V4L2Error(path: path, call: call, errno: errno) }
  }

  /// Before `open`, which could wait for a writer on a pipe.
  private static func checkKind(of path: String) throws(V4L2Error) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw V4L2Error(path: path, call: "stat", errno: errno) }
    guard status.st_mode & S_IFMT == S_IFCHR else { throw .notCharacterDevice(path: path) }
  }
}

package enum V4L2SelectionTarget: Sendable, Hashable, CaseIterable {
  case crop, cropDefault, cropBounds, nativeSize

  var raw: UInt32 {
    switch self {
    case .crop: UInt32(V4L2_SEL_TGT_CROP)
    case .cropDefault: UInt32(V4L2_SEL_TGT_CROP_DEFAULT)
    case .cropBounds: UInt32(V4L2_SEL_TGT_CROP_BOUNDS)
    case .nativeSize: UInt32(V4L2_SEL_TGT_NATIVE_SIZE)
    }
  }
}

package struct V4L2Rectangle: Sendable, Hashable {
  package let left: Int
  package let top: Int
  package let width: Int
  package let height: Int
}

extension Fraction {
  /// The rate of an interval is its reciprocal; `nil` for an interval that is no time.
  init?(rateOf interval: v4l2_fract) {
    guard interval.numerator != 0, interval.denominator != 0 else { return nil }
    self.init(checking: Int(interval.denominator), over: Int(interval.numerator))
  }
}
