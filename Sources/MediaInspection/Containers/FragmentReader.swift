/// The frames of a track in movie fragments (ISO/IEC 14496-12, 8.8).

struct FragmentReader {
  private let bytes: FileBytes
  private let trackID: UInt64
  /// Of the track, where a fragment does not say its own (`trex`).
  private var defaults = Defaults()

  private struct Defaults {
    var duration: Int64 = 0
    var size = 0
    var flags: UInt64 = 0
  }

  init(_ bytes: FileBytes, movie: Box, trackID: UInt64) {
    self.bytes = bytes
    self.trackID = trackID
    guard let extends = bytes.descendant(of: movie, "mvex") else { return }
    for box in bytes.children(of: extends) where box.kind == "trex" {
      var reader = NumberReader(bytes.contents(of: box), at: 4)
      guard reader.number(4) == trackID else { continue }
      reader.skip(4)
      defaults = Defaults(duration: Int64(reader.number(4)), size: Int(reader.number(4)), flags: reader.number(4))
    }
  }

  /// - Parameter start: where the track stands after the frames of its own index.
  func frames(in fragments: [Box], from start: Int64) -> [MediaFile.Frame] {
    var (frames, now): ([MediaFile.Frame], Int64) = ([], start)
    for fragment in fragments {
      for track in bytes.children(of: fragment) where track.kind == "traf" {
        read(track, of: fragment, &frames, &now)
      }
    }
    return frames
  }

  private func read(_ track: Box, of fragment: Box, _ frames: inout [MediaFile.Frame], _ now: inout Int64) {
    let parts = bytes.children(of: track)
    guard let header = parts.first(where: { $0.kind == "tfhd" }) else { return }
    var reader = NumberReader(bytes.contents(of: header))
    let flags = reader.number(4) & 0xFF_FFFF
    guard reader.number(4) == trackID else { return }
    let base = flags & 0x1 != 0 ? reader.number(8) : fragment.offset
    if flags & 0x2 != 0 { reader.skip(4) }
    var defaults = defaults
    if flags & 0x8 != 0 { defaults.duration = Int64(reader.number(4)) }
    if flags & 0x10 != 0 { defaults.size = Int(reader.number(4)) }
    if flags & 0x20 != 0 { defaults.flags = reader.number(4) }
    if let time = parts.first(where: { $0.kind == "tfdt" }) {
      var reader = NumberReader(bytes.contents(of: time))
      let isLong = reader.number(4) >> 24 == 1
      now = Int64(clamping: reader.number(isLong ? 8 : 4))
    }
    var place = base
    for run in parts where run.kind == "trun" { readRun(run, defaults, base: base, &place, &frames, &now) }
  }

  private func readRun(
    _ run: Box, _ defaults: Defaults, base: UInt64, _ place: inout UInt64, _ frames: inout [MediaFile.Frame],
    _ now: inout Int64
  ) {
    let contents = bytes.contents(of: run, most: 1 << 28)
    var reader = NumberReader(contents)
    let head = reader.number(4)
    let (flags, version) = (head & 0xFF_FFFF, head >> 24)
    let count = Int(reader.number(4))
    if flags & 0x1 != 0 { place = UInt64(clamping: Int64(clamping: base) &+ reader.signed32()) }
    let first = flags & 0x4 != 0 ? reader.number(4) : nil
    for number in 0..<count {
      // Where nothing is said of each frame the loop would cost nothing to make endless.
      if flags & 0xF00 != 0, reader.isAtEnd { return }
      if flags & 0xF00 == 0, number > 1_000_000 { return }
      let duration = flags & 0x100 != 0 ? Int64(reader.number(4)) : defaults.duration
      let size = flags & 0x200 != 0 ? Int(reader.number(4)) : defaults.size
      var mark = flags & 0x400 != 0 ? reader.number(4) : defaults.flags
      if number == 0, let first { mark = first }
      let shift = flags & 0x800 != 0 ? version == 0 ? Int64(reader.number(4)) : reader.signed32() : 0
      // sample_is_non_sync_sample
      frames.append(
        MediaFile.Frame(
          time: now &+ shift, duration: duration, isKey: mark & 0x1_0000 == 0, offset: place, size: size))
      now &+= duration
      place = place &+ UInt64(size)
    }
  }
}
