/// Tells whether a picture is the one before it again, byte for byte.

import CGStreamer
import Synchronization

/// Keeps a copy of the last picture, not the picture: a driver's buffer that is held back could not be used, and keeps
/// the device from being closed. The comparison ends at the first byte that differs.
final class PictureComparer: Sendable {
  /// Larger pictures are not compared: copying them would cost more than the answer is worth.
  private static let largest = 8 << 20

  private struct State {
    var last: [UInt8] = []
    var number: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A number that is the same for equal pictures in a row; `nil` for one that is not compared.
  func number(of buffer: UnsafeMutablePointer<GstBuffer>) -> UInt64? {
    let size = unsafe gst_buffer_get_size(buffer)
    guard (1...gsize(PictureComparer.largest)).contains(size) else { return nil }
    return state.withLock { state in
      if state.last.count != Int(size) {
        state.last = [UInt8](repeating: 0, count: Int(size))
      } else if unsafe state.last.withUnsafeBytes({ unsafe gst_buffer_memcmp(buffer, 0, $0.baseAddress, size) }) == 0 {
        return state.number
      }
      unsafe state.last.withUnsafeMutableBytes { unsafe _ = gst_buffer_extract(buffer, 0, $0.baseAddress, size) }
      state.number += 1
      return state.number
    }
  }
}
