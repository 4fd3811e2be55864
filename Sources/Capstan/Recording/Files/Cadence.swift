/// Work that is done again and again on a thread of its own, where it may block without holding up anybody.

import Dispatch
import Synchronization

final class Cadence: Sendable {
  private let queue: DispatchQueue
  private let interval: Double
  private let isOver = Atomic<Bool>(false)
  private let work: @Sendable () -> Void

  /// Begins at once. Work that takes longer than the interval is done without a pause, and never twice at a time.
  init(_ name: String, every interval: Duration, _ work: @escaping @Sendable () -> Void) {
    queue = DispatchQueue(label: "capstan.\(name)", qos: .utility)
    self.interval = Double(interval.nanoseconds) / 1e9
    self.work = work
    repeatWork()
  }

  private func repeatWork() {
    queue.async { [weak self] in
      guard let self, !isOver.load(ordering: .acquiring) else { return }
      let due = DispatchTime.now() + interval
      work()
      queue.asyncAfter(deadline: due) { [weak self] in self?.repeatWork() }
    }
  }

  /// Work that is under way is not waited for.
  func stop() { isOver.store(true, ordering: .releasing) }
}
