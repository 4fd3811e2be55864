/// What happens between a camera's list and its pipeline: controls put back, controls set, modes tried. One opening of
/// the node serves them all.

import GStreamer

struct CameraSetup: Sendable {
  /// What the plan may choose from.
  var formats: [DeviceFormat]
  /// As the driver says, where that is not a rate it lists.
  var driverRate: Fraction?
  var notes: [String] = []
  /// To be given back at the end, whatever the end.
  var controls: BorrowedControls?

  /// - Throws: `deviceBusy` before anything is changed; what a control or a pinned mode is refused for. Nothing stays
  ///   changed then.
  /// - Parameter record: of controls that an earlier connection of this camera left changed, perhaps in another port.
  init(
    device: CaptureDevice, preset: Preset, formats: [DeviceFormat], recordedIn record: ControlRecordFile? = nil
  ) throws(CaptureError) {
    // Where there is none, the planner says so.
    let recordable = preset.recordable(formats)
    self.formats = recordable.isEmpty ? formats : recordable
    guard case .v4l2(let path, _, _) = device.kind else {
      _ = try ControlWishes(preset: preset, camera: device.name).settings(among: [])
      return
    }
    // Impossible requests are the planner's to explain.
    guard let wanted = FormatSelector.select(from: self.formats, wishes: preset.wishes).selection.mode else { return }
    do {
      var told: [String] = []
      let fresh = self
      self = try BusyCamera.outlast { () throws(CaptureError) in
        var setup = fresh
        try setup.rehearse(wanted, ModeProbe(device: device, defaultPath: path), device, preset, record)
        return setup
      } tell: {
        told.append($0)
      }
      notes += told
    } catch {
      // The nodes are closed by now: whoever still holds one is somebody else.
      throw device.explained(error)
    }
  }

  private mutating func rehearse(
    _ wanted: CaptureMode, _ probe: consuming ModeProbe, _ device: CaptureDevice, _ preset: Preset,
    _ record: ControlRecordFile?
  ) throws(CaptureError) {
    let node = try probe.free(wanted)
    if let record { _ = BorrowedControls.recover(on: node, recordedIn: record) }
    try borrowControls(of: device, preset: preset, on: node)
    do {
      let outcome = try FormatTrial(wishes: preset.wishes).run(on: formats, tryMode: probe.tryMode)
      (formats, driverRate) = (outcome.formats, outcome.driverRate)
      notes += outcome.notes
      if let driverRate { notes.append("the driver says \(driverRate.decimal) fps, whatever it is asked for") }
    } catch {
      controls?.giveBack(on: node)
      throw error
    }
  }

  private mutating func borrowControls(
    of device: CaptureDevice, preset: Preset, on node: V4L2Node
  ) throws(CaptureError) {
    let file = device.controlRecord(of: node)
    if let told = BorrowedControls.recover(on: node, recordedIn: file) { notes.append(told) }
    let wishes = ControlWishes(preset: preset, camera: device.name)
    let present = try ControlSetter(camera: device.name, node: node).controls()
    var told: [String] = []
    controls = try BorrowedControls.borrow(
      try wishes.settings(among: present), camera: device.name, on: node, recordedIn: file, note: { told.append($0) })
    notes += told + (try wishes.notes(among: present))
  }
}

/// What a preset wants of the controls, the lock of the exposure's rate among it.
struct ControlWishes: Sendable {
  let preset: Preset
  /// The camera's name for people.
  let camera: String

  /// - Throws: `requestImpossible` for what the camera does not have or take.
  func settings(among controls: [CameraControl]) throws(CaptureError) -> [ControlResolver.Setting] {
    let own = try ControlResolver(camera: camera, controls: controls).settings(for: preset.controls)
    return (lock(among: controls, own).map { [$0] } ?? []) + own
  }

