/// The life of one recording as a pure state machine: signals in, actions out. It decides, the session acts.

struct RecordingMachine: Sendable {
  enum Phase: Sendable, Hashable { case starting, recording, finishing, done }

  enum Signal: Sendable, Hashable {
    /// A regular look at the counters: frames that came from the camera, reached the encoder and the file. Times are since
    /// the start.
    case tick(captured: Int = 0, accepted: Int, written: Int, time: Duration)
    /// What was asked for is in, or no more is to be.
    case limitReached(RecordingEnd)
    case stopRequested
    /// The muxer and the file have had the end of the stream.
    case endOfStream
    /// The first is the cause, what follows is its echo.
    case failed(CaptureError, isBehindEncoder: Bool)
  }

  enum Action: Sendable, Hashable {
    case announceStart
    /// Ends the stream behind the camera: what is in the queues is still recorded, and a camera that stalls cannot
    /// hold the end back.
    case endStreamAtCamera
    /// Ends the stream before the encoder: what is in the queues is surplus.
    case endStreamAtEncoder
    /// Takes the pipeline down and completes the file.
    case close
  }

  /// No first frame within this time, or no further one, is a failure. Some cameras need seconds to wake.
  static let frameTimeout = Duration.seconds(10)
  /// While finishing, the wait goes on as long as frames are still being written.
  static let finishTimeout = Duration.seconds(10)

  /// True where frames or a time were asked for: a camera that ends before has failed.
  let hasLimit: Bool
  private(set) var phase = Phase.starting
  /// The first failure.
  private(set) var failure: CaptureError?
  /// True once the file has been completed by its muxer.
  private(set) var sawEndOfStream = false
  /// The first that ended it; `nil` while it goes on.
  private(set) var end: RecordingEnd?
  private var lastAccepted = 0
  private var hasCaptured = false
  private var lastWritten = 0
  private var lastProgress = Duration.zero
  private var now = Duration.zero

  init(hasLimit: Bool = false) { self.hasLimit = hasLimit }

  mutating func handle(_ signal: Signal) -> [Action] {
    if phase != .done { end = end ?? RecordingMachine.end(by: signal) }
    switch (phase, signal) {
    case (.done, _): return []
    case (_, .tick(let captured, let accepted, let written, let time)):
      hasCaptured = hasCaptured || captured + accepted > 0
      return tick(accepted, written, time)
    case (_, .endOfStream):
      sawEndOfStream = true
      if phase != .finishing, hasLimit { failure = failure ?? RecordingMachine.endedEarly }
      return close()
    case (_, .failed(let error, let isBehindEncoder)): return fail(error, isBehindEncoder)
    case (.starting, .stopRequested) where lastAccepted == 0: return close()
    case (.finishing, _): return []
    case (_, .stopRequested): return finish(.endStreamAtCamera)
    case (_, .limitReached):
      let announcement: [Action] = phase == .starting ? [.announceStart] : []
      return announcement + finish(.endStreamAtEncoder)
    }
  }

  private static func end(by signal: Signal) -> RecordingEnd? {
    switch signal {
    case .tick: nil
    case .limitReached(let end): end
    case .stopRequested: .stopped
    case .endOfStream: .source
    case .failed: .failed
    }
  }

  private mutating func tick(_ accepted: Int, _ written: Int, _ time: Duration) -> [Action] {
    now = time
    let progressed = accepted > lastAccepted || written > lastWritten
    if phase == .finishing ? written > lastWritten : progressed { lastProgress = time }
    lastAccepted = accepted
    lastWritten = written
    switch phase {
    case .starting where accepted > 0:
      phase = .recording
      return [.announceStart]
    case .starting where time - lastProgress >= RecordingMachine.frameTimeout:
      (failure, end) = (RecordingMachine.noFrames("The camera delivered no picture that can be used"), .failed)
      return close()
    case .recording where time - lastProgress >= RecordingMachine.frameTimeout:
      (failure, end) = (RecordingMachine.noFrames("The camera stopped delivering frames"), .failed)
      return finish(.endStreamAtCamera)
    case .finishing where time - lastProgress >= RecordingMachine.finishTimeout: return close()
    default: return []
    }
  }

  /// A broken camera or decoder leaves frames in the queues that are worth having; with a broken encoder, muxer or
  /// file nothing more can be written. A pipeline that failed to start never passes an end of stream on; one that did
  /// start may have frames of a slow machine in its first queue, and not one at the encoder.
  private mutating func fail(_ error: CaptureError, _ isBehindEncoder: Bool) -> [Action] {
    failure = failure ?? error
    if isBehindEncoder || !hasCaptured { return close() }
    return phase == .finishing ? [] : finish(.endStreamAtCamera)
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

  private static func noFrames(_ what: String) -> CaptureError {
    CaptureError(
      .noFrames, "\(what) for \(frameTimeout.components.seconds) seconds.",
      remedy: "Unplug it and plug it in again, or try another mode; `capstan formats` lists them.")
  }
}
