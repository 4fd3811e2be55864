/// The files of a recording, one after the other: each is finished while the next is written.

import Foundation
import GStreamer
import Synchronization

final class FileSequence: Sendable {
  enum Ending: Sendable {
    /// Every file is complete.
    case complete
    case failed(ElementFailure)
    /// What was written does not come to the disk.
    case refused(SystemFailure, URL)
  }

  private struct State {
    var current: RecordedFile
    /// Where the encoded stream comes from now.
    var sink: AppSink?
    /// The last frame that the current file was given.
    var latest: MediaSample?
    /// Of the first frame of the recording and of the current file, on the recording's timeline.
    var origin: Int64?
    var start: Int64?
    var budget: FileBudget
    /// Time of the last frame to be shown of those that were taken, of the capture.
    var newest: Int64?
    var isFull = false
    var isSplitWanted = false
    /// When a key frame was asked for last.
    var asked: Int64?
    var hasFailedToSplit = false
    var isLate = false
    var isOver = false
    /// One for each file: the last is that of the current one.
    var watches: [Task<Void, Never>] = []
    /// Files that are being finished.
    var unsettled: [RecordedFile] = []
    var kept: [(file: URL, bytes: Int64, finished: ContinuousClock.Instant)] = []
    var reports: [FileReport] = []
  }

  private let rule: SegmentRule?
  /// Nanoseconds that a file may last, whatever was asked for.
  private let longest: Int64?
  private let replay: ReplayBuffer?
  private let period: Int64
  private let timeline: RecordingTimeline
  private let makeNext: @Sendable (_ number: Int) throws(CaptureError) -> RecordedFile
  private let listener: Listener
  private let state: Mutex<State>
  private let endings: AsyncStream<Ending>
  private let mailbox: AsyncStream<Ending>.Continuation

  /// - Parameters:
  ///   - rule: `nil` for one file.
  ///   - replay: keeps each frame too; where it is the only one that does, no file is opened.
  ///   - longest: that a file may last; `nil` where there is no such limit.
  ///   - budget: of a file that holds nothing yet.
  ///   - makeNext: makes a file that is not open yet.
  @inline(never)  // in another function the optimizer of Swift 6.3.1 fails on it
  init(
    _ first: RecordedFile, rule: SegmentRule?, replay: ReplayBuffer?, longest: Duration?, budget: FileBudget,
    period: Int64?, timeline: RecordingTimeline, listener: Listener,
    makeNext: @escaping @Sendable (_ number: Int) throws(CaptureError) -> RecordedFile
  ) {
    self.rule = rule
    self.longest = longest?.nanoseconds
    self.replay = replay
    self.period = period ?? 0
    self.timeline = timeline
    self.listener = listener
    self.makeNext = makeNext
    state = Mutex(State(current: first, budget: budget))
    (endings, mailbox) = AsyncStream.makeStream(of: Ending.self)
  }

  /// Takes the frames of a stage from now on: of the first, and of each that follows one.
  func join(_ stage: CaptureStage) throws(CaptureError) {
    try stage.deliver { [weak self] in self?.write($0) }
    let start = state.withLock { state in
      state.sink = stage.sink
      // A new encoder knows nothing of what the last one was asked.
      state.asked = nil
      return state.start
    }
    if let start { askForKeyFrame(after: start) }
  }

  /// The file that is written now.
  var current: RecordedFile { state.withLock(\.current) }

  /// Of the files that are finished, the oldest first.
  var reports: [FileReport] { state.withLock(\.reports) }

  /// When the first frame is, on the recording's timeline.
  var origin: Int64? { state.withLock(\.origin) }

  /// Bytes that the files which are being written will still take at most.
  private var owedBytes: Int64 {
    let (file, bytes) = state.withLock { ($0.current, $0.budget.fileBytes) }
    return max(0, bytes - (file.output.handle.allocatedBytes ?? 0))
  }

  /// False where somebody took away what is being written.
  private var isThere: Bool { !isWritten || current.output.isThere }

  /// Whether a frame waits to be written, as much being on its way to the disk as may.
  var isWaiting: Bool { current.writer.isWaiting }

  /// What can be seen of its disk; `nil` where the system does not tell.
  func look() -> DiskWatch.Look? {
    current.output.freeSpace.map {
      DiskWatch.Look(free: $0, owed: owedBytes, isThere: isThere, isWaiting: isWaiting)
    }
  }

  /// Opens the first file.
  func start() throws(StateChangeError) {
    let file = current
    if isWritten { try file.start() } else { file.output.remove() }
    watch(file)
  }

  private var isWritten: Bool { replay?.rule.isOnly != true }

  /// Tells how it ends, once; `nil` where the task that waits is cancelled.
  func ending() async -> Ending? {
    for await ending in endings { return ending }
    return nil
  }

