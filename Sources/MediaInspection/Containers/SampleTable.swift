/// The frames of a track by its index: sizes, places, times (ISO/IEC 14496-12, 8.6 and 8.7).

struct SampleTable {
  private let bytes: FileBytes
  private let table: Box
  /// A hostile index could say any number; the largest files of a day at 240 fps have 21 million.
  private static let most = 50_000_000

  init(_ bytes: FileBytes, _ table: Box) {
    self.bytes = bytes
    self.table = table
  }

  /// The contents of a table of entries behind version, flags and count; the count is kept to what is there.
  private func entries(_ kind: String, size: Int) -> (reader: NumberReader, count: Int, version: UInt8)? {
    guard let box = bytes.children(of: table).first(where: { $0.kind == kind }) else { return nil }
    let contents = bytes.contents(of: box, most: 1 << 30)
    guard contents.count >= 8 else { return nil }
    var reader = NumberReader(contents)
    let version = UInt8(reader.number(4) >> 24)
    let count = min(Int(reader.number(4)), (contents.count - 8) / max(1, size))
    return (reader, count, version)
  }

  func frames() -> [MediaFile.Frame] {
    let sizes = sizes()
    let times = times(sizes.count)
    let offsets = offsets(sizes)
    let shifts = compositionOffsets(sizes.count)
    let keys = syncSamples()
    return sizes.indices.map { index in
      MediaFile.Frame(
        time: times[index].time &+ shifts[index], duration: times[index].duration,
        isKey: keys?.contains(index + 1) ?? true,
        offset: offsets[index], size: sizes[index])
    }
  }

  private func sizes() -> [Int] {
    guard let box = bytes.children(of: table).first(where: { $0.kind == "stsz" }) else { return [] }
    let contents = bytes.contents(of: box, most: 1 << 30)
    var reader = NumberReader(contents, at: 4)
    let (common, count) = (Int(reader.number(4)), Int(reader.number(4)))
    if common > 0 { return Array(repeating: common, count: min(count, SampleTable.most)) }
    return (0..<min(count, max(0, contents.count - 12) / 4)).map { _ in Int(reader.number(4)) }
  }

  private func times(_ count: Int) -> [(time: Int64, duration: Int64)] {
    var times: [(time: Int64, duration: Int64)] = []
    var now: Int64 = 0
    if let (first, runs, _) = entries("stts", size: 8) {
      var reader = first
      for _ in 0..<runs {
        let (length, delta) = (Int(reader.number(4)), Int64(reader.number(4)))
        for _ in 0..<min(length, count - times.count) {
          times.append((now, delta))
          now &+= delta
        }
      }
    }
    while times.count < count { times.append((now, 0)) }
    return times
  }

  private func compositionOffsets(_ count: Int) -> [Int64] {
    var offsets: [Int64] = []
    if let (first, runs, version) = entries("ctts", size: 8) {
      var reader = first
      for _ in 0..<runs {
        let length = Int(reader.number(4))
        let offset = version == 0 ? Int64(reader.number(4)) : reader.signed32()
        offsets.append(contentsOf: repeatElement(offset, count: min(length, count - offsets.count)))
      }
    }
    offsets.append(contentsOf: repeatElement(0, count: count - offsets.count))
    return offsets
  }

  /// Numbers of key frames, from 1; `nil` where every frame is one.
  private func syncSamples() -> Set<Int>? {
    guard let (first, count, _) = entries("stss", size: 4) else { return nil }
    var reader = first
    return Set((0..<count).map { _ in Int(reader.number(4)) })
  }

  private func offsets(_ sizes: [Int]) -> [UInt64] {
    let chunks = chunkOffsets()
    var offsets: [UInt64] = []
    offsets.reserveCapacity(sizes.count)
    let runs = chunkRuns()
    for (index, run) in runs.enumerated() {
      let last = min(chunks.count, index + 1 < runs.count ? runs[index + 1].first - 1 : .max)
      guard run.first >= 1, run.first <= last else { continue }
      for chunk in run.first...last {
        var place = chunks[chunk - 1]
        for _ in 0..<min(run.samples, sizes.count - offsets.count) {
          let size = UInt64(sizes[offsets.count])
          offsets.append(place)
          place = place &+ size
        }
      }
    }
    while offsets.count < sizes.count { offsets.append(.max) }
    return offsets
  }

  private func chunkOffsets() -> [UInt64] {
    guard let (first, count, width) = chunkTable else { return [] }
    var reader = first
    return (0..<count).map { _ in reader.number(width) }
  }

  private var chunkTable: (reader: NumberReader, count: Int, width: Int)? {
    if let table = entries("stco", size: 4) { return (table.reader, table.count, 4) }
    return entries("co64", size: 8).map { ($0.reader, $0.count, 8) }
  }

  private func chunkRuns() -> [(first: Int, samples: Int)] {
    guard let (first, count, _) = entries("stsc", size: 12) else { return [] }
    var reader = first
    return (0..<count).map { _ in
      let run = (first: Int(reader.number(4)), samples: Int(reader.number(4)))
      reader.skip(4)
      return run
    }
  }
}
