/// Exchanges the encoder of a running recording for one at another speed, on a queue of its own, so that neither a
/// streaming thread nor the session waits for it.

import Dispatch
import GStreamer
import Synchronization

final class EncoderExchange: Sendable {
  enum Outcome: Sendable, Hashable {
    case done
    /// No frame came to do it between, or the recording ended before: all is as it was.
    case notNow
    case failed(String)
  }

  private struct State {
    var encoder: Element
    var count = 0
    var isOver = false
  }

  private let pipeline: Pipeline
  /// Longer than a frame takes to come.
  private let patience: Duration
  private let queue = DispatchQueue(label: "capstan.encoder-exchange")
  private let state: Mutex<State>

  init(pipeline: Pipeline, encoder: Element, period: Duration) {
    self.pipeline = pipeline
    patience = max(.seconds(1), period * 3)
    state = Mutex(State(encoder: encoder))
  }

  /// - Parameter done: called on the exchange's queue.
  func exchange(for node: PipelineDescription.Node, _ done: @escaping @Sendable (Outcome) -> Void) {
    queue.async { [self] in done(exchanged(for: node)) }
  }

  private func exchanged(for node: PipelineDescription.Node) -> Outcome {
    let (old, number, isOver) = state.withLock { state in
      state.count += 1
      return (state.encoder, state.count, state.isOver)
    }
    if isOver { return .notNow }
    var node = node
    node.name = "\(NodeName.encoder)-\(number)"
    do {
      let new = try PipelineBuilder.element(for: node)
      try pipeline.replace(old, by: new, patience: patience)
      state.withLock { $0.encoder = new }
      return .done
    } catch ReplacementError.noBuffer {
      return .notNow
    } catch {
      return state.withLock(\.isOver) ? .notNow : .failed("\(error)")
    }
  }

  /// From here on nothing is exchanged; what is under way goes on to its end.
  func finish() { state.withLock { $0.isOver = true } }

  /// Blocks until nothing is under way, so that the pipeline can be taken down; but not for ever: where a disk stands
  /// still, taking it down is what ends the wait.
  func close() {
    finish()
    let idle = DispatchSemaphore(value: 0)
    queue.async { idle.signal() }
    _ = idle.wait(timeout: .now() + .seconds(5))
  }

  /// What an error of an element says about the recording.
  enum Part: Sendable, Hashable {
    /// It is not an encoder of ours.
    case other
    case recordingEncoder
    /// One that has not taken over, or that has been let go.
    case bystander
  }

  func part(of element: String) -> Part {
    guard element.hasPrefix("\(NodeName.encoder)-") || element == NodeName.encoder else { return .other }
    return state.withLock { $0.encoder.name == element } ? .recordingEncoder : .bystander
  }
}
