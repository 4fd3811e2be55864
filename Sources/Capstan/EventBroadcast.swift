/// Hands each event to every reader, without ever waiting for one.

import Synchronization

final class EventBroadcast: Sendable {
  /// About a minute of status; the newest are kept.
  private static let memory = 256

  private let readers = Mutex<[Int: AsyncStream<CaptureEvent>.Continuation]>([:])
  private let nextReader = Atomic<Int>(0)

  func subscribe() -> AsyncStream<CaptureEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CaptureEvent.self, bufferingPolicy: .bufferingNewest(EventBroadcast.memory))
    let reader = nextReader.add(1, ordering: .relaxed).newValue
    readers.withLock { $0[reader] = continuation }
    continuation.onTermination = { [weak self] _ in
      self?.readers.withLock { _ = $0.removeValue(forKey: reader) }
    }
    return stream
  }

  func send(_ event: CaptureEvent) {
    let all = readers.withLock { Array($0.values) }
    for reader in all { reader.yield(event) }
  }

  deinit {
    readers.withLock { for reader in $0.values { reader.finish() } }
  }
}
