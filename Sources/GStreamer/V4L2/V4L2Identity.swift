/// Who a node is and what it is for (`v4l2_capability`).

import CGStreamer

package struct V4L2Identity: Sendable, Hashable {
  /// As `uvcvideo`.
  package let driver: String
  /// The name for people.
  package let card: String
  /// As `usb-0000:00:14.0-3`; the same for all nodes of a camera.
  package let busInfo: String
  /// Of this node alone, where the driver tells it: a camera's metadata node is not for capture.
  package let kinds: Set<V4L2NodeKind>
}

package enum V4L2NodeKind: String, Sendable, Hashable, CaseIterable {
  case videoCapture, videoCaptureMultiPlanar, metadataCapture, metadataOutput, videoOutput, memoryToMemory
  case vbi, radio, softwareRadio, tuner, touch, streaming, readWrite
}

extension V4L2Identity {
  /// The whole device's capabilities count only where the driver does not tell those of the node.
  init(_ capability: v4l2_capability) {
    let isOfNode = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let flags = isOfNode ? capability.device_caps : capability.capabilities
    self.init(
      driver: text(ofBytes: capability.driver), card: text(ofBytes: capability.card),
      busInfo: text(ofBytes: capability.bus_info),
      kinds: Set(V4L2NodeKind.allCases.filter { flags & $0.mask != 0 }))
  }

  /// True for a node that gives pictures.
  package var isCamera: Bool {
    !kinds.isDisjoint(with: [.videoCapture, .videoCaptureMultiPlanar]) && !kinds.contains(.memoryToMemory)
  }
}

extension V4L2NodeKind {
  fileprivate var mask: UInt32 {
    switch self {
    case .videoCapture: UInt32(V4L2_CAP_VIDEO_CAPTURE)
    case .videoCaptureMultiPlanar: UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
    case .metadataCapture: UInt32(V4L2_CAP_META_CAPTURE)
    case .metadataOutput: UInt32(V4L2_CAP_META_OUTPUT)
    case .videoOutput: UInt32(V4L2_CAP_VIDEO_OUTPUT) | UInt32(V4L2_CAP_VIDEO_OUTPUT_MPLANE)
    case .memoryToMemory: UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
    case .vbi: UInt32(V4L2_CAP_VBI_CAPTURE) | UInt32(V4L2_CAP_SLICED_VBI_CAPTURE)
    case .radio: UInt32(V4L2_CAP_RADIO)
    case .softwareRadio: UInt32(V4L2_CAP_SDR_CAPTURE)
    case .tuner: UInt32(V4L2_CAP_TUNER)
    case .touch: UInt32(V4L2_CAP_TOUCH)
    case .streaming: UInt32(V4L2_CAP_STREAMING)
    case .readWrite: UInt32(V4L2_CAP_READWRITE)
    }
  }
}

/// The text in one of C's fixed arrays, which need not end in a zero.
func text<Bytes: BitwiseCopyable>(ofBytes bytes: Bytes) -> String {
  unsafe withUnsafeBytes(of: bytes) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

enum V4L2Code {
  /// Four characters, spaces kept (`Y16 `), and `-BE` behind them where the format is big-endian.
  static func text(_ code: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (code & 0x7fff_ffff) >> ($0 * 8)) }
    return String(decoding: bytes, as: UTF8.self) + (code >> 31 == 1 ? "-BE" : "")
  }

  /// Shorter codes are filled up with spaces, as V4L2 does.
  static func code(_ text: String) -> UInt32? {
    let isBigEndian = text.hasSuffix("-BE")
    let characters = Array((isBigEndian ? String(text.dropLast(3)) : text).utf8)
    guard (1...4).contains(characters.count), characters.allSatisfy({ $0 < 128 }) else { return nil }
    let padded = characters + Array(repeating: UInt8(ascii: " "), count: 4 - characters.count)
    let code = padded.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << ($1.offset * 8) }
    return isBigEndian ? code | 1 << 31 : code
  }
}
