/// Reads the index of an MP4 or QuickTime file, ordinary or in fragments (ISO/IEC 14496-12, QuickTime File Format).

import MediaFormats

struct ISOMediaReader {
  private let bytes: FileBytes
  private let top: [Box]

  /// A file of boxes begins with one of these.
  static func recognizes(_ bytes: FileBytes) -> Bool {
    guard let first = bytes.box(at: 0, within: bytes.size) else { return false }
    return ["ftyp", "moov", "mdat", "wide", "free", "skip", "styp", "pnot"].contains(first.kind)
  }

  init(_ bytes: FileBytes) {
    self.bytes = bytes
    top = bytes.boxes(from: 0, to: bytes.size)
  }

  func file() throws(InspectionError) -> MediaFile {
    guard let movie = top.first(where: { $0.kind == "moov" }), !movie.isTruncated else {
      throw .noVideo("the file has no index (moov): the recording was cut off before it was written")
    }
    for track in bytes.children(of: movie) where track.kind == "trak" {
      if let file = read(track, movie) { return file }
    }
    throw .noRecording("the file has no track of pictures")
  }

  private func read(_ track: Box, _ movie: Box) -> MediaFile? {
    guard let media = bytes.descendant(of: track, "mdia"),
      let handler = bytes.descendant(of: media, "hdlr"),
      bytes.read(at: handler.start + 8, count: 4) == Array("vide".utf8),
      let table = bytes.descendant(of: media, "minf", "stbl"),
      let entry = bytes.descendant(of: table, "stsd").flatMap({ bytes.children(of: $0, skipping: 8).first })
    else { return nil }
    let (trackClock, movieClock) = (
      clock(bytes.descendant(of: media, "mdhd")), clock(bytes.descendant(of: movie, "mvhd"))
    )
    var frames = SampleTable(bytes, table).frames()
    let fragments = top.filter { $0.kind == "moof" && !$0.isTruncated }
    if !fragments.isEmpty {
      let end = frames.last.map { $0.time &+ ($0.duration ?? 0) } ?? 0
      let reader = FragmentReader(bytes, movie: movie, trackID: header(track).id)
      frames += reader.frames(in: fragments, from: end)
    }
    let parts = bytes.children(of: entry, skipping: 78)
    let color = parts.first { $0.kind == "colr" }
    let size = NumberReader(bytes.contents(of: entry), at: 24)
    return MediaFile(
      container: container, codec: codec(entry.kind, parts), dimensions: ISOMediaReader.dimensions(size),
      color: color.map(readColor) ?? CodedColor(), colorBox: color.map(colorBox),
      configuration: parts.first { ["avcC", "hvcC", "av1C", "vpcC"].contains($0.kind) }.map { bytes.contents(of: $0) },
      frames: frames, timescale: trackClock.timescale,
      edits: edits(track, movieScale: movieClock.timescale, mediaScale: trackClock.timescale),
      movieDuration: movieClock.duration, trackDuration: trackClock.duration,
      othersEnd: others(than: track, in: movie).map { header($0).duration / movieClock.timescale }.max() ?? 0,
      layout: layout(movie, frames))
  }

  /// `mvhd` and `mdhd` begin alike.
  private func clock(_ box: Box?) -> (timescale: Double, duration: Double?) {
    guard let box else { return (1, nil) }
    var reader = NumberReader(bytes.contents(of: box))
    let isLong = reader.number(4) >> 24 == 1
    reader.skip(isLong ? 16 : 8)
    let scale = Double(max(1, reader.number(4)))
    return (scale, Double(reader.number(isLong ? 8 : 4)) / scale)
  }

  /// The duration is in the movie's units, edits included.
  private func header(_ track: Box) -> (id: UInt64, duration: Double) {
    guard let header = bytes.descendant(of: track, "tkhd") else { return (0, 0) }
    var reader = NumberReader(bytes.contents(of: header))
    let isLong = reader.number(4) >> 24 == 1
    reader.skip(isLong ? 16 : 8)
    let id = reader.number(4)
    reader.skip(4)
    return (id, Double(reader.number(isLong ? 8 : 4)))
  }

  private func others(than track: Box, in movie: Box) -> [Box] {
    bytes.children(of: movie).filter { $0.kind == "trak" && $0 != track }
  }

  private func edits(_ track: Box, movieScale: Double, mediaScale: Double) -> [MediaFile.Edit] {
    guard let list = bytes.descendant(of: track, "edts", "elst") else { return [] }
    var reader = NumberReader(bytes.contents(of: list))
    let width = reader.number(4) >> 24 == 1 ? 8 : 4
    return (0..<min(reader.number(4), 10_000)).map { _ in
      let duration = Double(reader.number(width)) / movieScale
      let start = width == 8 ? Int64(bitPattern: reader.number(8)) : reader.signed32()
      reader.skip(4)
      return MediaFile.Edit(duration: duration, start: start < 0 ? nil : Double(start) / mediaScale)
    }
  }

