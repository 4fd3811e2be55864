/// A serial queue that an actor can sit on, for work that blocks: state changes and ioctls must not hold up the
/// program's other tasks.

import Dispatch

/// `DispatchSerialQueue`, which is this on Apple's systems, does not exist on Linux.
package final class SerialQueue: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// For an actor that owns the queue, and so outlives no job on it.
  @safe package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
}
