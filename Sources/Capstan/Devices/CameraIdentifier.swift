/// Names for a camera that outlast replugging and reboots, made of what the driver and udev tell of it.

import Foundation

/// Node numbers are given in the order of appearance, so a number is no identity; a port is one, and a serial number is
/// a better one where it is unique.
struct CameraIdentifier: Sendable, Hashable {
  var card: String
  var bus: String
  var usb: USBIdentity?
  /// Of all nodes.
  var links: [String]

  /// Everything that names this camera, the best first. `isUnique` is asked of a name that rests on the serial number:
  /// makers who print the same number on every unit are not rare.
  func names(isUnique: (String) -> Bool) -> [String] {
    let serials = serialNames
    let ports = portNames
    let order = serials.allSatisfy(isUnique) ? serials + ports : ports + serials
    return order + [usb?.id, usb?.serial].compactMap { $0 } + CameraIdentifier.stems(in: "by-path", of: links)
  }

  /// The name that udev gives by serial number, then the bare facts.
  var serialNames: [String] {
    guard let usb, let serial = usb.serial else { return [] }
    let stems = CameraIdentifier.stems(in: "by-id", of: links).filter { $0.hasSuffix("_\(serial)") }
    return stems + ["\(usb.id)-\(serial)"]
  }

  /// Model and port. The model is in it so that another camera in this port does not pass for this one, as it does under
  /// `/dev/v4l/by-path`.
  private var portNames: [String] {
    let model = usb?.id ?? CameraIdentifier.word(card)
    return [bus.isEmpty ? model : "\(model)@\(bus)"]
  }

  /// `usb-046d_C922_ABC` of `/dev/v4l/by-id/usb-046d_C922_ABC-video-index0`: what a camera's nodes have in common.
  static func stems(in folder: String, of links: [String]) -> [String] {
    let prefix = "\(NodeSurroundings.linkFolder)/\(folder)/"
    let names = links.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    return Set(names.map { String($0.prefix(upTo: $0.range(of: "-video-index")?.lowerBound ?? $0.endIndex)) }).sorted()
  }

  /// One word that no shell, list or path takes apart.
  private static func word(_ text: String) -> String {
    text.split { !$0.isLetter && !$0.isNumber && !"._+".contains($0) }.joined(separator: "-")
  }
}
