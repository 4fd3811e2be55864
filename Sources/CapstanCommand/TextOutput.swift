/// A descriptor that text is written to, on a queue of its own: a reader that is slow or gone can hold up nothing else.

import Capstan
import Dispatch
import Foundation
import GStreamer
import Synchronization

final class TextOutput: Sendable {
  private let handle: FileHandle
  private let descriptor: Int32
  /// Its reader has gone once writing fails with EIO.
  private let wasTerminal: Bool
  private let queue: DispatchQueue
  private let waiting = Atomic<Int>(0)
  private let writes = Atomic<Int>(0)
  /// True once nobody waits for the reader any longer.
  private let isGivenUp = Atomic<Bool>(false)
  private let cause = Mutex<String?>(nil)
  private let isImpatient = Atomic<Bool>(false)
  /// After a recording, a reader that takes nothing for so long has lost interest.
  private static let patience = Duration.seconds(10)

  init(_ handle: FileHandle, descriptor: Int32) {
    self.handle = handle
    self.descriptor = descriptor
    wasTerminal = Terminal.isTerminal(descriptor)
    queue = DispatchQueue(label: "capstan.output.\(descriptor)")
  }

  var isTerminal: Bool { Terminal.isTerminal(descriptor) }

  /// In columns, asked anew each time: windows are resized. 80 where nobody knows.
  var width: Int { Terminal.width(descriptor) ?? 80 }

  /// True where nothing is waiting to be taken.
  var isIdle: Bool { waiting.load(ordering: .relaxed) == 0 }

  /// Returns at once.
  func post(_ text: String) { enqueue(text) {} }

  /// Returns once the reader has taken it.
  func write(_ text: String) async {
    await withCheckedContinuation { continuation in enqueue(text) { continuation.resume() } }
  }

  /// Returns once everything posted has been taken.
  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// From now on, a reader that does not read holds the program's end back for a while only. Until then it is waited
  /// for, as pagers want it.
  func limitPatience() { isImpatient.store(true, ordering: .relaxed) }

  /// Ends every wait for the reader.
  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  /// Waits for work that waits for this reader.
  func outlast(_ work: Task<some Sendable, Never>) async {
    let clock = ContinuousClock()
    var (taken, deadline) = (writes.load(ordering: .relaxed), clock.now + TextOutput.patience)
    while !isGivenUp.load(ordering: .relaxed), await !work.ends(within: .milliseconds(250)) {
      let now = writes.load(ordering: .relaxed)
      if now != taken { (taken, deadline) = (now, clock.now + TextOutput.patience) }
      if clock.now >= deadline, isImpatient.load(ordering: .relaxed) { giveUp() }
    }
  }

  /// Why something could not be written, where its reader has not just gone: a full disk, for one.
  var failure: String? { cause.withLock { $0 } }

  private static func isCause(_ code: Int32, of error: any Error) -> Bool {
    let error = error as NSError
    let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError].compactMap { $0 }
    return causes.contains { $0.domain == NSPOSIXErrorDomain && $0.code == Int(code) }
  }

  /// What a closed pipe or terminal does not take is dropped: nobody reads it.
  private func enqueue(_ text: String, then done: @escaping @Sendable () -> Void) {
    waiting.add(1, ordering: .relaxed)
    queue.async { [self] in
      do {
        try handle.write(contentsOf: Data(text.utf8))
      } catch {
        let causes = [EPIPE, EBADF] + (wasTerminal ? [EIO] : [])
        let hasNoReader = causes.contains { TextOutput.isCause($0, of: error) }
        if !hasNoReader { cause.withLock { $0 = $0 ?? CaptureError.cause(of: error) } }
      }
      waiting.subtract(1, ordering: .relaxed)
      writes.add(1, ordering: .relaxed)
      done()
    }
  }
}

extension Task where Failure == Never {
  /// True where the task has ended before the time is over.
  fileprivate func ends(within time: Duration) async -> Bool {
    let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
    let racers = [
      Task<Void, Never>.detached {
        _ = await value
        continuation.yield(true)
      },
      Task<Void, Never>.detached {
        try? await Task<Never, Never>.sleep(for: time)
        continuation.yield(false)
      },
    ]
    defer { for racer in racers { racer.cancel() } }
    return await results.first { _ in true } ?? true
  }
}
