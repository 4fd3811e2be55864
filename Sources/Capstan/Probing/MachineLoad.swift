/// How much of the machine other programs take meanwhile.

import Foundation

/// Two looks, taken from `/proc/stat` (`proc(5)`), and the time between them.
struct MachineLoad: Sendable {
  private let time: ContinuousClock.Instant
  /// Seconds of work of all cores since the machine started; `nil` where the system does not tell.
  private let worked: Double?

  /// A share of the machine; more of it taken by others is a disturbance.
  private static let tolerance = 0.15

  static var now: MachineLoad {
    MachineLoad(time: .now, worked: (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(worked))
  }

  /// The fields of the line are hundredths of a second: user, nice, system, idle, iowait, irq, softirq, steal.
  private static func worked(_ text: String) -> Double? {
    let fields = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard fields.count >= 8 else { return nil }
    return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]) / 100
  }

  /// - Parameter own: seconds of work of this process in between.
  func isDisturbed(since earlier: MachineLoad, by own: Double) -> Bool {
    guard let worked, let before = earlier.worked else { return false }
    let seconds = (time - earlier.time).inSeconds
    let others = worked - before - own
    return others > MachineLoad.tolerance * seconds * Double(ProcessInfo.processInfo.activeProcessorCount)
  }
}
