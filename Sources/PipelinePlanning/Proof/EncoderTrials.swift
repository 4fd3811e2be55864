/// The trials that say all about an encoder at one size and rate, without a camera.

public import MediaFormats

extension RecordingPlanner {
  /// One a speed, the fastest first; one for an encoder without speeds.
  /// - Parameter preset: whose bit rate is scaled to the size and rate, and whose other wishes count as they are.
  /// - Throws: for an encoder that takes no 4:2:0 of 8 bits, or that no container holds.
  public func trials(
    of encoder: EncoderProfile, preset: Preset, _ dimensions: VideoDimensions, at rate: Fraction
  ) throws(PlanningError) -> [EncoderTrial] {
    var preset = preset.addressed(to: encoder.element, isFirstMissing: true).preset
    preset.bitRate = preset.bitRate.scaled(to: dimensions, at: rate)
    preset = preset.aimed(at: encoder)
    guard let container = containers.first(where: { $0.codecs.contains(encoder.codec) }) else {
      throw .containerCannotHold(codec: encoder.codec, container: preset.container, able: [])
    }
    let format = encoder.inputs.map { PixelFormat(named: $0) }.first { $0.chroma == .yuv420 && $0.depth == 8 }
    let row = DeviceFormat(
      payload: .raw(format ?? .i420), dimensions: DimensionsRange(dimensions), frameRates: [FrameRateRange(rate)],
      colorimetry: Colorimetry(range: .full, matrix: .bt709, transfer: .bt709, primaries: .bt709))
    let mode = CaptureMode(format: row, dimensions: dimensions, frameRate: rate)
    let color = try color(for: preset, range: .full, mode: mode, encoder: encoder)
    let speeds = encoder.speeds.isEmpty ? [nil] : encoder.speeds.map { Optional($0) }
    return speeds.map { speed in
      PipelineAssembler(
        mode: mode, color: color, encoder: encoder, speed: speed?.value, pins: speed?.pins ?? [:], preset: preset,
        container: container
      ).trial
    }
  }
}

extension BitRate {
  /// What this bit rate of 720p60 comes to at another size and rate.
  func scaled(to dimensions: VideoDimensions, at rate: Fraction) -> BitRate {
    let share = Double(dimensions.pixels) * rate.value / (1280 * 720 * 60)
    return BitRate(bitsPerSecond: max(100_000, Int((Double(bitsPerSecond) * share).rounded())))
  }
}