  /// For people: what differs from how the camera is now.
  func notes(among controls: [CameraControl]) throws(CaptureError) -> [String] {
    let own = try ControlResolver(camera: camera, controls: controls).settings(for: preset.controls)
    var notes = own.compactMap { setting -> String? in
      guard let control = controls.first(where: { $0.name == setting.name }) else { return nil }
      guard let value = control.value else { return "\(control.name) is set to \(control.text(for: setting.value))" }
      guard value != setting.value else { return nil }
      return "\(control.name) is \(control.text(for: setting.value)) while it is recorded, then "
        + "\(control.text(for: value)) again"
    }
    if let lock = lock(among: controls, own) {
      notes.append("auto exposure may not lower the rate (\(lock.name) is off while it is recorded)")
    }
    return notes
  }

  /// Only for a fixed rate, and only where the user does not set that control.
  private func lock(
    among controls: [CameraControl], _ own: [ControlResolver.Setting]
  ) -> ControlResolver.Setting? {
    guard preset.exposureLock, preset.request.frameRate != nil,
      let control = ControlResolver(camera: camera, controls: controls).control(named: ControlResolver.exposureRate),
      control.isSettable, !own.contains(where: { $0.name == control.name })
    else { return nil }
    return ControlResolver.Setting(name: control.name, value: 0)
  }
}

/// Sets a mode, reads it back, and starts its stream for a moment. Each node is opened once and closed with the probe.
private final class ModeProbe {
  private let device: CaptureDevice
  private let defaultPath: String
  private var nodes: [String: V4L2Node] = [:]

  init(device: CaptureDevice, defaultPath: String) {
    self.device = device
    self.defaultPath = defaultPath
  }

  /// The node of a mode, once it is sure that nobody else is streaming from it.
  func free(_ mode: CaptureMode) throws(CaptureError) -> V4L2Node {
    do {
      let node = try node(of: mode)
      try node.checkIsFree()
      return node
    } catch {
      throw CaptureError(error)
    }
  }

  func tryMode(_ mode: CaptureMode) throws(CaptureError) -> FormatTrial.Answer {
    do {
      let node = try node(of: mode)
      let format = try node.setFormat(mode.format.fourCC, mode.dimensions)
      var rate: Fraction?
      if let asked = mode.frameRate { rate = try node.setRate(asked) }
      try node.tryStreaming()
      return .set(reading(format, rate, mode))
    } catch {
      return try answer(error, mode)
    }
  }

  private func node(of mode: CaptureMode) throws(V4L2Error) -> V4L2Node {
    let path = mode.format.node ?? defaultPath
    if let node = nodes[path] { return node }
    let node = try V4L2Node(path: path)
    nodes[path] = node
    return node
  }

  private func reading(_ format: V4L2PixelFormat, _ rate: Fraction?, _ mode: CaptureMode) -> FormatTrial.Reading {
    let isRGB = if case .raw(let pixels) = mode.format.payload { pixels.chroma == .rgb } else { false }
    return FormatTrial.Reading(
      fourCC: FourCC(format.fourCC), dimensions: VideoDimensions(width: format.width, height: format.height),
      frameRate: rate, range: format.colorimetry(isRGB: isRGB).range, bufferSize: format.sizeImage)
  }

  /// A busy or vanished camera is so in every mode; a full bus may have room for a smaller one.
  private func answer(_ error: V4L2Error, _ mode: CaptureMode) throws(CaptureError) -> FormatTrial.Answer {
    switch error {
    case .noBandwidth:
      return .refused(
        CaptureError.bandwidth(device.name), reason: "the USB bus has no bandwidth left for it", isWholeFormat: false)
    case .other(_, let call, _, let text):
      let isFormat = call == "VIDIOC_S_FMT"
      let reason = "the driver refuses it (\(call): \(text))"
      return .refused(
        CaptureError(
          isFormat ? .requestImpossible : .deviceFailed, "\(device.name) lists \(mode), and \(reason).",
          remedy: "Try another mode; `capstan formats` lists them."), reason: reason, isWholeFormat: isFormat)
    default: throw CaptureError(error)
    }
  }
}
