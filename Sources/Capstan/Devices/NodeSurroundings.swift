/// What the system knows of a node without opening it: udev's links below /dev/v4l, and its device in sysfs.

import Foundation

struct NodeSurroundings: Sendable {
  static let deviceFolder = "/dev"
  static let linkFolder = "/dev/v4l"
  static let systemFolder = "/sys/class/video4linux"

  /// Every link below /dev/v4l, by the node that it leads to. Two equal cameras can want the same link: then it leads to
  /// one of them.
  static func links() -> [String: [String]] {
    var links: [String: [String]] = [:]
    for folder in ["by-id", "by-path"] {
      let place = "\(linkFolder)/\(folder)"
      for name in ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted() {
        let link = "\(place)/\(name)"
        guard let target = resolved(link) else { continue }
        links[target, default: []].append(link)
      }
    }
    return links
  }

  /// The node that a link leads to; the path itself where it is none.
  static func resolved(_ path: String) -> String? {
    var path = path
    for _ in 0..<8 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
      path = target.hasPrefix("/") ? target : "\((path as NSString).deletingLastPathComponent)/\(target)"
      path = (path as NSString).standardizingPath
    }
    return nil
  }

  let path: String

  /// `video0` of `/dev/video0`.
  private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The driver's name for people, which the system keeps for everybody to read.
  var card: String? { text("name") }

  /// Of the device above the node's interface.
  var usb: USBIdentity? {
    guard let vendor = text("device/../idVendor"), let product = text("device/../idProduct") else { return nil }
    return USBIdentity(vendor: vendor, product: product, serial: text("device/../serial"))
  }

  /// The same for all nodes of a USB device.
  var folder: String? {
    // The class's own entry is a link too, and that of the device counts from where it leads to.
    guard let entry = NodeSurroundings.resolved("\(NodeSurroundings.systemFolder)/\(name)") else { return nil }
    let link = "\(entry)/device"
    guard usb != nil, let interface = NodeSurroundings.resolved(link), interface != link else { return nil }
    return (interface as NSString).deletingLastPathComponent
  }

  private func text(_ attribute: String) -> String? {
    let file = "\(NodeSurroundings.systemFolder)/\(name)/\(attribute)"
    let text = (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    return text?.isEmpty == false ? text : nil
  }
}
