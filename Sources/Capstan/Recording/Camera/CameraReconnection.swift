/// Makes a camera that is back ready for the very mode that it was recorded in before, or for what it has now instead.

import GStreamer

extension CameraSetup {
  /// Plans a recording anew from what a camera has now.
  typealias Planner = @Sendable (CameraSetup, CaptureDevice) throws(CaptureError) -> RecordingPlan

  /// A camera that is ready again.
  struct Return: Sendable {
    var setup: CameraSetup
    var agreement: CameraAgreement
    /// True where it is another mode than before.
    var isOther = false
  }

  /// Tries the mode as before a recording, and sets the controls again.
  /// - Parameters:
  ///   - record: of the controls that the last connection left changed.
  ///   - replan: for a camera that may go on in another mode where it has not got this one any more.
  /// - Throws: `requestImpossible` where the camera has nothing that the recording may go on with, and what keeps it
  ///   from being asked.
  static func again(
    _ agreement: CameraAgreement, on camera: CaptureDevice, recordedIn record: ControlRecordFile?, replan: Planner?
  ) throws(CaptureError) -> Return {
    let plan = agreement.plan
    guard let path = camera.path else {
      let setup = try CameraSetup(device: camera, preset: plan.preset, formats: [plan.mode.format])
      return Return(setup: setup, agreement: agreement)
    }
    let formats = try camera.formats()
    let rows = formats.compactMap { $0.narrowed(to: plan.mode) }
    if rows.isEmpty, let replan {
      return try other(agreement, CameraSetup(device: camera, preset: plan.preset, formats: formats), camera, replan)
    }
    guard !rows.isEmpty else { throw missing(plan.mode, camera) }
    let setup = try CameraSetup(device: camera, preset: plan.preset, formats: rows, recordedIn: record)
    let mode = FormatSelector.select(from: setup.formats, wishes: plan.preset.wishes).selection.mode
    guard let mode, mode.isSame(as: plan.mode), setup.driverRate == agreement.driverRate else {
      setup.controls?.giveBack()
      throw missing(plan.mode, camera)
    }
    var same = agreement
    same.plan = plan.recording(from: mode.format.node ?? path)
    return Return(setup: setup, agreement: same)
  }

  private static func other(
    _ agreement: CameraAgreement, _ setup: CameraSetup, _ camera: CaptureDevice, _ replan: Planner
  ) throws(CaptureError) -> Return {
    do throws(CaptureError) {
      let plan = try replan(setup, camera)
      return Return(
        setup: setup, agreement: CameraAgreement(plan: plan, driverRate: setup.driverRate), isOther: true)
    } catch {
      setup.controls?.giveBack()
      throw error
    }
  }

  private static func missing(_ mode: CaptureMode, _ camera: CaptureDevice) -> CaptureError {
    CaptureError(.requestImpossible, "\(camera.name) has not got \(mode) any more.")
  }
}

extension DeviceFormat {
  /// The one mode of it, where it has it.
  func narrowed(to mode: CaptureMode) -> DeviceFormat? {
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
