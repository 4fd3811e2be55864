/// Whether a JPEG picture is there to its end.

import CGStreamer

enum JPEGEnd {
  /// Looks for the end-of-image marker, FF D9, from behind: cameras may add bytes after it, and a picture that was cut
  /// off has none, because coded data never contains it (ITU-T T.81, B.1.1.5). Of a whole picture only the last bytes
  /// are read.
  static func isThere(in buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return false }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    let bytes = unsafe UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
    var place = bytes.count - 2
    while place >= 2 {
      if unsafe bytes[place] == 0xFF, unsafe bytes[place + 1] == 0xD9 { return true }
      place -= 1
    }
    return false
  }
}
