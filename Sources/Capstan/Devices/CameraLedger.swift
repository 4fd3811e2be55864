/// The cameras that were there at the last look, so that the next one opens only what is new.

import Foundation

struct CameraLedger: Sendable {
  private var seen: [String: Seen] = [:]
  private(set) var cameras: [CaptureDevice] = []

  private struct Seen: Sendable {
    let mark: Mark
    /// `nil` for a node that is no camera.
    let facts: NodeFacts?
  }

  /// Tells a node from another of the same name.
  private struct Mark: Sendable, Hashable {
    let inode: UInt64
    let modified: Date?

    /// `nil` where nothing is there.
    init?(path: String) {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
      inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
      modified = attributes[.modificationDate] as? Date
    }
  }

  /// Looks, and tells what differs from the last look: those that went before those that came. A camera that an event
  /// says is gone went, also where it is back already.
  mutating func changes(after news: DeviceWatch.News) -> [CaptureDevice.Change] {
    let leaving = cameras.filter { $0.nodes.contains { news.gone.contains($0.path) } }
    cameras.removeAll { leaving.contains($0) }
    for path in leaving.flatMap(\.nodes).map(\.path) + news.gone + news.came { seen[path] = nil }
    look()
    let now = CameraGrouper().cameras(of: seen.values.compactMap(\.facts))
    defer { cameras = now }
    return leaving.map(CaptureDevice.Change.removed) + CameraLedger.differences(from: cameras, to: now)
  }

  /// Nodes with a problem are asked each time: it may have passed.
  private mutating func look() {
    let scan = NodeScan(links: NodeSurroundings.links())
    var looked: [String: Seen] = [:]
    for path in NodeScan.paths() {
      guard let mark = Mark(path: path) else { continue }
      if let known = seen[path], known.mark == mark, known.facts?.problem == nil {
        looked[path] = known
      } else {
        looked[path] = Seen(mark: mark, facts: scan.look(at: path))
      }
    }
    seen = looked
  }

  /// A camera that can be used now and could not before, or the other way round, went and came; one that only changed
  /// the names that it answers to did not.
  static func differences(from old: [CaptureDevice], to new: [CaptureDevice]) -> [CaptureDevice.Change] {
    let (before, after) = (Set(old.map(Essence.init)), Set(new.map(Essence.init)))
    return old.filter { !after.contains(Essence($0)) }.map(CaptureDevice.Change.removed)
      + new.filter { !before.contains(Essence($0)) }.map(CaptureDevice.Change.added)
  }

  private struct Essence: Hashable {
    let name: String
    let kind: CaptureDevice.Kind
    let paths: [String]
    let usb: USBIdentity?
    let isUsable: Bool

    init(_ device: CaptureDevice) {
      name = device.name
      kind = device.kind
      paths = device.nodes.map(\.path)
      usb = device.usb
      isUsable = device.problem == nil
    }
  }
}