  private func colorBox(_ box: Box) -> MediaFile.ColorBox {
    let kind = String(decoding: bytes.read(at: box.start, count: 4), as: UTF8.self)
    return MediaFile.ColorBox(kind: kind, size: Int(clamping: box.size))
  }

  /// `nclx` has the range in its 19th byte; QuickTime's `nclc` has none.
  private func readColor(_ box: Box) -> CodedColor {
    let contents = bytes.contents(of: box)
    let kind = String(decoding: contents.prefix(4), as: UTF8.self)
    guard ["nclx", "nclc"].contains(kind), contents.count >= 10 else { return CodedColor() }
    var reader = NumberReader(contents, at: 4)
    let (primaries, transfer, matrix) = (Int(reader.number(2)), Int(reader.number(2)), Int(reader.number(2)))
    let range: ColorRange? = kind == "nclx" && contents.count > 10 ? contents[10] & 0x80 != 0 ? .full : .limited : nil
    return CodedColor(range: range, matrix: matrix, transfer: transfer, primaries: primaries)
  }

  private var container: MediaFile.Container {
    guard let type = top.first(where: { $0.kind == "ftyp" }) else { return .mov }
    return bytes.read(at: type.start, count: 4) == Array("qt  ".utf8) ? .mov : .mp4
  }

  private func layout(_ movie: Box, _ frames: [MediaFile.Frame]) -> MediaFile.Layout {
    var parts: [String] = []
    for box in top where parts.last != box.kind { parts.append(box.kind) }
    let data = top.first { $0.kind == "mdat" }
    return MediaFile.Layout(
      parts: parts, isIndexFirst: data.map { movie.offset < $0.offset } ?? true,
      fragments: top.count { $0.kind == "moof" },
      isTruncated: (top.last?.isTruncated ?? false) || frames.contains(where: isBeyondEnd),
      hasFragmentIndex: top.contains { $0.kind == "mfra" },
      otherTracks: max(0, bytes.children(of: movie).count { $0.kind == "trak" } - 1), readEnd: readEnd,
      skippedBytes: top.filter { $0.kind == "moof" && !$0.isTruncated && isDamaged($0) }.reduce(0) { $0 + $1.size })
  }

  /// A length of 0 makes a box last to the end of the file, a wrong one beyond it, and zeros are no kind.
  private var readEnd: UInt64? {
    if let odd = top.first(where: isOdd) { return odd.offset }
    let end = top.last?.end ?? 0
    return end < bytes.size ? end : nil
  }

  private func isOdd(_ box: Box) -> Bool {
    box.isTruncated || bytes.number(at: box.offset, bytes: 4) == 0
      || !box.kind.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// The index of a fragment may be damaged, and lead to the next one nevertheless.
  private func isDamaged(_ fragment: Box) -> Bool {
    let parts = bytes.children(of: fragment)
    return parts.contains(where: isOdd)
      || parts.contains { $0.kind == "traf" && bytes.children(of: $0).contains(where: isOdd) }
  }

  /// The next fragment behind a box that cannot be read: its `moof` begins with an `mfhd`, as chance does not.
  static func fragment(in bytes: FileBytes, from start: UInt64) -> UInt64? {
    var place = start + 8
    while let found = bytes.place(of: Array("moof".utf8), from: place) {
      if bytes.read(at: found + 8, count: 4) == Array("mfhd".utf8) { return found - 4 }
      place = found + 1
    }
    return nil
  }

  /// A box may last to the end of the file, wherever that is.
  private func isBeyondEnd(_ frame: MediaFile.Frame) -> Bool {
    frame.offset > bytes.size || UInt64(frame.size) > bytes.size - frame.offset
  }

  private static func dimensions(_ reader: NumberReader) -> VideoDimensions {
    var reader = reader
    return VideoDimensions(width: Int(reader.number(2)), height: Int(reader.number(2)))
  }

  private func codec(_ entry: String, _ parts: [Box]) -> String {
    if entry == "mp4v", let box = parts.first(where: { $0.kind == "esds" }) {
      return ElementaryStreamDescriptor(bytes.contents(of: box)).codec
    }
    return [
      "avc1": "h264", "avc3": "h264", "hvc1": "h265", "hev1": "h265", "vp08": "vp8", "vp09": "vp9", "av01": "av1",
      "jpeg": "mjpeg", "mp4v": "mpeg4",
    ][entry] ?? entry.trimmingSuffix(" ")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    String(reversed().drop { $0 == character }.reversed())
  }
}
