/// What an `mp4v` entry holds, by its `esds` box (ISO/IEC 14496-1, ES_Descriptor): MPEG-4, but JPEG and MPEG-2 too.

struct ElementaryStreamDescriptor {
  /// `objectTypeIndication`; `nil` where it cannot be found.
  private(set) var objectType: UInt64?

  init(_ box: [UInt8]) {
    // Version and flags of the box.
    var reader = NumberReader(box, at: 4)
    guard ElementaryStreamDescriptor.open(&reader) == 3 else { return }
    reader.skip(2)
    let flags = reader.number(1)
    if flags & 0x80 != 0 { reader.skip(2) }
    if flags & 0x40 != 0 { reader.skip(Int(reader.number(1))) }
    if flags & 0x20 != 0 { reader.skip(2) }
    guard ElementaryStreamDescriptor.open(&reader) == 4 else { return }
    objectType = reader.number(1)
  }

  /// - Returns: the descriptor's tag; its length, up to four bytes of seven bits, is passed over.
  private static func open(_ reader: inout NumberReader) -> UInt64 {
    let tag = reader.number(1)
    for _ in 0..<4 where reader.number(1) & 0x80 == 0 { return tag }
    return tag
  }

  /// As presets name codecs.
  var codec: String {
    switch objectType ?? 0 {
    case 0x6C: "mjpeg"
    case 0x60...0x65: "mpeg2"
    case 0x6A: "mpeg1"
    default: "mpeg4"
    }
  }
}
