/// Finished files that a recording took away itself to make room, as its rule of keeping wants it.

import Foundation

/// They cannot be measured: what the recorder counted while it wrote them stands for them.
public struct RemovedFiles: Sendable, Hashable, Encodable {
  public var files = 0
  public var frames = 0
  /// Nanoseconds from the first frame of the first to that of the first file that is kept.
  public var duration: Int64 = 0

  public init() {}

  /// The oldest go first: a file that is not there while an older one is was taken by somebody else, and is missing.
  /// - Parameter reports: in the order in which they were finished.
  init(of reports: [FileReport], isThere: (URL) -> Bool) {
    let written = reports.filter { $0.file != nil }
    let gone = written.prefix { report in report.file.map { !isThere($0) } ?? false }
    files = gone.count
    frames = gone.reduce(0) { $0 + $1.framesWritten }
    guard let first = gone.first else { return }
    // By where the next begins, as lengths that are added up add up what the times waver too.
    let next = written.dropFirst(gone.count).first
    let sum = gone.reduce(Duration.zero) { $0 + $1.duration }
    let length: Duration = if let next { next.start - first.start } else { sum }
    duration = length.nanoseconds
  }
}
