/// The camera of a recording through all its connections: the stage that is there now, and the wait for the next one.

import Dispatch
import GStreamer
import Synchronization

final class CameraConnection: Sendable {
  private struct State {
    /// Whether the camera has something else now, and is taken with that.
    var isModeGone = false
    /// `nil` while the camera is away.
    var stage: CaptureStage?
    var listener: Task<Void, Never>?
    /// Of the first stage, in which all go on.
    var time: PipelineTime?
    /// Of stages that are gone.
    var steps: [GovernorStep] = []
    /// Where what the camera's controls were is written.
    var controlRecord: ControlRecordFile?
    /// What could not be put back, as a sentence.
    var leftChanged: String?
    var wait: Task<Void, Never>?
    var isWaiting = false
    /// Connections in a row that brought no picture.
    var failures = 0
    /// Why the camera that is there does not do, as the last try found, and whether that has been told.
    var obstacle: (message: String, isTold: Bool)?
  }

  /// Longer than a camera takes to start.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let device: CaptureDevice
  private let agreement: PresentAgreement
  private let replan: CameraSetup.Planner
  private let surroundings: CaptureStage.Surroundings
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "capstan.reconnection")

  /// Builds the first stage, opens nothing.
  init(
    _ agreement: PresentAgreement, device: CaptureDevice, setup: CameraSetup, replan: @escaping CameraSetup.Planner,
    _ surroundings: CaptureStage.Surroundings
  ) throws(CaptureError) {
    self.agreement = agreement
    self.device = device
    self.replan = replan
    self.surroundings = surroundings
    let stage = try CaptureStage(plan: agreement.plan, device: device, setup: setup, surroundings)
    state = Mutex(State(stage: stage))
  }

  var stage: CaptureStage? { state.withLock(\.stage) }

  /// In which the recording goes on while the camera is away; `nil` while it is there.
  var timeAway: Int64? { state.withLock { $0.stage == nil ? $0.time?.now : nil } }

  /// Every change of the encoder's speed.
  var steps: [GovernorStep] { state.withLock { $0.steps + ($0.stage?.speeds?.steps ?? []) } }

  // MARK: The first

  /// - Parameter hear: called with what happens to the stage.
  func play(_ hear: @escaping @Sendable (CaptureStage.Message) -> Void) throws(StateChangeError) {
    guard let stage else { return }
    listen(to: stage, hear)
    try stage.play()
  }

  private func listen(to stage: CaptureStage, _ hear: @escaping @Sendable (CaptureStage.Message) -> Void) {
    let listener = Task { await stage.messages(hear) }
    state.withLock { $0.listener = listener }
  }

  // MARK: The next ones

  /// Looks, when the camera has failed, whether it still has the mode that was agreed: the input of a grabber may have
  /// got another signal. v4l2src 1.22 asks for what it listed before, and cannot go on by itself.
  /// - Returns: what has become of it; `nil` where the mode is there, or the camera is not.
  func lookForMode() -> CaptureError? {
    let plan = agreement.plan
    guard device.path != nil, let formats = try? device.formats(), !formats.isEmpty,
      !formats.contains(where: { $0.narrowed(to: plan.mode) != nil })
    else { return nil }
    state.withLock { $0.isModeGone = true }
    return CaptureError(
      .deviceFailed, "\(device.name) has another picture now: it gives no \(plan.mode) any more.",
      remedy: "Record what it has; `capstan formats` lists that.")
  }

  /// Takes the stage down, and ends the wait for another one.
  func disconnect() {
    endWait()
    let (stage, listener) = state.withLock { state in
      state.time = state.time ?? state.stage?.product.pipeline.time
      defer { (state.stage, state.listener) = (nil, nil) }
      return (state.stage, state.listener)
    }
    listener?.cancel()
    guard let stage else { return }
    let told = stage.close()
    surroundings.ledger.interrupted()
    surroundings.rates.interrupt()
    state.withLock { state in
      state.steps += stage.speeds?.steps ?? []
      state.controlRecord = stage.setup.controls?.file ?? state.controlRecord
      state.leftChanged = told ?? state.leftChanged
      state.failures += 1
    }
  }

  /// A picture has come.
  func settle() { state.withLock { $0.failures = 0 } }

  /// Waits for the same camera, and goes on with it.
  /// - Parameters:
  ///   - join: is given the new stage before it plays.
  ///   - connected: called once it plays.
  ///   - refused: called each time that the camera is there, and has nothing that the recording may go on with.
  func awaitCamera(
    join: @escaping @Sendable (CaptureStage) throws(CaptureError) -> Void,
    hear: @escaping @Sendable (CaptureStage.Message) -> Void, connected: @escaping @Sendable () -> Void,
    refused: @escaping @Sendable (CaptureError) -> Void
  ) {
    let failures = state.withLock { state in
      state.isWaiting = true
      return state.failures
    }
    let delay = Duration.seconds(min(5, max(0, failures - 1)))
    let wait = Task.detached { [self] in
      await CameraReturn(camera: device, delay: delay).wait { [self] camera in
        await tried { [self] in connect(camera, join, hear, connected, refused) }
      }
    }
    state.withLock { $0.wait = wait }
  }

  /// On a queue of its own: cameras keep their callers waiting.
  private func tried(_ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  private func connect(
    _ camera: CaptureDevice, _ join: (CaptureStage) throws(CaptureError) -> Void,
    _ hear: @escaping @Sendable (CaptureStage.Message) -> Void, _ connected: () -> Void,
    _ refused: (CaptureError) -> Void
  ) -> Bool {
    guard state.withLock(\.isWaiting) else { return true }
    do throws(CaptureError) {
      let stage = try prepare(camera)
      do throws(CaptureError) {
        try join(stage)
        try play(stage)
      } catch {
        stage.close()
        throw error
      }
      connected()
      listen(to: stage, hear)
      return true
    } catch {
      tellTwice(error)
      if error.code == .requestImpossible { refused(error) }
      return false
    }
  }

  private func prepare(_ camera: CaptureDevice) throws(CaptureError) -> CaptureStage {
    let (record, isModeGone) = state.withLock { ($0.controlRecord, $0.isModeGone) }
    let again = try CameraSetup.again(
      agreement.value, on: camera, recordedIn: record, replan: isModeGone ? replan : nil)
    do throws(CaptureError) {
      let stage = try CaptureStage(plan: again.agreement.plan, device: camera, setup: again.setup, surroundings)
      agreement.replace(by: again.agreement)
      if again.isOther { surroundings.agreed(again.agreement) }
      return stage
    } catch {
      again.setup.controls?.giveBack()
      throw error
    }
  }

  private func play(_ stage: CaptureStage) throws(CaptureError) {
    let time = state.withLock { state -> PipelineTime? in
      guard state.isWaiting else { return nil }
      (state.stage, state.obstacle, state.leftChanged, state.isModeGone) = (stage, nil, nil, false)
      return state.time
    }
    guard let time else { throw CaptureError(.invalidState, "The recording has ended.") }
    do throws(StateChangeError) { try stage.play(in: time) } catch {
      state.withLock { $0.stage = nil }
      let cause = stage.product.pipeline.bus.firstFailure.map { CaptureError($0, device: device.name) }
      throw cause ?? CaptureError(.pipelineFailed, "\(error)")
    }
  }

  /// What passes by itself, as rights that come a moment after the node, need not be told.
  private func tellTwice(_ error: CaptureError) {
    let isDue = state.withLock { state in
      guard state.isWaiting, let last = state.obstacle, last.message == error.message else {
        state.obstacle = (error.message, false)
        return false
      }
      state.obstacle = (error.message, true)
      return !last.isTold
    }
    let isAway = [.deviceLost, .deviceNotFound].contains(error.code)
    if isDue, !isAway {
      surroundings.tell(.warning("The camera is there, and waited for all the same: \(error.message)"))
    }
  }

  private func endWait() {
    let wait = state.withLock { state in
      state.isWaiting = false
      defer { state.wait = nil }
      return state.wait
    }
    guard let wait else { return }
    wait.cancel()
    // What is under way goes on to its end, but not for ever.
    let idle = DispatchSemaphore(value: 0)
    queue.async { idle.signal() }
    _ = idle.wait(timeout: .now() + CameraConnection.patience)
  }

  // MARK: The end

  func stopSource() {
    endWait()
    stage?.stopSource()
  }

  /// Takes down what is there; nothing follows.
  /// - Returns: what of the camera's controls could not be put back, as a sentence.
  func close() -> String? {
    let (stage, listener, left) = state.withLock { state in (state.stage, state.listener, state.leftChanged) }
    listener?.cancel()
    return stage.map { $0.close() } ?? left
  }
}
