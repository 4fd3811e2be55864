/// A pipeline between two ends that are the program's: pictures or frames in, frames or pictures out.

import Foundation
import GStreamer
import Synchronization

/// Nothing here waits without an end: what a step blocks is a thread that is then left behind.
final class BenchPipeline: Sendable {
  private struct State {
    var samples: [MediaSample] = []
    var hasEnded = false
  }

  let pipeline: Pipeline
  let source: AppSource
  private let state = Mutex(State())

  /// - Parameters:
  ///   - waiting: frames that may wait before the first element.
  ///   - keep: what is kept of each sample, as a sample; `nil` for nothing. Called on the streaming thread.
  init(
    _ elements: [Element], waiting: Int, keep: @escaping @Sendable (MediaSample) -> MediaSample? = { $0 }
  ) throws {
    pipeline = try Pipeline(name: "trial")
    source = try AppSource(name: "pictures", isLive: false)
    for (name, value) in [("max-buffers", waiting), ("max-bytes", 0)] { try source.element.set(name, to: .int(value)) }
    try source.element.set("block", to: .bool(true))
    let end = try Element(factory: "appsink", name: "end")
    for name in ["sync", "async"] { try end.set(name, to: .bool(false)) }
    let chain = [source.element] + elements + [end]
    try pipeline.add(chain)
    try pipeline.link(chain: chain)
    guard let sink = AppSink(end) else { throw CaptureError(.elementMissing, "GStreamer has no appsink here.") }
    let receiver = AppSink.Receiver(
      sample: { [self] sample in
        let kept = keep(sample)
        state.withLock { state in if let kept { state.samples.append(kept) } }
      }, endOfStream: { [self] in state.withLock { $0.hasEnded = true } })
    sink.deliver(to: receiver)
  }

  var samples: [MediaSample] { state.withLock { $0.samples } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  var failure: ElementFailure? { pipeline.bus.firstFailure }

  /// - Returns: false where it has not come to playing in that time.
  func start(within patience: Duration) -> Bool {
    let pipeline = pipeline
    return Bench.within(patience) { _ = try? pipeline.setState(.playing) }
  }

  /// Waits for the last frame, or the first error.
  /// - Returns: false where neither came in that time.
  func waitForEnd(within patience: Duration) -> Bool {
    Bench.wait(patience) { hasEnded || failure != nil }
  }

  /// - Returns: false where an element does not let go in that time.
  func close(within patience: Duration) -> Bool {
    let pipeline = pipeline
    return Bench.within(patience) { _ = try? pipeline.setState(.null) }
  }
}

/// Waiting with an end.
enum Bench {
  /// Looks every few milliseconds, which costs nothing that a figure would show. Time in which this process works counts
  /// a quarter: what works does not hang, and on a busy machine it takes longer.
  static func wait(_ patience: Duration, until condition: () -> Bool) -> Bool {
    let begin = (time: ContinuousClock.now, work: OwnProcess.processorTime)
    while !condition() {
      let time = (ContinuousClock.now - begin.time).inSeconds
      let work = min(time, OwnProcess.processorTime - begin.work)
      guard time - work * 0.75 < patience.inSeconds else { return condition() }
      Thread.sleep(forTimeInterval: 0.003)
    }
    return true
  }

  /// Does what may hang on a thread of its own.
  /// - Parameter isVain: whether there is no point in waiting any longer.
  /// - Returns: false where it is not done in that time.
  static func within(
    _ patience: Duration, unless isVain: @autoclosure () -> Bool = false, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    let done = Completion()
    Thread.detachNewThread {
      work()
      done.isThere.store(true, ordering: .releasing)
    }
    _ = wait(patience) { done.isThere.load(ordering: .acquiring) || isVain() }
    return done.isThere.load(ordering: .acquiring)
  }

  /// Shared with a thread that may outlive whoever waits for it.
  private final class Completion: Sendable {
    let isThere = Atomic(false)
  }
}
