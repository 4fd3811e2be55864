/// Brings a file that is being written to the disk again and again, so that a power cut takes little of it.

import GStreamer
import Synchronization

/// By a descriptor and on a thread of its own: a disk that takes its time holds up nobody who writes.
final class DiskSynchronizer: Sendable {
  private struct State {
    /// Since when what was written need not be on the disk.
    var since: ContinuousClock.Instant?
    var longest = Duration.zero
    var hasFailed = false
  }

  private let file: OpenFile
  private let interval: Duration
  private let failed: @Sendable (SystemFailure) -> Void
  private let state = Mutex(State())
  private let cadence = Mutex<Cadence?>(nil)

  /// - Parameter failed: called once. The system tells it to one of those who have the file open, and to nobody else.
  init(_ file: OpenFile, every interval: Duration, failed: @escaping @Sendable (SystemFailure) -> Void) {
    self.file = file
    self.interval = interval
    self.failed = failed
  }

  func start() {
    state.withLock { $0.since = .now }
    cadence.withLock { $0 = Cadence("synchronizer", every: interval) { [weak self] in self?.synchronize() } }
  }

  /// What is under way is not waited for.
  func stop() { cadence.withLock { $0?.stop() } }

  /// The most time in which what was written was not on the disk.
  var longestGap: Duration {
    state.withLock { state in max(state.longest, state.since.map { ContinuousClock.now - $0 } ?? .zero) }
  }

  private func synchronize() {
    let began = ContinuousClock.now
    do {
      try file.synchronizeData()
      state.withLock { state in
        state.longest = max(state.longest, state.since.map { ContinuousClock.now - $0 } ?? .zero)
        state.since = began
      }
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { failed(error) }
    }
  }
}
