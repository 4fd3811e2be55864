/// Plans the recordings of one session: at its start, and where the camera gets another signal meanwhile.

struct SessionPlanner: Sendable {
  let preset: Preset
  let machine: MachinePlanner
  /// Called with what takes time, before it does.
  let tell: @Sendable (String) -> Void

  /// The preset with what its encoding target asks.
  func wanted() throws(CaptureError) -> Preset { try preset.readingEncodingTarget(library: machine.library) }

  /// - Parameter containers: by name, those that the file may have.
  func plan(
    source: CaptureSource, formats: [DeviceFormat], location: String, containers: [String]
  ) throws(CaptureError) -> RecordingPlan {
    try FilterCheck.check(preset)
    var preset = try wanted()
    preset.containers = containers
    return try machine.plan(preset, source: source, formats: formats, location: location, tell: tell)
  }
}
