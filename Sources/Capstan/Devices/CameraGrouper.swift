/// Makes cameras out of nodes: a camera with a second capture node, as H.264 or infrared, is one camera.

struct CameraGrouper: Sendable {
  /// Cameras with a colour picture first, then by node number.
  func cameras(of nodes: [NodeFacts]) -> [CaptureDevice] {
    var groups: [[NodeFacts]] = []
    for node in nodes.sorted(by: { $0.number < $1.number }) {
      if let place = groups.firstIndex(where: { CameraGrouper.belong(together: $0[0], node) }) {
        groups[place].append(node)
      } else {
        groups.append([node])
      }
    }
    let identifiers = groups.map(CameraGrouper.identifier)
    let serials = identifiers.flatMap { Set($0.serialNames) }
    let cameras = zip(groups, identifiers).map { nodes, identifier in
      camera(of: nodes, names: identifier.names { name in serials.filter { $0 == name }.count == 1 })
    }
    return cameras.sorted { CameraGrouper.place($0) < CameraGrouper.place($1) }
  }

  /// A device of one node that the user named: no other of its camera is used, and its path stays its id.
  func pinned(_ node: NodeFacts) -> CaptureDevice {
    CaptureDevice(
      id: node.path, name: node.card, kind: .v4l2(path: node.path, driver: node.driver, bus: node.bus),
      problem: node.problem, nodes: [node.node], usb: node.usb)
  }

  /// A USB device has one place on its bus, whatever its nodes are called. On other buses one address may carry several
  /// cameras, as the inputs of a capture card: there each node stands for itself. Nodes that may not be opened tell no
  /// bus; sysfs knows what they belong to.
  private static func belong(together first: NodeFacts, _ second: NodeFacts) -> Bool {
    if first.bus.hasPrefix("usb-"), first.bus == second.bus { return true }
    guard first.problem != nil, second.problem != nil else { return false }
    if let folder = first.folder, folder == second.folder { return true }
    return first.folder == nil && second.folder == nil && first.card == second.card
      && first.usb == second.usb && !first.card.isEmpty && first.card != first.path
  }

  private static func identifier(of nodes: [NodeFacts]) -> CameraIdentifier {
    CameraIdentifier(
      card: nodes[0].card, bus: nodes[0].bus, usb: nodes.lazy.compactMap(\.usb).first, links: nodes.flatMap(\.links))
  }

  private func camera(of nodes: [NodeFacts], names: [String]) -> CaptureDevice {
    let ordered = nodes.enumerated().sorted {
      ($0.element.node.rank, $0.offset) < ($1.element.node.rank, $1.offset)
    }.map(\.element)
    let best = ordered[0]
    return CaptureDevice(
      id: names.first ?? best.path, name: best.card, kind: .v4l2(path: best.path, driver: best.driver, bus: best.bus),
      problem: ordered.allSatisfy { $0.problem != nil } ? best.problem : nil, nodes: ordered.map(\.node),
      usb: nodes.lazy.compactMap(\.usb).first, aliases: Array(names.dropFirst()))
  }

  private static func place(_ camera: CaptureDevice) -> (CameraRank, Int) {
    let number = camera.path.flatMap { Int($0.drop { !$0.isNumber }) } ?? .max
    return (camera.nodes.map(\.rank).min() ?? .unknown, number)
  }
}
