/// What a driver's four colour fields mean, in the words of caps.

package import MediaFormats

extension V4L2PixelFormat {
  /// As v4l2src of GStreamer 1.22 will word it in its caps: "default" is resolved by the colour space, as the Linux
  /// media documentation says (`V4L2_MAP_QUANTIZATION_DEFAULT` and its like). A driver that names no colour space says
  /// nothing, and what it does not say is unknown here.
  package func colorimetry(isRGB: Bool) -> Colorimetry {
    let isSaid = colorspace != .default && colorspace != .raw
    return Colorimetry(
      range: range(isRGB: isRGB, isSaid: isSaid), matrix: isRGB ? .rgb : matrix(isSaid: isSaid),
      transfer: curve(isSaid: isSaid), primaries: primaries)
  }

  private func range(isRGB: Bool, isSaid: Bool) -> ColorRange? {
    switch quantization {
    case .full: .full
    case .limited: .limited
    case .default: isSaid ? (isRGB || colorspace == .jpeg ? .full : .limited) : nil
    }
  }

  private func matrix(isSaid: Bool) -> ColorMatrix? {
    switch encoding {
    case .bt601, .xvYCC601, .sYCC: .bt601
    case .bt709, .xvYCC709: .bt709
    case .bt2020, .bt2020ConstantLuminance: .bt2020
    case .smpte240M: .smpte240m
    case .default:
      switch colorspace {
      case .rec709, .dciP3: .bt709
      case .bt2020: .bt2020
      case .smpte240M: .smpte240m
      default: isSaid ? .bt601 : nil
      }
    }
  }

  private func curve(isSaid: Bool) -> ColorTransfer? {
    switch transfer {
    case .bt709: .bt709
    case .sRGB: .srgb
    case .opRGB: .adobeRGB
    case .smpte240M: .smpte240m
    case .linear: .gamma10
    case .smpte2084: .smpte2084
    case .dciP3: nil
    case .default:
      switch colorspace {
      case .sRGB, .jpeg: .srgb
      case .opRGB: .adobeRGB
      case .smpte240M: .smpte240m
      case .bt2020: .bt2020with12bit
      case .smpte170M: .bt601
      default: isSaid ? .bt709 : nil
      }
    }
  }

  private var primaries: ColorPrimaries? {
    switch colorspace {
    case .rec709, .sRGB, .jpeg: .bt709
    case .smpte170M: .smpte170m
    case .smpte240M: .smpte240m
    case .system470M: .bt470m
    case .system470BG: .bt470bg
    case .opRGB: .adobeRGB
    case .bt2020: .bt2020
    case .dciP3: .smpte431
    case .default, .raw, .bt878: nil
    }
  }
}
