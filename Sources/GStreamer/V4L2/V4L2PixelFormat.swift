/// A format as the driver answers it, colour included (`v4l2_pix_format`, `v4l2_pix_format_mplane`).

import CGStreamer

package struct V4L2PixelFormat: Sendable, Hashable {
  package let fourCC: String
  package let width: Int
  package let height: Int
  /// Of all planes together.
  package let sizeImage: Int
  /// Of the first plane; 0 for compressed formats.
  package let bytesPerLine: Int
  package let planes: Int
  package let field: V4L2Field
  package let colorspace: V4L2Colorspace
  package let transfer: V4L2Transfer
  package let encoding: V4L2Encoding
  package let quantization: V4L2Quantization
}

/// `v4l2_field`.
package enum V4L2Field: UInt32, Sendable, Hashable {
  case any = 0
  /// Progressive.
  case none, top, bottom, interlaced, sequentialTB, sequentialBT, alternate, interlacedTB, interlacedBT

  package var isProgressive: Bool { self == .none || self == .any }
}

/// `v4l2_colorspace`.
package enum V4L2Colorspace: UInt32, Sendable, Hashable {
  case `default` = 0
  case smpte170M, smpte240M, rec709, bt878, system470M, system470BG, jpeg, sRGB, opRGB, bt2020, raw, dciP3
}

/// `v4l2_xfer_func`.
package enum V4L2Transfer: UInt32, Sendable, Hashable {
  case `default` = 0
  case bt709, sRGB, opRGB, smpte240M, linear, dciP3, smpte2084
}

/// `v4l2_ycbcr_encoding`.
package enum V4L2Encoding: UInt32, Sendable, Hashable {
  case `default` = 0
  case bt601, bt709, xvYCC601, xvYCC709, sYCC, bt2020, bt2020ConstantLuminance, smpte240M
}

/// `v4l2_quantization`.
package enum V4L2Quantization: UInt32, Sendable, Hashable {
  case `default` = 0
  case full, limited
}

extension V4L2PixelFormat {
  /// A value that this program does not know yet counts as the default, as drivers are told to treat it too.
  init(_ raw: capstan_v4l2_pixel_format) {
    self.init(
      fourCC: V4L2Code.text(raw.fourcc), width: Int(raw.width), height: Int(raw.height),
      sizeImage: Int(raw.size_image), bytesPerLine: Int(raw.bytes_per_line), planes: Int(raw.planes),
      field: V4L2Field(rawValue: raw.field) ?? .any,
      colorspace: V4L2Colorspace(rawValue: raw.colorspace) ?? .default,
      transfer: V4L2Transfer(rawValue: raw.transfer) ?? .default,
      encoding: V4L2Encoding(rawValue: raw.encoding) ?? .default,
      quantization: V4L2Quantization(rawValue: raw.quantization) ?? .default)
  }
}
