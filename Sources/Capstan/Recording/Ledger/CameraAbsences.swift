/// The times of a recording when its camera was away.

import GStreamer
import Synchronization

struct CameraAbsences: Sendable {
  /// In nanoseconds of the capture.
  struct Absence: Sendable {
    /// Of the last frame before.
    var start: Int64
    /// Of the first frame that the recording went on with; `nil` while it lasts.
    var end: Int64?
    /// Of the frames that would have come.
    var places = 0..<0
  }

  private(set) var all: [Absence] = []
  /// Those that have been told of.
  private var told = 0

  /// True while the camera is away.
  var isOpen: Bool { all.last.map { $0.end == nil } ?? false }

  mutating func begin(after pts: Int64?) {
    guard let pts, !isOpen else { return }
    all.append(Absence(start: pts))
  }

  /// Does nothing while the camera is there.
  mutating func end(with placement: FrameGrid.Placement, at pts: Int64?) {
    guard isOpen, let last = all.indices.last, let pts else { return }
    all[last].end = pts
    all[last].places = placement.gaps.first { $0.cause == .absent }?.places ?? placement.place..<placement.place
  }

  /// The recording ends in it.
  mutating func lasts(for places: Range<Int>) {
    guard isOpen, let last = all.indices.last else { return }
    all[last].places = places
  }

  /// A frame came that the recording cannot go on with.
  mutating func extend(by place: Int, at pts: Int64) {
    guard let last = all.indices.last, all[last].end != nil else { return }
    all[last].end = pts
    all[last].places = all[last].places.lowerBound..<max(all[last].places.upperBound, place + 1)
  }

  /// Each once.
  mutating func take() -> ArraySlice<Absence> {
    defer { told = all.count }
    return all[told...]
  }
}

extension FrameLedger.State {
  /// Before the first frame that builds on no other: what leads up to it belongs to no recording, and behind a time
  /// without the camera it makes that longer.
  mutating func isLeadIn(_ frame: BufferInfo, _ arrived: FrameLedger.Passenger) -> Bool {
    guard awaitsKeyFrame else { return false }
    if first != nil { absences.extend(by: arrived.place - (frame.isDelta ? 0 : 1), at: arrived.pts) }
    awaitsKeyFrame = frame.isDelta
    if frame.isDelta, first != nil { lose(arrived, at: .absent) }
    return frame.isDelta
  }
}

extension FrameLedger {
  /// What is known of the interruption that has not been told of yet; `nil` where there is none.
  /// - Parameter now: for one that still lasts.
  func takeInterruption(until now: Int64?) -> Interruption? {
    state.withLock { state in
      let absences = state.absences.take()
      guard let first = absences.first, let last = absences.last, let origin = state.first?.pts else { return nil }
      let start = timeline.recorded(first.start) + (period ?? 0)
      return Interruption(
        time: .nanoseconds(start - timeline.recorded(origin)),
        duration: .nanoseconds(max(0, timeline.recorded(last.end ?? now ?? last.start) - start)),
        frames: absences.reduce(0) { $0 + state.recorded.count($1.places) })
    }
  }

  /// Nanoseconds.
  func absence(between first: Int64, and last: Int64, _ state: State) -> Int64 {
    state.absences.all.reduce(0) { sum, absence in
      guard let end = absence.end, absence.start >= first, end <= last else { return sum }
      return sum + max(0, timeline.recorded(end) - timeline.recorded(absence.start) - (period ?? 0))
    }
  }
}
