/// A device's controls: list, and set to stay.

import GStreamer

extension CaptureDevice {
  /// Its controls with their values now, in the driver's order; none for what is no V4L2 camera. Opens the device and
  /// blocks meanwhile, a few milliseconds. What a recording that was killed has left changed is put back first.
  /// - Throws: what keeps it from being opened.
  public func controls() throws(CaptureError) -> [CameraControl] {
    guard let node = try openNode() else { return [] }
    _ = BorrowedControls.recover(on: node, recordedIn: controlRecord(of: node))
    return try ControlSetter(camera: name, node: node).controls()
  }

  /// Some of its controls, by name, in the order of the names.
  /// - Throws: `requestImpossible` for an unknown name, with the nearest one; what keeps it from being opened.
  public func controls(named names: [String]) throws(CaptureError) -> [CameraControl] {
    let resolver = ControlResolver(camera: name, controls: try controls())
    var found: [CameraControl] = []
    for name in names { found.append(try resolver.known(name)) }
    return found
  }

  /// Its controls as they are: what a recording left changed stays changed.
  func presentControls() throws(CaptureError) -> [CameraControl] {
    guard let node = try openNode() else { return [] }
    return try ControlSetter(camera: name, node: node).controls()
  }

  /// Sets controls, by the names that v4l2-ctl prints, and leaves them so. Everything is checked before the first one is
  /// set; switches and menus are set before numbers, and where one fails the others are put back. Blocks as `controls()`
  /// does.
  /// - Returns: the controls that were named, as they are afterwards: drivers may round.
  /// - Throws: `requestImpossible` for an unknown name (with the nearest one), a value that it does not take (with the
  ///   range or the menu), or a control that cannot be set now (with the reason).
  @discardableResult
  public func setControls(_ values: [String: ControlValue]) throws(CaptureError) -> [CameraControl] {
    guard let node = try openNode() else {
      _ = try ControlResolver(camera: name, controls: []).settings(for: values)
      return []
    }
    _ = BorrowedControls.recover(on: node, recordedIn: controlRecord(of: node))
    let setter = ControlSetter(camera: name, node: node)
    let settings = try ControlResolver(camera: name, controls: try setter.controls()).settings(for: values)
    try setter.setAll(settings)
    let names = Set(settings.map(\.name))
    return try setter.controls().filter { names.contains($0.name) }
  }

  private func openNode() throws(CaptureError) -> V4L2Node? {
    guard case .v4l2(let path, _, _) = kind else { return nil }
    do {
      return try V4L2Node(path: path)
    } catch {
      throw CaptureError(error)
    }
  }

  /// By model and port, which a camera keeps when its node's number changes.
  func controlRecord(of node: V4L2Node) -> ControlRecordFile {
    let identity = try? node.identity
    return ControlRecordFile(identity: [identity?.card ?? name, identity?.busInfo ?? node.path])
  }
}
