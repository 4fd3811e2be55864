/// Tasks that end together, from any thread.

import Synchronization

final class TaskBag: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]?>([])

  /// Cancelled at once where the bag has been.
  func add(_ task: Task<Void, Never>) {
    let isOpen = tasks.withLock { tasks in
      tasks?.append(task)
      return tasks != nil
    }
    if !isOpen { task.cancel() }
  }

  func cancel() {
    let all = tasks.withLock { tasks in
      defer { tasks = nil }
      return tasks ?? []
    }
    for task in all { task.cancel() }
  }
}
