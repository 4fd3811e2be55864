/// Notices the end of the process that started this one.

import Dispatch
import Foundation
import Synchronization

/// By the number of the parent, which becomes another one when it ends (`getppid(2)`). A signal at its death
/// (`PR_SET_PDEATHSIG`) would come with the end of the thread that started this process too.
final class ParentWatch {
  /// Between two looks.
  private static let period = DispatchTimeInterval.milliseconds(200)

  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - parent: as it was when this process began to run.
  ///   - gone: called once, on a queue of its own.
  init(parent: Int32, gone: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "capstan.parent"))
    timer.schedule(deadline: .now(), repeating: ParentWatch.period)
    let hasTold = Atomic<Bool>(false)
    timer.setEventHandler {
      guard ParentWatch.isGone(parent), !hasTold.exchange(true, ordering: .relaxed) else { return }
      gone()
    }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Also where it had ended before this process could look: then it is a child of the first process, and not of its
  /// session.
  private static func isGone(_ parent: Int32) -> Bool {
    getppid() != parent || (parent == 1 && getsid(1) != getsid(0))
  }
}
