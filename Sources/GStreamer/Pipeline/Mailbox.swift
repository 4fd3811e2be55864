/// A queue from any thread to one asynchronous reader, in which a newer letter can take an older one's place.

import Synchronization

final class Mailbox<Letter: Sendable>: Sendable {
  private struct State {
    var letters: [Letter] = []
    var reader: CheckedContinuation<Letter?, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  /// `merge` is asked, newest first, for what a waiting letter and the new one make together; `nil` keeps them apart.
  func post(_ letter: Letter, merge: (Letter, Letter) -> Letter? = { _, _ in nil }) {
    let reader = state.withLock { state -> CheckedContinuation<Letter?, Never>? in
      guard !state.isClosed else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      for index in state.letters.indices.reversed() {
        if let merged = merge(state.letters[index], letter) {
          state.letters[index] = merged
          return nil
        }
      }
      state.letters.append(letter)
      return nil
    }
    reader?.resume(returning: letter)
  }

  /// What has been posted can still be read.
  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Waits for a letter; `nil` once the box is closed and empty, or where the reader's task was cancelled.
  func next() async -> Letter? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Letter?? in
          if !state.letters.isEmpty { return .some(state.letters.removeFirst()) }
          // Asked under the lock: a cancellation either is seen here or finds the reader below.
          if state.isClosed || Task.isCancelled || state.reader != nil { return .some(nil) }
          state.reader = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }

  /// Looks at what waits, oldest first, and takes nothing out.
  func firstUnread<Found: Sendable>(_ find: (Letter) -> Found?) -> Found? {
    let waiting = state.withLock { $0.letters }
    return waiting.lazy.compactMap(find).first
  }

  /// The letters as a stream; every such stream takes from the same box.
  var letters: AsyncStream<Letter> { AsyncStream { await self.next() } }
}
