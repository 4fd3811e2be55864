/// The short-term reference picture sets of H.265 (ITU-T H.265, 7.3.7), which stand in the way of the VUI: a set that is
/// told as a difference from the one before is as long as that one has pictures, so each has to be worked out.

struct H265ReferencePictures {
  /// Distances in picture order, the nearest first.
  private var before: [Int] = []
  private var after: [Int] = []

  static func skipSets(_ reader: inout BitReader) throws(BitstreamError) {
    let count = try reader.exponentialGolomb("num_short_term_ref_pic_sets", 0...64)
    var last: H265ReferencePictures?
    for _ in 0..<count { last = try H265ReferencePictures(&reader, after: last) }
  }

  private init(_ reader: inout BitReader, after last: H265ReferencePictures?) throws(BitstreamError) {
    if let last, try reader.flag() {
      try read(&reader, from: last)
    } else {
      let (negative, positive) = (try Self.count(&reader), try Self.count(&reader))
      before = try Self.distances(&reader, negative).map { -$0 }
      after = try Self.distances(&reader, positive)
    }
  }

  private static let mostPictures = 16

  private static func count(_ reader: inout BitReader) throws(BitstreamError) -> Int {
    try reader.exponentialGolomb("number of reference pictures", 0...mostPictures)
  }

  private static func distances(_ reader: inout BitReader, _ count: Int) throws(BitstreamError) -> [Int] {
    var distances: [Int] = []
    for _ in 0..<count {
      distances.append((distances.last ?? 0) + (try reader.exponentialGolomb()) + 1)
      try reader.skip(1)  // used_by_curr_pic_flag
    }
    return distances
  }

  /// `inter_ref_pic_set_prediction_flag` is set: each picture of the last set, and that set's own, moved by a distance
  /// (equations 7-61 and 7-62).
  private mutating func read(
    _ reader: inout BitReader, from last: H265ReferencePictures
  ) throws(BitstreamError) {
    let isNegative = try reader.flag()
    let distance = try reader.exponentialGolomb("abs_delta_rps_minus1", 0...32_767) + 1
    let moved = (last.before + last.after + [0]).map { $0 + (isNegative ? -distance : distance) }
    for place in moved {
      let isUsed = try reader.flag()  // used_by_curr_pic_flag
      let isKept = isUsed ? true : try reader.flag()  // use_delta_flag
      guard isKept, place != 0 else { continue }
      if place < 0 { before.append(place) } else { after.append(place) }
    }
    guard before.count + after.count <= H265ReferencePictures.mostPictures else {
      throw .invalid("number of reference pictures")
    }
    before.sort(by: >)
    after.sort()
  }
}
