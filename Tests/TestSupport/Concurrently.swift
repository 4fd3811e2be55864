/// Several programs at once, for work that needs no real time.

import Foundation

/// Does the work for all of them, a few more at a time than there are cores; the results are in order.
public func concurrently<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Result
) async throws -> [Result] {
  let width = ProcessInfo.processInfo.activeProcessorCount + 1
  return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var results: [Int: Result] = [:]
    for (index, item) in items.enumerated() {
      if index >= width, let (done, result) = try await group.next() { results[done] = result }
      group.addTask { (index, try await work(item)) }
    }
    for try await (done, result) in group { results[done] = result }
    return items.indices.compactMap { results[$0] }
  }
}
