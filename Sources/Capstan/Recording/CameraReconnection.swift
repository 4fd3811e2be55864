/// Makes a camera that is back ready for the very mode that it was recorded in before.

import GStreamer

extension CameraSetup {
  /// Tries the mode as before a recording, and sets the controls again.
  /// - Parameters:
  ///   - driverRate: as the driver said then.
  ///   - record: of the controls that the last connection left changed.
  /// - Returns: the setup, and the node; `nil` for what is no V4L2 camera.
  /// - Throws: `requestImpossible` where the camera has not got the mode any more, and what keeps it from being asked.
  static func again(
    _ plan: RecordingPlan, driverRate: Fraction?, on camera: CaptureDevice, recordedIn record: ControlRecordFile?
  ) throws(CaptureError) -> (setup: CameraSetup, node: String?) {
    guard let path = camera.path else {
      return (try CameraSetup(device: camera, preset: plan.preset, formats: [plan.mode.format]), nil)
    }
    let rows = try camera.formats().compactMap { $0.narrowed(to: plan.mode) }
    guard !rows.isEmpty else { throw missing(plan.mode, camera) }
    let setup = try CameraSetup(device: camera, preset: plan.preset, formats: rows, recordedIn: record)
    let mode = FormatSelector.select(from: setup.formats, wishes: plan.preset.wishes).selection.mode
    guard let mode, mode.isSame(as: plan.mode), setup.driverRate == driverRate else {
      setup.controls?.giveBack()
      throw missing(plan.mode, camera)
    }
    return (setup, mode.format.node ?? path)
  }

  private static func missing(_ mode: CaptureMode, _ camera: CaptureDevice) -> CaptureError {
    CaptureError(.requestImpossible, "\(camera.name) has not got \(mode) any more.")
  }
}

extension DeviceFormat {
  /// The one mode of it, where it has it.
  fileprivate func narrowed(to mode: CaptureMode) -> DeviceFormat? {
    guard fourCC == mode.format.fourCC, payload == mode.format.payload,
      dimensions.snap(mode.dimensions) == mode.dimensions
    else { return nil }
    var row = self
    row.dimensions = DimensionsRange(mode.dimensions)
    guard let rate = mode.frameRate, !frameRates.isEmpty else { return row }
    guard frameRates.contains(where: { $0.snap(rate).isSameRate(as: rate) }) else { return nil }
    row.frameRates = [FrameRateRange(rate)]
    return row
  }
}

extension CaptureMode {
  /// On whatever node.
  fileprivate func isSame(as other: CaptureMode) -> Bool {
    guard format.fourCC == other.format.fourCC, dimensions == other.dimensions else { return false }
    guard let rate = frameRate, let wanted = other.frameRate else { return frameRate == other.frameRate }
    return rate.isSameRate(as: wanted)
  }
}
