/// Saving replays of a running recording.

extension CaptureSession {
  /// Writes the last seconds, as many as the output's `replay` says, into a file of their own beside the recording
  /// (`NAME-replay-0.mp4`), which goes on unharmed. What is saved ends with the newest encoded frame.
  /// - Throws: `invalidState` where nothing is being recorded, or without a `replay`; `noFrames` before the first key
  ///   frame; `notWritable` and `diskFull`.
  @discardableResult
  public func saveReplay() async throws(CaptureError) -> ReplayReport {
    try await startSavingReplay().value.get()
  }

  /// The same, and does not wait for the file: what it holds is decided when this returns. The events tell `replaySaved`,
  /// or a warning where it failed.
  /// - Throws: `invalidState` where nothing is being recorded, or without a `replay`.
  @discardableResult
  public func startSavingReplay() throws(CaptureError) -> Task<Result<ReplayReport, CaptureError>, Never> {
    let recording = try running()
    guard let replay = recording.replay else {
      throw CaptureError(
        .invalidState, "Nothing is kept for a replay.", remedy: "Record with --replay 30s, or an output's `replay`.")
    }
    return replay.save(origin: recording.files.origin)
  }
}
