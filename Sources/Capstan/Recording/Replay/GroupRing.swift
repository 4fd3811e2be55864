/// The last seconds of an encoded stream in whole groups of pictures: the oldest group goes first.

/// A group begins with a frame that can be decoded by itself. Times are in nanoseconds.
struct GroupRing<Frame: Sendable>: Sendable {
  private struct Group: Sendable {
    var frames: [Frame] = []
    var times: [Int64] = []
    var bytes = 0

    var start: Int64 { times.first ?? 0 }
  }

  /// For what a frame takes in memory beside its bytes.
  static var overhead: Int { 1024 }

  let length: Int64
  let room: Int
  private var groups: [Group] = []
  private(set) var bytes = 0
  private var newest: Int64 = .min
  /// Since it last had to throw away a group that had not ended: nothing can be kept before the next one begins.
  private var waitsForKey = true
  /// True where a group was too large to be kept.
  private(set) var hasOverflowed = false
  private var hasAsked = false

  init(length: Int64, room: Int) {
    self.length = length
    self.room = room
  }

  /// - Returns: true where a key frame is needed soon, as the group that is being filled takes too much.
  mutating func add(_ frame: Frame, time: Int64, bytes size: Int, isKey: Bool) -> Bool {
    if isKey {
      groups.append(Group())
      (waitsForKey, hasAsked) = (false, false)
    }
    guard !waitsForKey else { return hasOverflowed }
    let size = size + Self.overhead
    groups[groups.count - 1].frames.append(frame)
    groups[groups.count - 1].times.append(time)
    groups[groups.count - 1].bytes += size
    bytes += size
    newest = max(newest, time)
    return shrink()
  }

  private mutating func shrink() -> Bool {
    while groups.count > 1, bytes > room || newest - groups[1].start >= length {
      bytes -= groups.removeFirst().bytes
    }
    if bytes > room {
      (groups, bytes, waitsForKey, hasOverflowed) = ([], 0, true, true)
      return true
    }
    // The group would be alone before long.
    let isLarge = (groups.last?.bytes ?? 0) > room / 2
    defer { hasAsked = hasAsked || isLarge }
    return isLarge && !hasAsked
  }

  var count: Int { groups.reduce(0) { $0 + $1.frames.count } }

  /// From the first frame to the last.
  var span: Int64 { groups.first.map { max(0, newest - $0.start) } ?? 0 }

  /// What is to be saved now, in decoding order: from the last group on that begins far enough back; without one, all.
  /// Frames at the end whose neighbours are still to come are left out, as pictures that were coded from both would be
  /// missing between them.
  var latest: [Frame] {
    let first = groups.lastIndex { newest - $0.start >= length } ?? 0
    let chosen = groups[min(first, groups.count)...]
    let whole = GroupRing.closed(chosen.flatMap(\.times))
    return Array(chosen.flatMap(\.frames).prefix(whole))
  }

  /// How many frames from the first on are shown before all that follow.
  static func closed(_ times: [Int64]) -> Int {
    if zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) { return times.count }
    var (earliest, highest) = (Int64.max, [Int64]())
    for time in times { highest.append(max(highest.last ?? .min, time)) }
    for place in times.indices.dropFirst().reversed() {
      earliest = min(earliest, times[place])
      if highest[place - 1] < earliest { return place }
    }
    return times.count
  }

  mutating func clear() { self = GroupRing(length: length, room: room) }
}
