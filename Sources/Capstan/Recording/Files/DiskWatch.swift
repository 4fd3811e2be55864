/// Looks once a second at what is free on the disk of a recording, on a thread of its own: a file server may let it wait.

import Synchronization

final class DiskWatch: Sendable {
  /// What is known of a disk at one time.
  struct Look: Sendable, Hashable {
    /// Bytes.
    var free: Int64
    /// Bytes that files which are being written will still take.
    var owed: Int64
  }

  private struct State {
    var latest: Look?
    /// The most bytes that it lost in a second.
    var rate = 0.0
    var isOver = false
  }

  private let reserve: DiskReserve
  private let look: @Sendable () -> Look?
  private let onReserve: @Sendable () -> Void
  private let state = Mutex(State())
  private let cadence = Mutex<Cadence?>(nil)

  /// - Parameters:
  ///   - look: may block; `nil` where the system does not tell.
  ///   - onReserve: called once, when the recording has to end so that the reserve holds.
  init(reserve: DiskReserve, look: @escaping @Sendable () -> Look?, onReserve: @escaping @Sendable () -> Void) {
    self.reserve = reserve
    self.look = look
    self.onReserve = onReserve
  }

  /// Looks at once, and then every second.
  func start() {
    cadence.withLock { $0 = Cadence("disk", every: .seconds(1)) { [weak self] in self?.check() } }
  }

  /// Bytes that were free at the last look; `nil` before the first.
  var freeBytes: Int64? { state.withLock(\.latest?.free) }

  func stop() {
    state.withLock { $0.isOver = true }
    cadence.withLock { $0?.stop() }
  }

  private func check() {
    guard let look = look() else { return }
    let isReached = state.withLock { state in
      if let before = state.latest { state.rate = max(state.rate, Double(before.free - look.free)) }
      state.latest = look
      guard !state.isOver, reserve.isReached(free: look.free, owed: look.owed, rate: state.rate) else { return false }
      state.isOver = true
      return true
    }
    if isReached { onReserve() }
  }
}
