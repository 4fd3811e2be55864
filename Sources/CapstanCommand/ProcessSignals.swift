/// The signals that end a recording well, those that pause it and save a replay, and the one that must not end it at all.

import Dispatch
import Foundation

final class ProcessSignals {
  /// Each signal as it arrives, by its name.
  let received: AsyncStream<String>
  private let sources: [any DispatchSourceSignal]
  private let parent: ParentWatch?

  /// A reader that goes away, or a file that is larger than allowed, makes a write fail; it does not end the process.
  static func ignoreFailedWrites() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// The one that pauses and resumes.
  static let pause = "SIGUSR2"
  /// The one that saves a replay; where none is kept, that is told and nothing else happens.
  static let replay = "SIGUSR1"

  /// Takes over INT, TERM, HUP, USR1 and USR2 from here on. A hang-up that was ignored from the start, as `nohup` does, stays so.
  /// - Parameter watchesParent: whether the end of the process that started this one counts as such a signal.
  init(watchesParent: Bool = false) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    received = stream
    let names = [
      (SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP"), (SIGUSR1, ProcessSignals.replay),
      (SIGUSR2, ProcessSignals.pause),
    ]
    let queue = DispatchQueue(label: "capstan.signals")
    parent =
      watchesParent ? ParentWatch(parent: getppid()) { continuation.yield("The end of the parent process") } : nil
    sources = names.filter { $0.0 != SIGHUP || !ProcessSignals.ignoresFromTheStart(SIGHUP) }.map { number, name in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(name) }
      source.activate()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }

  /// The kernel's own list, as a bit mask in hexadecimal (proc(5), `SigIgn`).
  private static func ignoresFromTheStart(_ number: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    return mask >> UInt64(number - 1) & 1 == 1
  }
}
