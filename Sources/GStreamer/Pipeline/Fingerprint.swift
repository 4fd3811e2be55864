/// A number that is equal for equal pictures, cheap enough to be made of every frame of a camera.

import CGStreamer

enum Fingerprint {
  /// Up to this size, in bytes, every byte counts: a coded picture is smaller.
  private static let wholeSize = 256 << 10
  /// Words of eight bytes that are looked at in a larger picture, spread evenly: at most 32 KiB are read.
  private static let wordCount = 4096

  /// Of the length and the bytes; `nil` where the memory cannot be read. Each memory is mapped by itself: mapping the
  /// buffer would copy a picture of several planes.
  static func of(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UInt64? {
    var hash = start
    for index in 0..<(unsafe gst_buffer_n_memory(buffer)) {
      guard let memory = unsafe gst_buffer_peek_memory(buffer, index) else { return nil }
      var map = unsafe GstMapInfo()
      guard unsafe gst_memory_map(memory, &map, GST_MAP_READ) != 0 else { return nil }
      unsafe hash = of(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)), continuing: hash)
      unsafe gst_memory_unmap(memory, &map)
    }
    return hash
  }

  /// FNV-1a over words of eight bytes.
  static func of(_ bytes: UnsafeRawBufferPointer, continuing hash: UInt64 = start) -> UInt64 {
    var hash = mixed(hash, UInt64(bytes.count))
    guard bytes.count >= 8, let first = bytes.baseAddress else {
      for place in 0..<bytes.count { hash = mixed(hash, UInt64(unsafe bytes[place])) }
      return hash
    }
    let last = bytes.count - 8
    // Odd, so that the places wander over the lines of the picture.
    let stride = bytes.count <= wholeSize ? 8 : max(8, last / wordCount) | 1
    var place = 0
    while place < last {
      hash = mixed(hash, unsafe first.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += stride
    }
    return mixed(hash, unsafe first.loadUnaligned(fromByteOffset: last, as: UInt64.self))
  }

  private static let start: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 { (hash ^ word) &* 0x0000_0100_0000_01b3 }
}
