/// What the ledger makes of each frame: which frames a later one has overtaken, and so are lost.

extension FrameLedger.State {
  /// Frames that can be on their way at most, at 240 a second; one that is older has been forgotten somewhere.
  private static var most: Int { 4096 }

  // MARK: Frames on their way

  private func index(of pts: Int64?, in line: [FrameLedger.Passenger]) -> Int? {
    guard let pts else { return line.isEmpty ? nil : 0 }
    return line.firstIndex { $0.pts == pts }
  }

  mutating func lose(_ frame: FrameLedger.Passenger, at place: LossPlace) {
    losses.add(frame.place..<frame.place + 1, at: place, of: recorded)
  }

  /// Takes a frame out of a line that keeps its order: those before it will not come any more.
  private mutating func pop(
    _ pts: Int64?, from line: WritableKeyPath<FrameLedger.State, [FrameLedger.Passenger]>, losingAt place: LossPlace
  ) -> FrameLedger.Passenger? {
    guard let index = index(of: pts, in: self[keyPath: line]) else { return nil }
    for frame in self[keyPath: line][..<index] { lose(frame, at: place) }
    defer { self[keyPath: line].removeFirst(index + 1) }
    return self[keyPath: line][index]
  }

  mutating func dequeue(_ pts: Int64?) {
    guard let frame = pop(pts, from: \.queued, losingAt: .queue), !isFull else { return }
    decoding.append(frame)
    if decoding.count > Self.most { lose(decoding.removeFirst(), at: .corrupt) }
  }

  /// Ends a frame's way.
  mutating func take(_ pts: Int64?, at place: LossPlace) {
    if let index = index(of: pts, in: decoding) {
      lose(decoding.remove(at: index), at: place)
    } else if let frame = pop(pts, from: \.queued, losingAt: .queue) {
      lose(frame, at: place)
    }
  }

  /// At the gate. A frame that was not seen before has been made by a filter.
  mutating func arrive(_ pts: Int64?) -> FrameLedger.Passenger {
    if let frame = pop(pts, from: \.decoding, losingAt: .corrupt) { return frame }
    let place = grid.place(at: pts)
    guard let frame = pop(pts, from: \.queued, losingAt: .queue) else {
      return FrameLedger.Passenger(pts: pts ?? grid.lastPTS ?? 0, place: place)
    }
    for earlier in decoding { lose(earlier, at: .corrupt) }
    decoding = []
    return frame
  }

  mutating func accept(_ frame: FrameLedger.Passenger) {
    accepted += 1
    recorded.start = recorded.start ?? frame.place
    first = first ?? frame
    last = frame
    latest.append(frame)
    if latest.count > Self.most { latest.removeFirst(Self.most / 2) }
  }

  /// - Parameter place: the first one that the recording has no room for.
  mutating func close(at place: Int) {
    isFull = true
    recorded.end = max(place, last.map { $0.place + 1 } ?? place)
  }

  /// The camera does not come back: all that it would have made until then is missing.
  /// - Parameter time: of the capture.
  /// - Returns: the first place behind that.
  mutating func absent(until time: Int64) -> Int {
    let next = (grid.lastPlace ?? -1) + 1
    let missing = next..<max(next, grid.place(at: time))
    losses.add(missing, at: .absent, of: recorded)
    absences.lasts(for: missing)
    return missing.upperBound
  }

  /// - Parameter pts: of the last frame; `nil` for the last that was accepted, where there is no end yet.
  mutating func end(after pts: Int64?) {
    if isFull, pts == nil { return }
    guard let last else {
      isFull = true
      return
    }
    let kept = latest.last { $0.pts <= pts ?? last.pts } ?? last
    let surplus = latest.count { $0.pts > kept.pts }
    accepted -= surplus
    latest.removeLast(surplus)
    self.last = kept
    isFull = true
    recorded.end = min(recorded.end ?? .max, kept.place + 1)
  }

  // MARK: Pauses

  mutating func excludePause() {
    guard let pause = pauses.last else { return }
    recorded.excluded.append(pause.first..<pause.last)
  }

  mutating func endPause(_ number: Int? = nil, at pts: Int64, before place: Int) {
    let number = number ?? pauses.count - 1
    let old = pauses[number].first..<pauses[number].last
    pauses[number].end = pts
    pauses[number].last = max(place, pauses[number].first)
    let index = recorded.excluded.lastIndex(of: old)
    if let index { recorded.excluded[index] = pauses[number].first..<pauses[number].last }
  }

  // MARK: The sum

  func counts(_ moment: FrameLedger.Moment) -> FrameLedger.Counts {
    var recorded = recorded
    recorded.end = recorded.end ?? (grid.lastPlace ?? -1) + 1
    func lost(_ place: LossPlace) -> Int { losses.count(at: place, of: recorded) }
    func inside(_ line: [FrameLedger.Passenger]) -> Int {
      line.reduce(0) { $0 + recorded.count($1.place..<$1.place + 1) }
    }
    var counts = FrameLedger.Counts()
    counts.expected = recorded.start.map { recorded.count($0..<Int.max) } ?? 0
    (counts.accepted, counts.encoded, counts.written, counts.bytes) = (accepted, encoded, written, bytes)
    counts.pausedFrames = pausedFrames
    counts.lost.driver = lost(.driver) + (grid.openGap.map { recorded.count($0.places) } ?? 0)
    counts.lost.absent = lost(.absent)
    counts.lost.queue = lost(.queue)
    counts.lost.corrupt = lost(.corrupt)
    let (waiting, undecoded) = (inside(queued), inside(decoding))
    // Before the first key frame nothing is recorded, but there is something that could be.
    let hopes = recorded.start == nil ? queued.count : waiting + undecoded
    counts.captured = accepted + counts.lost.queue + counts.lost.corrupt + hopes
    switch moment {
    case .running: break
    case .drained:
      counts.lost.queue += waiting
      counts.lost.corrupt += undecoded
      counts.lost.encoder = max(0, accepted - encoded)
      counts.lost.muxer = max(0, encoded - written)
    case .cutShort:
      counts.lost.abandoned = max(0, waiting + undecoded + accepted - written)
    }
    return counts
  }
}
