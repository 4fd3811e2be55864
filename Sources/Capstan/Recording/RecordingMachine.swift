/// The life of one recording as a pure state machine: signals in, actions out. It decides, the session acts.

struct RecordingMachine: Sendable {
  enum Phase: Sendable, Hashable {
    case starting, recording
    /// The camera is away, and what it sent before is still recorded.
    case interrupted
    /// For the camera: there is none, or none that has sent a picture yet.
    case waiting
    case finishing, done
  }

  /// Where something fails.
  enum Place: Sendable, Hashable {
    case camera
    /// A decoder, or what else stands there.
    case beforeEncoder
    case behindEncoder
    /// It has no room left for more than the end of the file.
    case disk
  }

  enum Signal: Sendable, Hashable {
    /// A regular look at the counters: frames that came from the camera, reached the encoder and the file. Times are since
    /// the start.
    /// - Parameter isDiskBehind: whether a frame waits for the disk: then no other can pass either, and none has failed.
    case tick(captured: Int = 0, accepted: Int, written: Int, isDiskBehind: Bool = false, time: Duration)
    /// No frame need have come through, and yet the program works: an encoder may take seconds over a picture, and that
    /// is not the camera's silence.
    case working
    /// What was asked for is in, or no more is to be.
    case limitReached(RecordingEnd)
    case stopRequested
    /// All that the camera has sent is encoded, and no more can come.
    case streamEnded
    /// The muxer and the file have had the end of the stream.
    case endOfStream
    /// The first is the cause, what follows is its echo.
    case failed(CaptureError, at: Place)
    /// The camera does not give the pictures that were agreed any more, and is asked for those that it has now.
    case modeGone(CaptureError)
    /// The camera is there again, and is asked for pictures.
    case reconnected
    /// It has none that the recording may go on with.
    case refused(CaptureError)
  }

  enum Action: Sendable, Hashable {
    case announceStart
    /// Ends the stream behind the camera: what is in the queues is still recorded, and a camera that stalls cannot
    /// hold the end back.
    case endStreamAtCamera
    /// Ends the stream before the encoder: what is in the queues is surplus.
    case endStreamAtEncoder
    case announceInterruption(CaptureError)
    /// Takes the camera's pipeline down, where there is one, and leaves the file as it is.
    case disconnect
    case awaitCamera
    case announceReturn
    /// Completes the file behind what has been written.
    case finishFile
    /// Takes everything down.
    case close
  }

  /// While finishing, the wait goes on as long as frames are still being written, or made.
  static let finishTimeout = Duration.seconds(10)

  /// True where frames or a time were asked for: a camera that ends before has failed.
  let hasLimit: Bool
  let timeouts: RecordingTimeouts
  let onUnplug: UnplugPolicy
  private(set) var phase = Phase.starting
  /// The first failure.
  private(set) var failure: CaptureError?
  /// True once the file has been completed by its muxer.
  private(set) var sawEndOfStream = false
  /// The first that ended it; `nil` while it goes on.
  private(set) var end: RecordingEnd?
  private var lastAccepted = 0
  private var hasCaptured = false
  private var hasAnnounced = false
  private var lastWritten = 0
  private var lastProgress = Duration.zero
  private var now = Duration.zero
  /// When the camera that came back was asked for pictures.
  private var reconnected: Duration?
  /// Why it is waited for.
  private var interruption: CaptureError?

  init(
    hasLimit: Bool = false, timeouts: RecordingTimeouts = RecordingTimeouts(), onUnplug: UnplugPolicy = .stop
  ) {
    self.hasLimit = hasLimit
    self.timeouts = timeouts
    self.onUnplug = onUnplug
  }

  mutating func handle(_ signal: Signal) -> [Action] {
    switch (phase, signal) {
    case (.done, _): return []
    case (_, .tick(let captured, let accepted, let written, let isDiskBehind, let time)):
      if isDiskBehind { lastProgress = time }
      hasCaptured = hasCaptured || captured + accepted > 0
      return tick(accepted, written, time)
    case (.recording, .working), (.interrupted, .working), (.finishing, .working):
      lastProgress = now
      return []
    case (_, .working): return []
    case (_, .endOfStream):
      sawEndOfStream = true
      end = end ?? .source
      if phase != .finishing { endedByItself() }
      return close()
    case (_, .failed(let error, let place)): return fail(error, place)
    case (.waiting, .reconnected):
      reconnected = now
      return []
    case (_, .reconnected): return []
    case (_, .modeGone(let error)): return loseMode(error)
    case (.waiting, .refused(let error)) where onUnplug == .stop:
      fail(with: RecordingMachine.change(interruption, error))
      return finish()
    case (_, .refused): return []
    case (_, .streamEnded): return streamEnded()
    case (_, .stopRequested): return stop()
    case (_, .limitReached(let limit)):
      end = end ?? limit
      return phase == .starting || phase == .recording ? announcement() + finish(.endStreamAtEncoder) : finish()
    }
  }

  private mutating func stop() -> [Action] {
    end = end ?? .stopped
    return phase == .starting && lastAccepted == 0 ? close() : finish()
  }

  // MARK: Looks

