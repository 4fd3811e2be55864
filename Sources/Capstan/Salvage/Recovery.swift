/// Completes what earlier runs have left unfinished in a folder, while the next recording runs there.

import Foundation

struct Recovery: Sendable {
  let folder: URL
  let broadcast: EventBroadcast

  /// What stays free for the recording that runs, in bytes.
  private static let reserve: Int64 = 1 << 30

  /// One after the other, and only while there is room for both the old file and the new one.
  func run() async -> [SalvageReport] {
    var reports: [SalvageReport] = []
    for file in Salvager.unfinished(in: folder) where !Task.isCancelled {
      guard hasRoom(for: file) else {
        broadcast.send(
          .warning(
            "\(file.lastPathComponent) is a recording that was cut off, and there is no room to complete it now; "
              + "`capstan salvage` does it later."))
        continue
      }
      do throws(CaptureError) {
        let report = try await Salvager().salvage(file, evenDamaged: false)
        reports.append(report)
        broadcast.send(.recovered(report))
      } catch {
        if Task.isCancelled { break }
        broadcast.send(.warning("\(file.lastPathComponent) was cut off and cannot be completed: \(error.message)"))
      }
    }
    return reports
  }

  private func hasRoom(for file: URL) -> Bool {
    let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize).map { Int64($0) } ?? 0
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path(percentEncoded: false))
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else { return true }
    return free - size > Recovery.reserve
  }
}
