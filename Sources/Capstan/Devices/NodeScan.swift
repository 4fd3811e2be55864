/// Opens nodes, each once, to learn who they are and what kind of pictures they have.

import Foundation
import GStreamer

struct NodeScan: Sendable {
  /// As `NodeSurroundings.links()` reads them.
  let links: [String: [String]]

  /// `/dev/videoN`, by number.
  static func paths() -> [String] {
    let folder = NodeSurroundings.deviceFolder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.filter { $0.hasPrefix("video") }.compactMap { Int($0.dropFirst("video".count)) }
    return numbers.sorted().map { "\(folder)/video\($0)" }
  }

  /// A node that the user named.
  /// - Throws: `V4L2Error` for what keeps it from being asked, `CaptureError` for a node that is no camera.
  func facts(at path: String) throws -> NodeFacts {
    let node = try V4L2Node(path: path)
    let identity = try node.identity
    guard identity.isCamera else {
      throw CaptureError(
        .notACaptureDevice, "\(path) (\(identity.card)) is not a camera: it is \(identity.purpose).",
        remedy: "`capstan devices` lists the nodes that are.")
    }
    var facts = outside(path)
    facts.card = identity.card
    facts.driver = identity.driver
    facts.bus = identity.busInfo
    facts.codes = try node.codes()
    return facts
  }

  /// A node that turned up by itself: `nil` where it is no camera, with its problem where it may not be opened.
  func look(at path: String) -> NodeFacts? {
    do {
      return try facts(at: path)
    } catch let error as V4L2Error {
      let problem = CaptureError(error).namingHolders(of: [path])
      guard problem.code == .permissionDenied || problem.code == .deviceBusy else { return nil }
      var facts = outside(path)
      facts.problem = problem
      return facts
    } catch {
      return nil
    }
  }

  /// Without opening it.
  private func outside(_ path: String) -> NodeFacts {
    let surroundings = NodeSurroundings(path: path)
    return NodeFacts(
      path: path, card: surroundings.card ?? path, links: links[path] ?? [], usb: surroundings.usb,
      folder: surroundings.folder)
  }
}

extension V4L2Identity {
  /// What the node is for, in words.
  fileprivate var purpose: String {
    if kinds.contains(.memoryToMemory) { return "a converter (memory to memory)" }
    if kinds.contains(.metadataCapture) { return "a camera's metadata node" }
    if kinds.contains(.videoOutput) { return "a video output" }
    return kinds.isEmpty
      ? "a node without a known use" : "a node for \(kinds.map(\.rawValue).sorted().joined(separator: ", "))"
  }
}