  private mutating func tick(_ accepted: Int, _ written: Int, _ time: Duration) -> [Action] {
    now = time
    let isNew = accepted > lastAccepted
    let progressed = isNew || written > lastWritten
    if phase == .finishing ? written > lastWritten : progressed { lastProgress = time }
    lastAccepted = accepted
    lastWritten = written
    switch phase {
    case .starting where accepted > 0:
      phase = .recording
      return announcement()
    case .starting where isOver(timeouts.firstFrame):
      fail(with: RecordingMachine.noFrames("delivered no picture that can be used", timeouts.firstFrame))
      return close()
    case .recording where isOver(timeouts.stall):
      return lose(RecordingMachine.noFrames("stopped delivering frames", timeouts.stall))
    case .interrupted where isOver(RecordingMachine.finishTimeout): return close()
    case .interrupted: return accepted > 0 ? announcement() : []
    case .waiting where isNew:
      phase = .recording
      reconnected = nil
      return announcement() + [.announceReturn]
    case .waiting where onUnplug == .stop && isOver(timeouts.firstFrame):
      if let interruption { fail(with: interruption) }
      return finish()
    case .waiting where isLate: return waitAgain()
    case .finishing where isOver(RecordingMachine.finishTimeout): return close()
    default: return []
    }
  }

  private func isOver(_ patience: Duration?) -> Bool { patience.map { now - lastProgress >= $0 } ?? false }

  /// The camera came back and sends nothing.
  private var isLate: Bool {
    guard let reconnected, let patience = timeouts.firstFrame else { return false }
    return now - reconnected >= patience
  }

  private mutating func announcement() -> [Action] {
    defer { hasAnnounced = true }
    return hasAnnounced ? [] : [.announceStart]
  }

  // MARK: Failures

  /// A broken camera or decoder leaves frames in the queues that are worth having; with a broken encoder, muxer or
  /// file nothing more can be written. A pipeline that failed to start never passes an end of stream on; one that did
  /// start may have frames of a slow machine in its first queue, and not one at the encoder.
  private mutating func fail(_ error: CaptureError, _ place: Place) -> [Action] {
    if place == .behindEncoder || !hasCaptured {
      fail(with: error)
      return close()
    }
    if place != .disk, phase == .waiting { return reconnected == nil ? [] : waitAgain() }
    if place == .camera { return lose(error) }
    fail(with: error)
    // What waits before the encoder may be more than the disk has room for.
    if place == .disk, phase == .starting || phase == .recording { return finish(.endStreamAtEncoder) }
    return phase == .interrupted && place != .disk ? [] : finish()
  }

  private mutating func fail(with error: CaptureError) {
    failure = failure ?? error
    end = end ?? .failed
  }

  /// The camera is gone, or as good as that.
  private mutating func lose(_ error: CaptureError) -> [Action] {
    guard onUnplug == .wait else {
      // What follows the first error is its echo.
      if phase == .interrupted { return [] }
      fail(with: error)
      return finish()
    }
    return interrupt(for: error)
  }

  /// A camera that is there, and has something else: whoever does not wait for a camera goes on with it all the same.
  private mutating func loseMode(_ error: CaptureError) -> [Action] {
    guard hasCaptured, phase != .finishing else { return fail(error, .camera) }
    if phase == .waiting { return reconnected == nil ? [] : waitAgain() }
    return interrupt(for: error)
  }

  private mutating func interrupt(for error: CaptureError) -> [Action] {
    // What follows the first error is its echo, and an end that was asked for is no failure.
    if phase == .interrupted || phase == .finishing { return [] }
    phase = .interrupted
    interruption = error
    lastProgress = now
    return [.announceInterruption(error), .endStreamAtCamera]
  }

  private mutating func waitAgain() -> [Action] {
    reconnected = nil
    return [.disconnect, .awaitCamera]
  }

  // MARK: The end

  private mutating func streamEnded() -> [Action] {
    switch phase {
    case .interrupted:
      phase = .waiting
      lastProgress = now
      return waitAgain()
    case .waiting: return reconnected == nil ? [] : waitAgain()
    case .finishing: return [.finishFile]
    default:
      end = end ?? .source
      endedByItself()
      return announcement(if: lastAccepted > 0) + finish(.finishFile)
    }
  }

  private mutating func announcement(if isDue: Bool) -> [Action] { isDue ? announcement() : [] }

  private mutating func endedByItself() {
    if hasLimit { failure = failure ?? RecordingMachine.endedEarly }
  }

  /// By whatever is still to be done in the present phase.
  private mutating func finish() -> [Action] {
    switch phase {
    case .finishing, .done: return []
    case .interrupted:
      // Its end is on its way.
      phase = .finishing
      return []
    case .waiting: return finish(.disconnect) + [.finishFile]
    case .starting, .recording: return finish(.endStreamAtCamera)
    }
  }

  private mutating func finish(_ action: Action) -> [Action] {
    phase = .finishing
    lastProgress = now
    return [action]
  }

  private mutating func close() -> [Action] {
    phase = .done
    return [.close]
  }

  private static let endedEarly = CaptureError(
    .deviceLost, "The camera ended its stream before the recording was as long as asked.")

  /// What it has instead does not do either.
  private static func change(_ cause: CaptureError?, _ refusal: CaptureError) -> CaptureError {
    guard let cause else { return refusal }
    return CaptureError(cause.code, "\(cause.message) \(refusal.message)", remedy: refusal.remedy)
  }

  private static func noFrames(_ what: String, _ patience: Duration?) -> CaptureError {
    CaptureError(
      .noFrames, "The camera \(what) for \((patience ?? .zero).inWords).",
      remedy: "Unplug it and plug it in again, or try another mode; `capstan formats` lists them.")
  }
}
