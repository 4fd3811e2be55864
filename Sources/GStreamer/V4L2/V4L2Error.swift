/// Why a device node cannot be used, told apart because each wants something else done.

// `stat` is that of the one whose headers are read first.
import CGStreamer
import Glibc

package enum V4L2Error: Error, Sendable, Hashable {
  case missing(path: String)
  /// `group` and `mode` (`0660`) are the node's, where they can be read.
  case permissionDenied(path: String, group: String?, mode: String?)
  case busy(path: String)
  case notCharacterDevice(path: String)
  /// A character device of another kind, as /dev/null.
  case notVideo(path: String)
  /// It was unplugged, or its driver left.
  case gone(path: String)
  /// The bus has no room for the stream (`ENOSPC` from `VIDIOC_STREAMON`).
  case noBandwidth(path: String)
  /// The driver would not take a control's value.
  case controlRefused(path: String, control: String, value: Int64, text: String)
  case other(path: String, call: String, errno: Int32, text: String)

  package var path: String {
    switch self {
    case .missing(let path), .permissionDenied(let path, _, _), .busy(let path), .notCharacterDevice(let path),
      .notVideo(let path), .gone(let path), .noBandwidth(let path), .controlRefused(let path, _, _, _),
      .other(let path, _, _, _):
      path
    }
  }
}

extension V4L2Error: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "There is no device \(path); check that the camera is plugged in."
    case .permissionDenied(let path, let group?, let mode):
      "\(path) may not be opened: it belongs to the group \(group)\(mode.map { " with mode \($0)" } ?? ""); join it "
        + "with: sudo usermod -aG \(group) $USER, then log in again."
    case .permissionDenied(let path, nil, _):
      "\(path) may not be opened: neither it nor its folder lets this user in."
    case .busy(let path): "\(path) is busy: another program is using it."
    case .notCharacterDevice(let path): "\(path) is not a device but another kind of file."
    case .notVideo(let path): "\(path) is a device, but not a video device: it does not answer as V4L2."
    case .gone(let path): "\(path) is gone: the camera was unplugged or its driver left."
    case .noBandwidth(let path): "\(path) cannot stream: its bus has no bandwidth left for this mode."
    case .controlRefused(let path, let control, let value, let text):
      "\(path) does not take \(value) for its control \(control): \(text)."
    case .other(let path, let call, let errno, let text):
      "\(path) failed in \(call): \(text) (errno \(errno))."
    }
  }
}

extension V4L2Error {
  init(path: String, call: String, errno: Int32) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case EACCES, EPERM: self = V4L2Error(denied: path)
    case EBUSY: self = .busy(path: path)
    case ENODEV, ENXIO: self = .gone(path: path)
    default: self = .other(path: path, call: call, errno: errno, text: V4L2Error.text(errno))
    }
  }

  private init(denied path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .permissionDenied(path: path, group: nil, mode: nil)
      return
    }
    let digits = String(status.st_mode & 0o7777, radix: 8)
    let mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    self = .permissionDenied(path: path, group: V4L2Error.groupName(status.st_gid), mode: mode)
  }

  /// `getgrgid_r`; the number where the group has no name.
  private static func groupName(_ id: gid_t) -> String {
    var entry = unsafe group()
    var buffer = [CChar](repeating: 0, count: 16384)
    return unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      var found: UnsafeMutablePointer<group>?
      guard unsafe getgrgid_r(id, &entry, bytes.baseAddress!, bytes.count, &found) == 0, unsafe found != nil else {
        return "\(id)"
      }
      return unsafe copied(entry.gr_name) ?? "\(id)"
    }
  }

  /// `strerror_r`.
  static func text(_ errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    return unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe strerror_r(errno, bytes.baseAddress!, bytes.count)
      return unsafe copied(bytes.baseAddress) ?? "error \(errno)"
    }
  }
}
