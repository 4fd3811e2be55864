/// Which of a recording's frames were lost, by their places, as far back as its edges can still move.

/// Where a frame was lost.
enum LossPlace: Sendable, Hashable, CaseIterable { case driver, absent, queue, corrupt }

/// The part of the camera's frames that a recording is of.
struct RecordedPlaces: Sendable {
  /// `nil` before the first.
  var start: Int?
  /// The first that is not of it any longer; `nil` while it goes on.
  var end: Int?
  /// Frames of pauses, and places that turned out to be none.
  var excluded: [Range<Int>] = []

  /// How many of these are in it.
  func count(_ places: Range<Int>) -> Int {
    guard let start else { return 0 }
    let within = places.clamped(to: start..<max(start, end ?? .max))
    if excluded.isEmpty { return within.count }
    var (count, next) = (within.count, within.lowerBound)
    for range in excluded.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let range = range.clamped(to: next..<max(next, within.upperBound))
      count -= range.count
      if !range.isEmpty { next = range.upperBound }
    }
    return count
  }
}

struct PlaceTally: Sendable {
  /// More than an encoder holds: a sum is taken while frames wait for it.
  private static let memory = 512
  private var settled: [LossPlace: Int] = [:]
  private var recent: [(places: Range<Int>, at: LossPlace)] = []

  mutating func add(_ places: Range<Int>, at place: LossPlace, of recorded: RecordedPlaces) {
    recent.append((places, place))
    guard recent.count > PlaceTally.memory else { return }
    let oldest = recent.removeFirst()
    settled[oldest.at, default: 0] += recorded.count(oldest.places)
  }

  func count(at place: LossPlace, of recorded: RecordedPlaces) -> Int {
    recent.reduce(settled[place] ?? 0) { $1.at == place ? $0 + recorded.count($1.places) : $0 }
  }
}
