/// What a camera's samples mean, all four fields: what the user knows, then the driver, then the format's own standard.

import MediaFormats

/// JPEG is full range BT.601 (ITU-T T.871). The USB video class 1.5 gives BT.709 primaries and transfer and the matrix
/// of BT.601 as its defaults, and so the kernel's driver words them as sRGB. The sRGB curve is written as BT.709's: both
/// describe the same camera, and mpv shifts the tones of the first.
struct SourceColor: Sendable, Hashable {
  private(set) var color: Colorimetry
  /// What had to be decided, in words.
  private(set) var assumptions: [String] = []

  init(_ mode: CaptureMode, override: Colorimetry = .unknown) {
    let isJPEG = mode.format.payload == .jpeg
    let isRGB = SourceColor.isRGB(mode)
    var declared = override.completed(by: isJPEG ? Colorimetry() : mode.format.colorimetry)
    // With the matrix of RGB, caps of YUV are read as limited BT.601 throughout.
    if declared.matrix == .rgb, !isRGB {
      declared.matrix = nil
      assumptions.append("the camera does not send RGB, so that its matrix cannot be RGB's")
    }
    color = declared.completed(by: SourceColor.standard(mode))
    if isRGB { color.matrix = .rgb }
    writeInKnownCodes(declared)
    if override != .unknown { assumptions.append("the camera's colour is what was said of it: \(override)") }
    if isJPEG {
      if override.range == nil || override.matrix == nil {
        assumptions.append("JPEG is full range BT.601 by its standard, whatever the driver says")
      }
    } else {
      assume(declared, isRGB: isRGB)
    }
  }

  private static func isRGB(_ mode: CaptureMode) -> Bool {
    if case .raw(let format) = mode.format.payload { format.chroma == .rgb } else { false }
  }

  private static func standard(_ mode: CaptureMode) -> Colorimetry {
    Colorimetry(range: mode.format.range, matrix: .bt601, transfer: .bt709, primaries: .bt709)
  }

  /// Curves and colours that ISO/IEC 23091-2 has no code for, and the one that players read in two ways.
  private mutating func writeInKnownCodes(_ declared: Colorimetry) {
    if declared.transfer == .srgb { color.transfer = .bt709 }
    if let transfer = declared.transfer, transfer.codePoint == ColorTransfer.unspecified {
      color.transfer = .bt709
      assumptions.append("no stream can say the camera's curve (\(transfer)); BT.709's is written")
    }
    if let primaries = declared.primaries, primaries.codePoint == ColorPrimaries.unspecified {
      color.primaries = .bt709
      assumptions.append("no stream can say the camera's primaries (\(primaries)); BT.709's are written")
    }
  }

  private mutating func assume(_ declared: Colorimetry, isRGB: Bool) {
    let assumed = [
      declared.range == nil ? "\(color.range?.name ?? "") range" : nil,
      declared.matrix == nil && !isRGB ? "BT.601 matrix" : nil,
      declared.transfer == nil ? "BT.709 transfer" : nil,
      declared.primaries == nil ? "BT.709 primaries" : nil,
    ].compactMap { $0 }
    if !assumed.isEmpty {
      assumptions.append("the driver does not say it: \(assumed.joined(separator: ", ")) assumed")
    }
  }
}
