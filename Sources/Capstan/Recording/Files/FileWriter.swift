/// Writes one file from an encoded stream, in a pipeline of its own: a file can be finished while the camera goes on.

import Foundation
import GStreamer
import Synchronization

/// Frames are handed over by reference, at the times that they were captured at; in the file the first one is at zero.
final class FileWriter: Sendable {
  enum Ending: Sendable {
    /// The muxer has completed the file.
    case complete
    case failed(ElementFailure)
    /// What was written does not come to the disk.
    case refused(SystemFailure)
  }

  private struct State {
    /// The frame that is at zero in the file.
    var first: MediaSample?
    /// Whose caps were told last.
    var latest: MediaSample?
    var isOver = false
  }

  private let product: PipelineBuilder.Product
  private let source: AppSource
  /// Nanoseconds that a frame lasts which does not say it itself, as those of jpegparse: without, the last of a file
  /// would last no time.
  private let period: Int64?
  private let timeline: RecordingTimeline
  /// Whether frames are handed over with the times at which they are decoded.
  private let decodes: Bool
  private let state = Mutex(State())
  private let pushing = Atomic<Bool>(false)
  private let endings: AsyncStream<Ending>
  private let mailbox: AsyncStream<Ending>.Continuation

  /// Builds the pipeline, opens nothing.
  /// - Parameters:
  ///   - container: that the pipeline writes.
  ///   - period: of the camera, in nanoseconds.
  init(
    _ description: PipelineDescription, _ container: ContainerProfile, period: Int64?, timeline: RecordingTimeline
  ) throws(CaptureError) {
    self.period = period
    self.timeline = timeline
    decodes = container.holdsDecodingTimes
    product = try PipelineBuilder(description: description).build()
    guard let source = product.elements[NodeName.stream].flatMap(AppSource.init) else {
      throw CaptureError(.pipelineFailed, "The plan has nothing that a file's frames can be handed to.")
    }
    self.source = source
    (endings, mailbox) = AsyncStream.makeStream(of: Ending.self)
  }

  /// Calls `body` for every frame that the muxer takes, with the time of its capture, on the thread that carries it.
  func observeFrames(_ body: @escaping @Sendable (BufferInfo) -> Void) {
    source.element.pad("src")?.observeBuffers { [weak self] frame in
      if let self { body(frame.captured(timeline, origin: origin)) }
      return .pass
    }
  }

  /// Opens the file.
  func start() throws(StateChangeError) { try product.pipeline.setState(.playing) }

  /// Tells how it ends: once, and never before `start()`; `nil` where the task that waits is cancelled.
  func ending() async -> Ending? {
    let listener = Task { [product, mailbox] in
      for await message in product.pipeline.bus.messages {
        switch message {
        case .endOfStream: mailbox.yield(.complete)
        case .error(let failure): mailbox.yield(.failed(failure))
        default: break
        }
      }
    }
    defer { listener.cancel() }
    for await ending in endings { return ending }
    return nil
  }

  /// Blocks while as much waits as may: the encoder then waits too, and what the camera sends is kept before it. What
  /// comes after the end is dropped.
  func write(_ sample: MediaSample) {
    let (origin, isNew, isOver) = state.withLock { state -> (Int64, Bool, Bool) in
      state.first = state.first ?? sample
      defer { state.latest = sample }
      return (
        timeline.recorded(start(of: state.first)), state.latest.map { !sample.continues($0) } ?? true, state.isOver
      )
    }
    if isOver { return }
    if isNew { source.setCaps(of: sample) }
    pushing.store(true, ordering: .relaxed)
    defer { pushing.store(false, ordering: .relaxed) }
    _ = source.push(
      sample, pts: sample.pts.map { timeline.recorded($0) - origin },
      dts: decodes ? sample.dts.map { timeline.recorded($0) - origin } : nil, duration: period)
  }

  /// Of the pictures, as their stream says; `nil` before the first.
  var dimensions: VideoDimensions? {
    state.withLock(\.first).flatMap { CapsFlattener().flatten($0.caps).first?.dimensions.largest }
  }

  /// Whether a frame waits to be taken.
  var isWaiting: Bool { pushing.load(ordering: .relaxed) }

  /// Completes the file behind what was written. A muxer that was given nothing has nothing to complete.
  func finish() {
    let isEmpty = state.withLock { state in
      state.isOver = true
      return state.first == nil
    }
    if isEmpty { mailbox.yield(.complete) } else { source.endOfStream() }
  }

  /// The disk has refused what was written.
  func fail(_ failure: SystemFailure) { mailbox.yield(.refused(failure)) }

  /// Takes the pipeline down, also where a frame waits to be written. What was not completed stays as it is on disk.
  func close() {
    state.withLock { $0.isOver = true }
    _ = try? product.pipeline.setState(.null)
    product.pipeline.bus.close()
  }

  private var origin: Int64 { timeline.recorded(start(of: state.withLock(\.first))) }

  /// When its decoder starts, with B-frames before the picture is shown; or when it is shown, where the file knows
  /// nothing else.
  private func start(of sample: MediaSample?) -> Int64 { (decodes ? sample?.dts : nil) ?? sample?.pts ?? 0 }
}

extension BufferInfo {
  /// With the time of the capture in the place of the file's.
  fileprivate func captured(_ timeline: RecordingTimeline, origin: Int64) -> BufferInfo {
    BufferInfo(
      pts: pts.map { timeline.captured($0 + origin) }, dts: dts.map { timeline.captured($0 + origin) },
      duration: duration, offset: offset, size: size, isDelta: isDelta)
  }
}
