/// Reads the index of a Matroska or WebM file (RFC 9559, RFC 8794): its track of pictures and every block of it.

import MediaFormats

struct MatroskaReader {
  static let signature: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  private enum ID {
    static let (docType, segment, info, tracks, cluster, cues): (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0x4282, 0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0x1F43_B675, 0x1C53_BB6B)
  }

  private struct Element {
    var id: UInt64
    var start: UInt64
    var end: UInt64
    var isTruncated: Bool
    /// It does not say where it ends.
    var isUnknown: Bool
  }

  private struct Track {
    var number: UInt64 = 0
    var kind: UInt64 = 0
    var codec = ""
    var dimensions = VideoDimensions(width: 0, height: 0)
    var color = CodedColor()
    var configuration: [UInt8]?
    var frameDuration: Double?
  }

  /// The blocks of the pictures' track, and the time of the last of the other tracks'.
  private struct Blocks {
    var track: UInt64 = 0
    var frames: [MediaFile.Frame] = []
    var othersEnd: Int64 = 0
    /// Where the blocks cease to make sense.
    var readEnd: UInt64?
    /// Bytes of damaged clusters behind which the next one is found nevertheless.
    var skipped: UInt64 = 0
  }

  private let bytes: FileBytes

  init(_ bytes: FileBytes) { self.bytes = bytes }

  // MARK: Elements

  private func element(at offset: UInt64, within end: UInt64) -> Element? {
    guard offset < end, let (id, idLength) = variableNumber(at: offset, keepsMarker: true),
      let (size, sizeLength) = variableNumber(at: offset + UInt64(idLength), keepsMarker: false)
    else { return nil }
    let start = offset + UInt64(idLength + sizeLength)
    guard start <= end else { return nil }
    let isUnknown = size == (UInt64(1) << UInt64(7 * sizeLength)) - 1
    let isTruncated = isUnknown ? false : size > end - start
    return Element(
      id: id, start: start, end: isUnknown || isTruncated ? end : start + size, isTruncated: isTruncated,
      isUnknown: isUnknown)
  }

  private func variableNumber(at offset: UInt64, keepsMarker: Bool) -> (value: UInt64, length: Int)? {
    guard let first = bytes.number(at: offset, bytes: 1), first != 0 else { return nil }
    let length = UInt8(first).leadingZeroBitCount + 1
    guard let whole = bytes.number(at: offset, bytes: length) else { return nil }
    return (keepsMarker ? whole : whole & ~(UInt64(1) << UInt64(7 * length)), length)
  }

  private func children(of parent: Element) -> [Element] {
    var (found, place): ([Element], UInt64) = ([], parent.start)
    while found.count < 10_000_000, let child = element(at: place, within: parent.end) {
      found.append(child)
      place = child.end
    }
    return found
  }

  private func unsigned(_ element: Element) -> UInt64 {
    bytes.number(at: element.start, bytes: Int(min(8, element.end - element.start))) ?? 0
  }

