/// What a recording leaves free on its disk.

import Foundation
import GStreamer

struct DiskReserve: Sendable, Hashable {
  /// Bytes.
  let bytes: Int64
  /// True where it was asked for: a recording that comes to it ends as asked, any other has run into a full disk.
  let isAsked: Bool
  /// Without it the index of a recording cannot be written.
  private static let least: Int64 = 1 << 20
  /// Seconds until a recording that is to end has ended.
  private static let reaction = 2.0

  /// - Parameter asked: bytes; `nil` for as much as a file needs to be completed.
  init(_ asked: Int64?) {
    bytes = max(asked ?? 0, DiskReserve.least)
    isAsked = asked != nil
  }

  /// Before anything is opened.
  /// - Throws: `diskFull`.
  func check(_ folder: OpenFile, for file: URL) throws(CaptureError) {
    guard let free = folder.freeBytes, free < bytes + DiskReserve.least else { return }
    let (wanted, there) = (bytes + DiskReserve.least, file.path(percentEncoded: false))
    throw CaptureError(
      .diskFull,
      "Only \(DiskReserve.mebibytes(free)) are free for \(there), and \(DiskReserve.mebibytes(wanted)) "
        + (isAsked ? "are needed to leave the reserve." : "are the least."),
      remedy: "Make room, or record to another disk.")
  }

  /// Whether a recording has to end now, so that the reserve still holds once it has.
  /// - Parameters:
  ///   - free: bytes on the disk.
  ///   - owed: bytes that files which are being written will still take.
  ///   - rate: bytes a second that the disk loses.
  func isReached(free: Int64, owed: Int64, rate: Double) -> Bool {
    Double(free - owed) - rate * DiskReserve.reaction < Double(bytes)
  }

  private static func mebibytes(_ bytes: Int64) -> String {
    (Double(bytes) / 1_048_576).formatted(.number.precision(.fractionLength(0...1)).locale(Locale(identifier: "en_US")))
      + " MiB"
  }

  /// A disk that ran full without being asked to stay free.
  static let full = CaptureError(
    .diskFull, "The disk is full: the rest of it was kept to complete the file.",
    remedy: "Make room, or record to another disk.")
}