  // MARK: Frames

  private enum Step {
    case drop, write, surplus
    /// The stream is another one from here on.
    case change
    case begin(Int64)
    case end(last: Int64?)
    case ask, split

    var isTaken: Bool {
      switch self {
      case .drop, .surplus, .end: false
      case .write, .begin, .ask, .split, .change: true
      }
    }
  }

  /// Called on a streaming thread, and holds it up.
  func write(_ sample: MediaSample) {
    let (step, file) = state.withLock { state -> (Step, RecordedFile) in (next(for: sample, &state), state.current) }
    if step.isTaken, replay?.add(sample) == true { state.withLock(\.sink)?.requestKeyFrame() }
    if step.isTaken, !isWritten { return }
    switch step {
    case .drop: return
    case .surplus: return listener.surplus()
    case .end(let last):
      listener.isFull(last)
      if sample.pts ?? .max > last ?? .min { listener.surplus() }
      return
    case .write: break
    case .begin(let time): askForKeyFrame(after: time)
    case .ask: state.withLock(\.sink)?.requestKeyFrame()
    case .split:
      if split(before: sample) { listener.isGrown(current.output.final) }
      return
    case .change:
      listener.warn(FileSequence.change(to: sample, from: state.withLock(\.latest)))
      _ = split(before: sample, isChange: true)
      return
    }
    state.withLock { $0.latest = sample }
    file.writer.write(sample)
  }

  private func next(for sample: MediaSample, _ state: inout State) -> Step {
    guard !state.isOver, let captured = sample.pts ?? sample.dts else { return state.isOver ? .drop : .write }
    // What is shown before the last frame and does not come is missing, what is shown after it was never asked for.
    if state.isFull { return captured > state.newest ?? .min ? .surplus : .drop }
    let (time, frame) = (timeline.recorded(captured), particulars(of: sample, after: state.newest))
    state.origin = state.origin ?? time
    let isSplitDue = state.start.map { isDue(at: time - $0, frame, state) } ?? false
    let isChange = state.latest.map { !sample.continues($0) } ?? false
    // Nothing before its first key frame can be decoded in a new file.
    if isChange, !sample.isKeyFrame { return .drop }
    let splits = isChange || (isSplitDue && sample.isKeyFrame && !state.hasFailedToSplit)
    guard state.budget.holds(frame, isFirst: splits) else {
      state.isFull = true
      return .end(last: state.newest)
    }
    state.newest = max(state.newest ?? captured, captured)
    if splits { return isChange ? .change : .split }
    defer { state.budget.add(frame) }
    guard state.start != nil else {
      state.start = time
      return .begin(time)
    }
    warn(of: frame, &state)
    guard isSplitDue, state.asked.map({ time - $0 >= FileSequence.askingAgain }) ?? true else { return .write }
    state.asked = time
    state.budget.ask()
    return .ask
  }

  /// An encoder that was exchanged has forgotten what was asked of it.
  private static let askingAgain: Int64 = 500_000_000

  private func particulars(of sample: MediaSample, after newest: Int64?) -> FileBudget.Frame {
    let ahead = (sample.pts ?? 0) - (newest ?? sample.pts ?? 0)
    let followers = period > 0 ? min(FileSequence.mostBFrames, (ahead + period / 2) / period - 1) : 0
    return FileBudget.Frame(
      bytes: sample.size, isKeyFrame: sample.isKeyFrame, time: sample.dts ?? sample.pts ?? 0,
      followers: max(0, Int(followers)))
  }

  /// That any encoder makes in a row.
  private static let mostBFrames: Int64 = 16

  private func isDue(at age: Int64, _ frame: FileBudget.Frame, _ state: State) -> Bool {
    if state.isSplitWanted || state.budget.isDue(before: frame) || age >= longest ?? .max { return true }
    return rule?.duration.map { age >= $0.nanoseconds - period / 2 } ?? false
  }

  /// Frames are worth more than the limit of a file.
  private func warn(of frame: FileBudget.Frame, _ state: inout State) {
    guard !state.isLate, state.budget.isLate(frame) else { return }
    state.isLate = true
    listener.warn("A file becomes larger than it may, as no key frame came in time that the next could begin with.")
  }

  /// So that the file is as long as asked, to the frame.
  private func askForKeyFrame(after start: Int64) {
    guard let duration = rule?.duration else { return }
    state.withLock(\.sink)?.requestKeyFrame(at: timeline.captured(start + duration.nanoseconds - period / 2))
  }

  private static func change(to sample: MediaSample, from latest: MediaSample?) -> String {
    func size(_ sample: MediaSample?) -> VideoDimensions? {
      sample.flatMap { CapsFlattener().flatten($0.caps).first?.dimensions.largest }
    }
    let (before, after) = (size(latest), size(sample))
    let what =
      if let before, let after, before != after { "The recorded picture changes from \(before) to \(after)" } else {
        "The recorded stream has other parameters from here on"
      }
    return "\(what), which one file cannot hold: the recording goes on in the next one."
  }