  private func real(_ element: Element) -> Double {
    element.end - element.start == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(element)))) : Double(bitPattern: unsigned(element))
  }

  private func text(_ element: Element) -> String {
    let read = bytes.read(at: element.start, count: Int(min(256, element.end - element.start)))
    return String(decoding: read.prefix { $0 != 0 }, as: UTF8.self)
  }

  // MARK: File

  func file() throws(InspectionError) -> MediaFile {
    guard let head = element(at: 0, within: bytes.size),
      let segment = element(at: head.end, within: bytes.size), segment.id == ID.segment
    else { throw .noVideo("the file ends before its tracks") }
    let type = children(of: head).first { $0.id == ID.docType }.map(text) ?? "matroska"
    var scale = 1_000_000.0
    var duration: Double?
    var track: Track?
    var blocks = Blocks()
    var parts: [String] = []
    var otherTracks = 0
    var isTruncated = segment.isTruncated
    var place = segment.start
    while let part = element(at: place, within: segment.end) {
      isTruncated = isTruncated || part.isTruncated
      switch part.id {
      case ID.info:
        for item in children(of: part) {
          if item.id == 0x2AD7B1 { scale = Double(unsigned(item)) }
          if item.id == 0x4489 { duration = real(item) }
        }
      case ID.tracks:
        track = track ?? readTracks(part)
        otherTracks = max(otherTracks, children(of: part).count { $0.id == 0xAE } - 1)
        blocks.track = track?.number ?? 0
      case ID.cluster where track != nil:
        place = readCluster(part, &blocks)
        if parts.last != "Cluster" { parts.append("Cluster") }
        continue
      case let id where MatroskaReader.name(id).hasPrefix("0x"): blocks.readEnd = blocks.readEnd ?? place
      default: break
      }
      let name = MatroskaReader.name(part.id)
      if parts.last != name { parts.append(name) }
      place = part.end
    }
    if place < segment.end { blocks.readEnd = blocks.readEnd ?? place }
    guard let track else {
      let reason = "the file has no track of pictures"
      throw isTruncated ? .noVideo(reason) : .noRecording(reason)
    }
    let clusters = parts.firstIndex(of: "Cluster") ?? parts.count
    return MediaFile(
      container: type == "webm" ? .webm : .mkv, codec: track.codec, dimensions: track.dimensions, color: track.color,
      colorBox: nil, configuration: track.configuration, frames: blocks.frames, timescale: 1e9 / scale, edits: [],
      movieDuration: duration.map { $0 * scale / 1e9 }, trackDuration: nil,
      othersEnd: Double(blocks.othersEnd) * scale / 1e9,
      layout: MediaFile.Layout(
        parts: parts, isIndexFirst: parts.prefix(clusters).contains("Cues"), fragments: 0, isTruncated: isTruncated,
        otherTracks: otherTracks, readEnd: blocks.readEnd, skippedBytes: blocks.skipped))
  }

  private static func name(_ id: UInt64) -> String {
    [
      ID.info: "Info", ID.tracks: "Tracks", ID.cluster: "Cluster", ID.cues: "Cues", 0x114D_9B74: "SeekHead",
      0xEC: "Void", 0xBF: "CRC-32",
      0x1254_C367: "Tags", 0x1941_A469: "Attachments", 0x1043_A770: "Chapters",
    ][id] ?? "0x\(String(id, radix: 16))"
  }

  // MARK: Tracks

  private func readTracks(_ tracks: Element) -> Track? {
    children(of: tracks).filter { $0.id == 0xAE }.map(readTrack).first { $0.kind == 1 }
  }

  private func readTrack(_ entry: Element) -> Track {
    var track = Track()
    var codec = ""
    for item in children(of: entry) {
      switch item.id {
      case 0xD7: track.number = unsigned(item)
      case 0x83: track.kind = unsigned(item)
      case 0x86: codec = text(item)
      case 0x63A2: track.configuration = bytes.read(at: item.start, count: Int(min(1 << 20, item.end - item.start)))
      case 0xE0: readVideo(item, &track)
      default: break
      }
    }
    track.codec = MatroskaReader.codec(codec, track.configuration ?? [])
    return track
  }

  private func readVideo(_ video: Element, _ track: inout Track) {
    for item in children(of: video) {
      switch item.id {
      case 0xB0: track.dimensions.width = Int(clamping: unsigned(item))
      case 0xBA: track.dimensions.height = Int(clamping: unsigned(item))
      case 0x55B0: track.color = readColor(item)
      default: break
      }
    }
  }

  private func readColor(_ color: Element) -> CodedColor {
    var (range, matrix, transfer, primaries): (ColorRange?, Int?, Int?, Int?)
    for item in children(of: color) {
      let value = Int(clamping: unsigned(item))
      switch item.id {
      case 0x55B1: matrix = value
      // Matroska has limited as 1 and full as 2.
      case 0x55B9: range = [1: ColorRange.limited, 2: .full][value]
      case 0x55BA: transfer = value
      case 0x55BB: primaries = value
      default: break
      }
    }
    return CodedColor(range: range, matrix: matrix, transfer: transfer, primaries: primaries)
  }

  private static func named(_ id: String) -> String {
    [
      "V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "h265", "V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1",
      "V_MJPEG": "mjpeg", "V_MPEG4/ISO/ASP": "mpeg4", "V_FFV1": "ffv1",
    ][id] ?? id
  }

  /// Matroska's codec for what has only a code of Windows': a `BITMAPINFOHEADER` says which.
  private static func codec(_ id: String, _ record: [UInt8]) -> String {
    guard id == "V_MS/VFW/FOURCC", record.count >= 20 else { return named(id) }
    let code = String(decoding: record[16..<20], as: UTF8.self)
    return ["MJPG": "mjpeg", "FFV1": "ffv1", "FMP4": "mpeg4", "XVID": "mpeg4", "DIVX": "mpeg4"][code] ?? code
  }

  // MARK: Blocks

  /// - Returns: where the cluster ends: one of unknown size ends with the next part of the segment.
  private func readCluster(_ cluster: Element, _ blocks: inout Blocks) -> UInt64 {
    var (time, place) = (Int64(0), cluster.start)
    var damage: UInt64?
    while let item = element(at: place, within: cluster.end) {
      switch item.id {
      case 0xE7: time = Int64(clamping: unsigned(item))
      case 0xA3: readBlock(item, time, isSimple: true, duration: nil, isReferring: false, &blocks)
      case 0xA0:
        let parts = children(of: item)
        let duration = parts.first { $0.id == 0x9B }.map { Int64(clamping: unsigned($0)) }
        if let block = parts.first(where: { $0.id == 0xA1 }) {
          let isReferring = parts.contains { $0.id == 0xFB }
          readBlock(block, time, isSimple: false, duration: duration, isReferring: isReferring, &blocks)
        }
      case ID.cluster, ID.cues, ID.info, ID.tracks, 0x1254_C367, 0x114D_9B74, 0x1941_A469:
        if let damage { blocks.skipped += place - damage }
        return place
      default: break
      }
      if item.isTruncated || item.isUnknown || !MatroskaReader.inClusters.contains(item.id) { damage = damage ?? place }
      place = item.end
    }
    note(damage ?? (place < cluster.end ? place : nil), in: cluster, &blocks)
    return max(place, cluster.end == bytes.size ? place : cluster.end)
  }

  /// Position, PrevSize, SilentTracks, Void and CRC-32 beside times and blocks (RFC 9559, 5.1.3).
  private static let inClusters: Set<UInt64> = [0xE7, 0xA3, 0xA0, 0xA7, 0xAB, 0xAF, 0x5854, 0xEC, 0xBF]

  /// Behind a damaged cluster that says its length the next one can be read; behind another all is lost to sight.
  private func note(_ damage: UInt64?, in cluster: Element, _ blocks: inout Blocks) {
    guard let damage else { return }
    if cluster.isUnknown || cluster.isTruncated {
      blocks.readEnd = blocks.readEnd ?? damage
    } else {
      blocks.skipped += cluster.end - damage
    }
  }

  /// The next cluster from a place on that cannot be read: one begins with its time, as chance seldom does.
  static func cluster(in bytes: FileBytes, from start: UInt64) -> UInt64? {
    var place = start
    while let found = bytes.place(of: [0x1F, 0x43, 0xB6, 0x75], from: place) {
      let length = bytes.number(at: found + 4, bytes: 1).map { UInt8($0).leadingZeroBitCount + 1 } ?? 9
      if let first = bytes.number(at: found + 4 + UInt64(length), bytes: 1), inClusters.contains(first) { return found }
      place = found + 1
    }
    return nil
  }

  private func readBlock(
    _ block: Element, _ time: Int64, isSimple: Bool, duration: Int64?, isReferring: Bool, _ blocks: inout Blocks
  ) {
    guard let (number, length) = variableNumber(at: block.start, keepsMarker: false),
      !block.isTruncated, !block.isUnknown, let head = bytes.number(at: block.start + UInt64(length), bytes: 3)
    else { return }
    let (offset, flags) = (Int64(Int16(truncatingIfNeeded: head >> 8)), head & 0xFF)
    let start = block.start + UInt64(length) + 3
    guard start <= block.end else { return }
    guard number == blocks.track else {
      blocks.othersEnd = max(blocks.othersEnd, time &+ offset &+ (duration ?? 0))
      return
    }
    blocks.frames.append(
      MediaFile.Frame(
        time: time &+ offset, duration: duration, isKey: isSimple ? flags & 0x80 != 0 : !isReferring, offset: start,
        size: Int(clamping: block.end - start)))
  }
}
