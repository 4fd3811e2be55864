/// The formats a node lists: codes, sizes and rates (`VIDIOC_ENUM_FMT`, `VIDIOC_ENUM_FRAMESIZES`,
/// `VIDIOC_ENUM_FRAMEINTERVALS`).

import CGStreamer
import Glibc
package import MediaFormats

package struct V4L2Format: Sendable, Hashable {
  /// As `MJPG`; four characters, and `-BE` behind them for big-endian ones.
  package let fourCC: String
  package let description: String
  package let isCompressed: Bool
  /// Converted by libv4l, not by the camera.
  package let isEmulated: Bool
  package let sizes: [V4L2Size]
}

package struct V4L2Size: Sendable, Hashable {
  package let extent: V4L2Extent
  /// In the driver's order; where there is a range of sizes, those of the largest that has any.
  package let rates: [V4L2Rate]
}

package enum V4L2Extent: Sendable, Hashable {
  case discrete(width: Int, height: Int)
  /// Inclusive on both ends; a step of 1 is any size.
  case stepwise(minWidth: Int, maxWidth: Int, stepWidth: Int, minHeight: Int, maxHeight: Int, stepHeight: Int)
}

package enum V4L2Rate: Sendable, Hashable {
  case discrete(Fraction)
  /// Inclusive on both ends. `stepInterval`, in seconds, is the step of the frame's duration, `nil` for any.
  case range(min: Fraction, max: Fraction, stepInterval: Fraction?)
}

extension V4L2Node {
  /// A driver that never says "no more" is not asked more often than this.
  private static let limit: UInt32 = 256

  /// All of them, each once, in the driver's order.
  package func formats() throws(V4L2Error) -> [V4L2Format] {
    let type = captureType
    var formats: [V4L2Format] = []
    for index in 0..<V4L2Node.limit {
      var raw = capstan_v4l2_format_description()
      let outcome = unsafe capstan_v4l2_enumerate_format(descriptor, type, index, &raw)
      guard try goesOn("VIDIOC_ENUM_FMT", outcome) else { break }
      let code = V4L2Code.text(raw.fourcc)
      if formats.contains(where: { $0.fourCC == code }) { continue }
      formats.append(
        V4L2Format(
          fourCC: code, description: text(ofBytes: raw.description),
          isCompressed: raw.flags & UInt32(V4L2_FMT_FLAG_COMPRESSED) != 0,
          isEmulated: raw.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0, sizes: try sizes(of: raw.fourcc)))
    }
    return formats
  }

  /// The codes alone, as `MJPG`, each once: what a look at a node can afford.
  package func codes() throws(V4L2Error) -> [String] {
    var codes: [String] = []
    for index in 0..<V4L2Node.limit {
      var raw = capstan_v4l2_format_description()
      let outcome = unsafe capstan_v4l2_enumerate_format(descriptor, captureType, index, &raw)
      guard try goesOn("VIDIOC_ENUM_FMT", outcome) else { break }
      let code = V4L2Code.text(raw.fourcc)
      if !codes.contains(code) { codes.append(code) }
    }
    return codes
  }

  /// Rates at one size: what a range of sizes gives at any of them.
  package func rates(_ fourCC: String, width: Int, height: Int) throws(V4L2Error) -> [V4L2Rate] {
    guard let code = V4L2Code.code(fourCC) else { return [] }
    return try rates(of: code, UInt32(clamping: width), UInt32(clamping: height))
  }

  private func sizes(of code: UInt32) throws(V4L2Error) -> [V4L2Size] {
    var sizes: [V4L2Size] = []
    for index in 0..<V4L2Node.limit {
      var raw = capstan_v4l2_size()
      let outcome = unsafe capstan_v4l2_enumerate_size(descriptor, code, index, &raw)
      guard try goesOn("VIDIOC_ENUM_FRAMESIZES", outcome) else { break }
      let extent = V4L2Extent(raw)
      if sizes.contains(where: { $0.extent == extent }) { continue }
      var rates = try rates(of: code, raw.max_width, raw.max_height)
      if rates.isEmpty { rates = try self.rates(of: code, raw.min_width, raw.min_height) }
      sizes.append(V4L2Size(extent: extent, rates: rates))
      if case .stepwise = extent { break }  // There is one range at most, and some drivers repeat it for ever.
    }
    return sizes
  }

  private func rates(of code: UInt32, _ width: UInt32, _ height: UInt32) throws(V4L2Error) -> [V4L2Rate] {
    var rates: [V4L2Rate] = []
    for index in 0..<V4L2Node.limit {
      var raw = capstan_v4l2_interval()
      let outcome = unsafe capstan_v4l2_enumerate_interval(descriptor, code, width, height, index, &raw)
      guard try goesOn("VIDIOC_ENUM_FRAMEINTERVALS", outcome) else { break }
      guard let rate = V4L2Rate(raw) else { continue }
      if !rates.contains(rate) { rates.append(rate) }
      if case .range = rate { break }
    }
    return rates
  }

  /// EINVAL is the list's end, ENOTTY and ENODATA that there is none; a device that left is an error.
  private func goesOn(_ call: String, _ outcome: CInt) throws(V4L2Error) -> Bool {
    switch outcome {
    case 0: return true
    case ENODEV, EACCES, EIO: throw V4L2Error(path: path, call: call, errno: outcome)
    default: return false
    }
  }
}

extension V4L2Extent {
  init(_ raw: capstan_v4l2_size) {
    let (minWidth, minHeight) = (Int(raw.min_width), Int(raw.min_height))
    guard raw.kind != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
      self = .discrete(width: minWidth, height: minHeight)
      return
    }
    self = .stepwise(
      minWidth: minWidth, maxWidth: Int(raw.max_width), stepWidth: max(1, Int(raw.step_width)),
      minHeight: minHeight, maxHeight: Int(raw.max_height), stepHeight: max(1, Int(raw.step_height)))
  }
}

extension V4L2Rate {
  /// The shortest interval is the highest rate. `nil` for an interval of no time.
  init?(_ raw: capstan_v4l2_interval) {
    guard let fastest = Fraction(rateOf: raw.min), let slowest = Fraction(rateOf: raw.max) else { return nil }
    guard raw.kind != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
      self = .discrete(fastest)
      return
    }
    let step =
      raw.kind == V4L2_FRMIVAL_TYPE_STEPWISE.rawValue
      ? Fraction(checking: Int(raw.step.numerator), over: Int(raw.step.denominator)) : nil
    self = .range(min: min(slowest, fastest), max: max(slowest, fastest), stepInterval: step)
  }
}
