/// Which processes have a node open, as far as /proc shows them to this user.

import Foundation

struct NodeHolder: Sendable, Hashable, CustomStringConvertible {
  let name: String
  let process: Int
  /// It has the node's buffers in its memory: it streams, where others only watch the device.
  let isStreaming: Bool

  /// `gst-launch-1.0 (process 4711)`.
  var description: String { "\(name) (process \(process))" }
}

struct NodeHolders: Sendable {
  private let paths: Set<String>

  init(of paths: [String]) { self.paths = Set(paths) }

  /// Those that stream, where any is seen to; else all that have it open. This process is not among them.
  func read() -> [NodeHolder] {
    let own = Int(ProcessInfo.processInfo.processIdentifier)
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let holders = entries.compactMap(Int.init).sorted().filter { $0 != own && holds($0) }.map(holder)
    let streaming = holders.filter(\.isStreaming)
    return streaming.isEmpty ? holders : streaming
  }

  private func holds(_ process: Int) -> Bool {
    let folder = "/proc/\(process)/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.contains { descriptor in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map(paths.contains)
        ?? false
    }
  }

  private func holder(_ process: Int) -> NodeHolder {
    let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? "a program"
    let maps = (try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)) ?? ""
    let isStreaming = maps.split(separator: "\n").contains { line in paths.contains { line.hasSuffix(" \($0)") } }
    return NodeHolder(
      name: name.trimmingCharacters(in: .whitespacesAndNewlines), process: process, isStreaming: isStreaming)
  }
}

extension CaptureError {
  /// A busy camera's error with the programs that use it, where they can be seen; any other as it is.
  func namingHolders(of paths: [String]) -> CaptureError {
    guard code == .deviceBusy, !paths.isEmpty else { return self }
    let holders = NodeHolders(of: paths).read()
    guard !holders.isEmpty, let end = message.range(of: CaptureError.unknownHolder) else { return self }
    let names = holders.map(\.description).joined(separator: ", ")
    return CaptureError(
      .deviceBusy,
      message.replacingCharacters(in: end, with: "\(names) \(holders.count == 1 ? "is" : "are") using it."),
      remedy: "Close \(holders.count == 1 ? "it" : "them") and try again.")
  }
}
