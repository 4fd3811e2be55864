/// A camera's controls as changed for a recording, and the way back.

import Foundation
import GStreamer
import Synchronization

final class BorrowedControls: Sendable {
  private let path: String
  /// Whose controls they are: after a replug the path may be another camera's.
  private let owner: V4L2Identity?
  /// Where what they were is written.
  let file: ControlRecordFile
  private let entries: Mutex<[ControlRecord.Entry]>

  private init(node: V4L2Node, file: ControlRecordFile, entries: [ControlRecord.Entry]) {
    path = node.path
    owner = try? node.identity
    self.file = file
    self.entries = Mutex(entries)
  }

  /// Sets what differs from the wish; what was is on disk before the first change.
  /// - Parameter note: called with what the user should know.
  /// - Returns: `nil` where nothing had to be changed.
  /// - Throws: `requestImpossible` for a control that cannot be set now, and what keeps the camera from being asked.
  ///   Nothing stays changed then.
  static func borrow(
    _ settings: [ControlResolver.Setting], camera: String, on node: V4L2Node, recordedIn file: ControlRecordFile,
    note: (String) -> Void
  ) throws(CaptureError) -> BorrowedControls? {
    let setter = ControlSetter(camera: camera, node: node)
    let present = try setter.controls()
    func before(_ setting: ControlResolver.Setting) -> Int64? { present.first { $0.name == setting.name }?.value }
    // What cannot be read, as a button, is set and cannot be put back.
    let settings = settings.filter { before($0) != $0.value }
    let changes = settings.compactMap { setting in
      before(setting).map { ControlRecord.Entry(name: setting.name, before: $0, during: setting.value) }
    }
    guard !settings.isEmpty else { return nil }
    do {
      try file.write(ControlRecord(camera: camera, owner: .current, controls: changes))
    } catch {
      note(
        "what the camera's controls were cannot be kept in \(file.url.path(percentEncoded: false)): "
          + "\(CaptureError.cause(of: error))")
    }
    let borrowed = BorrowedControls(node: node, file: file, entries: changes)
    do {
      for setting in settings { try setter.set(setting.name, to: setting.value) }
    } catch {
      borrowed.giveBack(on: node)
      throw error
    }
    return borrowed
  }

  /// Puts everything back as it was. Asked again, it does nothing. A camera that is gone is left to the next start.
  /// - Returns: what could not be put back, as a sentence.
  @discardableResult
  func giveBack() -> String? {
    guard entries.withLock({ !$0.isEmpty }) else { return nil }
    guard let node = try? V4L2Node(path: path), (try? node.identity) == owner else {
      file.release()
      return BorrowedControls.gone
    }
    return giveBack(on: node)
  }

  /// The same on a node that is open.
  @discardableResult
  func giveBack(on node: V4L2Node) -> String? {
    let entries = entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
    return BorrowedControls.restore(entries, on: node, file: file)
  }

  /// Puts back what a recording that was killed has left changed.
  static func recover(on node: V4L2Node, recordedIn file: ControlRecordFile) -> String? {
    guard let record = file.leftBehind() else { return nil }
    let names = record.controls.map(\.name).joined(separator: ", ")
    return restore(record.controls, on: node, file: file)
      ?? "A recording that was cut short had changed \(names): put back as before."
  }

  private static let gone = "The camera is gone: its controls are put back at the next start."

  /// Backwards: a time of exposure can be set only while exposure is manual.
  private static func restore(
    _ entries: [ControlRecord.Entry], on node: V4L2Node, file: ControlRecordFile
  ) -> String? {
    let present: [V4L2Control]
    do {
      present = try node.controls()
    } catch {
      file.release()
      return gone
    }
    var refused: [String] = []
    for entry in entries.reversed() {
      guard let control = present.first(where: { $0.name == entry.name }) else { continue }
      do {
        try node.set(control, to: entry.before)
      } catch .gone {
        file.release()
        return gone
      } catch {
        refused.append("\(error)")
      }
    }
    file.remove()
    return refused.isEmpty ? nil : "Controls were not put back: \(refused.joined(separator: " "))"
  }
}