  // MARK: One file after the other

  /// The file that is written now ends before the next frame that can be decoded by itself.
  func requestSplit() {
    let sink = state.withLock { state in
      state.isSplitWanted = true
      return state.sink
    }
    sink?.requestKeyFrame()
  }

  /// Where the next file cannot be begun, this one goes on: nothing is lost.
  /// - Parameter isChange: whether this one cannot hold the frame: then it ends here.
  private func split(before sample: MediaSample, isChange: Bool = false) -> Bool {
    let old = current
    do {
      let next = try makeNext(old.number + 1)
      do { try next.start() } catch {
        next.output.remove()
        throw CaptureError(.notWritable, "\(error)")
      }
      let time = timeline.recorded(sample.pts ?? sample.dts ?? 0)
      state.withLock { state in
        state.unsettled.append(old)
        state.current = next
        (state.start, state.isSplitWanted, state.asked) = (time, false, nil)
        state.budget.beginFile()
        state.budget.add(particulars(of: sample, after: nil))
        state.latest = sample
      }
      watch(next)
      old.writer.finish()
      askForKeyFrame(after: time)
      next.writer.write(sample)
      return true
    } catch  where isChange {
      let last = state.withLock { state in
        (state.isFull, state.newest) = (true, state.latest?.pts)
        return state.newest
      }
      listener.isStuck(error as? CaptureError ?? CaptureError(.notWritable, "\(error)"), last)
      listener.surplus()
      return false
    } catch {
      state.withLock { state in
        state.hasFailedToSplit = true
        state.budget.add(particulars(of: sample, after: nil))
        state.latest = sample
      }
      listener.warn(
        "The next file cannot be begun, and this one goes on: \((error as? CaptureError)?.message ?? "\(error)")")
      old.writer.write(sample)
      return false
    }
  }

  private func watch(_ file: RecordedFile) {
    let task = Task.detached { [self] in
      switch await file.writer.ending() {
      case nil: break
      case .failed(let failure): mailbox.yield(.failed(failure))
      case .refused(let failure): mailbox.yield(.refused(failure, file.output.current))
      case .complete: await complete(file)
      }
    }
    state.withLock { $0.watches.append(task) }
  }

  private func complete(_ file: RecordedFile) async {
    let (isLast, others) = state.withLock { state in
      (state.current === file, state.watches.dropLast())
    }
    guard isLast else { return settle(file, isComplete: true) }
    for task in others { await task.value }
    mailbox.yield(.complete)
  }

  private func settle(_ file: RecordedFile, isComplete: Bool) {
    let isMine = state.withLock { state in
      let count = state.unsettled.count
      state.unsettled.removeAll { $0 === file }
      return state.unsettled.count < count
    }
    guard isMine else { return }
    file.writer.close()
    listener.synchronized(file.longestGap)
    let settlement = file.settle(isComplete: isComplete, origin: origin)
    if let warning = settlement.warning { listener.warn(warning) }
    if let failure = settlement.failure { listener.warn(failure.message) }
    state.withLock { $0.reports.append(settlement.report) }
    listener.finished(settlement.report, current.output.final)
    keep(settlement.report)
  }

  /// Takes away what is more than shall be kept; never what is being written.
  private func keep(_ report: FileReport) {
    guard let file = report.file, let rule = rule?.keep else { return }
    let now = ContinuousClock.now
    let surplus = state.withLock { state -> [URL] in
      let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize).map { Int64($0) } ?? report.bytes
      state.kept.append((file, size, now))
      let count = rule.surplus(of: state.kept.map { ($0.bytes, now - $0.finished) })
      defer { state.kept.removeFirst(count) }
      return state.kept.prefix(count).map(\.file)
    }
    for file in surplus {
      do { try FileManager.default.removeItem(at: file) } catch {
        listener.warn("\(file.lastPathComponent) could not be removed to make room: \(CaptureError.cause(of: error)).")
      }
    }
  }

  // MARK: The end

  /// Completes the last file behind what was written.
  func finish() {
    let file = state.withLock { state in
      state.isOver = true
      return state.current
    }
    file.writer.finish()
  }

  /// Takes the pipelines down, also where a frame waits to be written. The current file is the caller's to settle.
  func close() {
    let (file, tasks, unsettled) = state.withLock { state in
      state.isOver = true
      return (state.current, state.watches, state.unsettled)
    }
    file.writer.close()
    for task in tasks { task.cancel() }
    for file in unsettled { settle(file, isComplete: false) }
    mailbox.finish()
  }
}
