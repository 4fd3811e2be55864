/// Sets controls on a node that is open.

import GStreamer

/// One by one, each looked at just before: what one does can make another settable.
struct ControlSetter {
  let camera: String
  let node: V4L2Node

  func controls() throws(CaptureError) -> [CameraControl] {
    do {
      return try node.controls().map(CameraControl.init)
    } catch {
      throw CaptureError(error)
    }
  }

  /// All or none: what was set before a failure is put back.
  func setAll(_ settings: [ControlResolver.Setting]) throws(CaptureError) {
    let present = try controls()
    var undo: [ControlResolver.Setting] = []
    do {
      for setting in settings {
        try set(setting.name, to: setting.value)
        let before = present.first { $0.name == setting.name }?.value
        if let before { undo.append(ControlResolver.Setting(name: setting.name, value: before)) }
      }
    } catch {
      for setting in undo.reversed() { try? set(setting.name, to: setting.value) }
      throw error
    }
  }

  func set(_ name: String, to value: Int64) throws(CaptureError) {
    do {
      guard let control = try node.controls().first(where: { $0.name == name }) else { return }
      if let obstacle = CameraControl(control).obstacle {
        throw CaptureError(.requestImpossible, "\(camera): \(name) cannot be set now: \(obstacle).")
      }
      try node.set(control, to: value)
    } catch let error as CaptureError {
      throw error
    } catch let error as V4L2Error {
      throw CaptureError(error)
    } catch {
      throw CaptureError(.deviceFailed, "\(camera): \(error)")
    }
  }
}
