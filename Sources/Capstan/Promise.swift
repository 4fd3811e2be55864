/// A value that comes once and that any number of tasks can wait for.

import Synchronization

final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case waiting([CheckedContinuation<Value, Never>])
    case done(Value)
  }

  private let state = Mutex(State.waiting([]))

  /// Only the first call counts.
  func fulfill(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .waiting(let waiting) = state else { return [] }
      state = .done(value)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var isFulfilled: Bool {
    state.withLock { if case .done = $0 { true } else { false } }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Value? in
          switch state {
          case .done(let value): return value
          case .waiting(let others):
            state = .waiting(others + [continuation])
            return nil
          }
        }
        if let ready { continuation.resume(returning: ready) }
      }
    }
  }
}
