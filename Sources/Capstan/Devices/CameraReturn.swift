/// Waits for a camera to be there again, and has it tried until it works.

import GStreamer
import Synchronization

struct CameraReturn: Sendable {
  let camera: CaptureDevice
  /// Before the first try: a camera that has just failed again is left alone for a moment.
  var delay = Duration.zero

  /// Between two tries of a camera that is there and does not work.
  private static let pause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(5)

  /// Returns once it works, or when the task is cancelled.
  /// - Parameter connect: says whether it works.
  func wait(_ connect: @escaping @Sendable (CaptureDevice) async -> Bool) async {
    try? await Task.sleep(for: delay)
    guard case .v4l2 = camera.kind else { return await retry(connect) }
    let presence = CameraPresence(camera)
    defer { presence.stop() }
    var pause = CameraReturn.pause
    for await _ in presence.start() {
      guard let found = presence.found else { continue }
      if await connect(found) || Task.isCancelled { return }
      presence.lookAgain(in: pause)
      pause = min(pause * 2, CameraReturn.longestPause)
    }
  }

  /// What is no node tells nobody that it is back.
  private func retry(_ connect: @Sendable (CaptureDevice) async -> Bool) async {
    var pause = CameraReturn.pause
    while !Task.isCancelled {
      if await connect(camera) { return }
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, CameraReturn.longestPause)
    }
  }
}

/// The cameras that are there, one of them perhaps the one that is waited for.
private final class CameraPresence: Sendable {
  private struct State {
    var same: SameCamera
    var cameras: [CaptureDevice] = []
  }

  private let watch = DeviceWatch()
  private let state: Mutex<State>
  private let tasks = TaskBag()
  private let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(_ camera: CaptureDevice) { state = Mutex(State(same: SameCamera(camera: camera))) }

  var found: CaptureDevice? { state.withLock { $0.same.found(among: $0.cameras) } }

  /// Rings now, and with each change.
  func start() -> AsyncStream<Void> {
    let changes = watch.start()
    let present = DeviceDiscovery().cameras()
    state.withLock { state in
      state.same.others = present
      state.cameras = present
    }
    tasks.add(
      Task.detached { [weak self] in
        for await change in changes { self?.take(change) }
      })
    ringer.yield()
    return bell
  }

  func lookAgain(in pause: Duration) {
    tasks.add(
      Task.detached { [ringer] in
        try? await Task.sleep(for: pause)
        ringer.yield()
      })
  }

  private func take(_ change: CaptureDevice.Change) {
    state.withLock { state in
      state.cameras.removeAll { $0.path == change.device.path }
      if case .added(let camera) = change { state.cameras.append(camera) }
    }
    ringer.yield()
  }

  func stop() {
    tasks.cancel()
    watch.stop()
    ringer.finish()
  }
}
