/// Watches for cameras on a task of its own: wakes by udev's events or by the clock, looks, and tells what differs.

import Foundation
import GStreamer
import Synchronization

final class DeviceWatch: Sendable {
  /// Where udev's daemon listens; without it GStreamer's monitor hears nothing.
  static let daemon = "/run/udev/control"
  /// The most that a change waits where nobody tells of it.
  static let period = Duration.seconds(1)
  /// A camera's nodes come one by one, and their rights a moment after them.
  static let settling = Duration.milliseconds(200)

  private let (letters, mailbox) = AsyncStream.makeStream(of: CaptureDevice.Change.self)
  private let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let news = Mutex(News())
  private let tasks = TaskBag()

  /// What events told since the last look.
  struct News: Sendable, Hashable {
    var gone: Set<String> = []
    var came: Set<String> = []
  }

  deinit { stop() }

  /// Once. The stream ends with `stop()`, or with its reader.
  func start() -> AsyncStream<CaptureDevice.Change> {
    let tasks = tasks
    mailbox.onTermination = { _ in tasks.cancel() }
    tasks.add(listen() ?? lookRegularly())
    // Between this look and the start of the watch nothing can be missed: what comes twice is told once.
    var ledger = CameraLedger()
    _ = ledger.changes(after: News())
    tasks.add(tell(ledger))
    return letters
  }

  func stop() {
    tasks.cancel()
    ringer.finish()
    mailbox.finish()
  }

  private func tell(_ ledger: CameraLedger) -> Task<Void, Never> {
    Task.detached { [weak self, bell, mailbox] in
      var ledger = ledger
      for await _ in bell {
        try? await Task.sleep(for: DeviceWatch.settling)
        guard !Task.isCancelled, let news = self?.takeNews() else { break }
        for change in ledger.changes(after: news) { mailbox.yield(change) }
      }
      mailbox.finish()
    }
  }

  private func takeNews() -> News {
    news.withLock { news in
      defer { news = News() }
      return news
    }
  }

  // MARK: What wakes

  /// udev's events by way of GStreamer; `nil` where they do not come.
  private func listen() -> Task<Void, Never>? {
    guard FileManager.default.fileExists(atPath: DeviceWatch.daemon), let changes = DeviceFeed.cameras.changes() else {
      return nil
    }
    return Task.detached { [weak self] in
      for await change in changes { self?.note(change) }
    }
  }

  private func note(_ change: DeviceChange) {
    news.withLock { news in
      switch change {
      case .added(let device), .changed(let device):
        if let path = device.properties["device.path"] { news.came.insert(path) }
      case .removed(let device):
        if let path = device.properties["device.path"] { news.gone.insert(path) }
      }
    }
    ringer.yield()
  }

  private func lookRegularly() -> Task<Void, Never> {
    Task.detached { [ringer] in
      while !Task.isCancelled {
        try? await Task.sleep(for: DeviceWatch.period)
        ringer.yield()
      }
    }
  }
}
