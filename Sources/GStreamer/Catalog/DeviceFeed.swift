/// The one device monitor of a process, for any number of readers.
///
/// GStreamer 1.22 gives a provider's bus a single handler: a second monitor takes it from the first, and takes it away
/// for good when it goes, so that a monitor that runs hears nothing any more. Hence one, which is never let go.

import Synchronization

package final class DeviceFeed: Sendable {
  package static let cameras = DeviceFeed(classes: "Video/Source")

  private let classes: String
  private let state = Mutex(State())

  private struct State {
    var monitor: DeviceMonitor?
    var isRunning = false
    var readers: [Int: AsyncStream<DeviceChange>.Continuation] = [:]
    var nextReader = 0
  }

  init(classes: String) { self.classes = classes }

  /// The devices there are now, as `DeviceMonitor.devices`.
  package var devices: [MonitoredDevice] {
    state.withLock { state in monitor(in: &state)?.devices ?? [] }
  }

  /// Changes from now on, those that are there among the first; `nil` where no provider can watch. Providers rest when
  /// the last reader has gone.
  package func changes() -> AsyncStream<DeviceChange>? {
    let (stream, continuation) = AsyncStream.makeStream(of: DeviceChange.self)
    let reader = state.withLock { state -> Int? in
      guard let monitor = monitor(in: &state) else { return nil }
      state.readers[state.nextReader] = continuation
      if !state.isRunning { state.isRunning = monitor.start() }
      guard state.isRunning else {
        state.readers[state.nextReader] = nil
        return nil
      }
      defer { state.nextReader += 1 }
      return state.nextReader
    }
    guard let reader else { return nil }
    continuation.onTermination = { [self] _ in
      // Resting joins a provider's thread: not on the time of whoever cancels.
      Task.detached { [self] in leave(reader) }
    }
    return stream
  }

  private func leave(_ reader: Int) {
    state.withLock { state in
      state.readers[reader] = nil
      guard state.readers.isEmpty, state.isRunning else { return }
      state.monitor?.rest()
      state.isRunning = false
    }
  }

  private func monitor(in state: inout State) -> DeviceMonitor? {
    if let monitor = state.monitor { return monitor }
    guard let monitor = try? DeviceMonitor(classes: classes) else { return nil }
    state.monitor = monitor
    Task.detached { [self] in
      for await change in monitor.changes { tell(change) }
    }
    return monitor
  }

  private func tell(_ change: DeviceChange) {
    let readers = state.withLock { Array($0.readers.values) }
    for reader in readers { reader.yield(change) }
  }
}
