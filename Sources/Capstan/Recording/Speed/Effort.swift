/// Whether this program works or waits: how much processor time it took since it was looked at last.

import GStreamer

struct Effort: Sendable {
  private let time = ContinuousClock.now
  private let processorTime = OwnProcess.processorTime

  static var now: Effort { Effort() }

  /// Of one core. Taking pictures from a camera that nobody can follow costs less, coding one costs more, also where
  /// other programs want the machine too.
  private static let share = 0.2

  /// - Parameter earlier: the look before, which this one takes the place of.
  func isWork(since earlier: inout Effort) -> Bool {
    defer { earlier = self }
    let seconds = (time - earlier.time).inSeconds
    return seconds > 0 && processorTime - earlier.processorTime > seconds * Effort.share
  }
}
