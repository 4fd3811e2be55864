/// Looks once a second at what is free on the disk of a recording, on a thread of its own: a file server may let it wait.

import Synchronization

final class DiskWatch: Sendable {
  /// What is known of a disk at one time.
  struct Look: Sendable, Hashable {
    /// Bytes.
    var free: Int64
    /// Bytes that files which are being written will still take.
    var owed: Int64
    /// False where the file that is being written was removed.
    var isThere = true
    /// True where a frame waits to be written.
    var isWaiting = false
  }

  fileprivate struct State {
    var latest: Look?
    /// The most bytes that it lost in a second.
    var rate = 0.0
    var isOver = false
    /// Looks in a row at which a frame waited, and whether that was told.
    var waits = 0
    var hasWarned = false
  }

  private static let behind =
    "The disk takes nothing any more: what the camera sends waits in memory, and is lost where that is not enough."

  private let reserve: DiskReserve
  private let look: @Sendable () -> Look?
  private let onReserve: @Sendable () -> Void
  private let onRemoval: @Sendable () -> Void
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let cadence = Mutex<Cadence?>(nil)

  /// - Parameters:
  ///   - look: may block; `nil` where the system does not tell.
  ///   - onReserve: called when the recording has to end so that the reserve holds.
  ///   - onRemoval: called when what is recorded was removed. One of the two is called, and once.
  init(
    reserve: DiskReserve, look: @escaping @Sendable () -> Look?, onReserve: @escaping @Sendable () -> Void,
    onRemoval: @escaping @Sendable () -> Void, warn: @escaping @Sendable (String) -> Void
  ) {
    self.reserve = reserve
    self.look = look
    self.onReserve = onReserve
    self.onRemoval = onRemoval
    self.warn = warn
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
    if state.withLock({ $0.isNewlyBehind(look) }) { warn(DiskWatch.behind) }
    let isReached = state.withLock { state in
      if let before = state.latest { state.rate = max(state.rate, Double(before.free - look.free)) }
      state.latest = look
      let isReached = reserve.isReached(free: look.free, owed: look.owed, rate: state.rate)
      guard !state.isOver, isReached || !look.isThere else { return false }
      state.isOver = true
      return true
    }
    guard isReached else { return }
    if look.isThere { onReserve() } else { onRemoval() }
  }
}

extension DiskWatch.State {
  /// Seen at two looks in a row, for the first time.
  fileprivate mutating func isNewlyBehind(_ look: DiskWatch.Look) -> Bool {
    waits = look.isWaiting ? waits + 1 : 0
    guard waits >= 2, !hasWarned else { return false }
    hasWarned = true
    return true
  }
}
