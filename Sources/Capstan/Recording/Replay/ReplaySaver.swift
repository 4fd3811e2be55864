/// Writes replays into files of their own, while the recording goes on.

import Foundation
import GStreamer
import Synchronization

final class ReplaySaver: Sendable {
  typealias Saving = Task<Result<ReplayReport, CaptureError>, Never>

  private struct State {
    var next = 0
    var savings: [Saving] = []
  }

  let buffer: ReplayBuffer
  private let agreement: PresentAgreement
  private let output: MovieFileOutput
  /// Of the recording: replays are named after it.
  private let main: URL
  private let timeline: RecordingTimeline
  private let broadcast: EventBroadcast
  private let state = Mutex(State())

  init(
    _ buffer: ReplayBuffer, agreement: PresentAgreement, output: MovieFileOutput, main: URL,
    timeline: RecordingTimeline, broadcast: EventBroadcast
  ) {
    self.buffer = buffer
    self.agreement = agreement
    self.output = output
    self.main = main
    self.timeline = timeline
    self.broadcast = broadcast
  }

  /// Saves what is kept now; returns at once.
  /// - Parameter origin: when the recording begins, on its timeline.
  func save(origin: Int64?) -> Saving {
    let samples = buffer.latest()
    return state.withLock { state in
      let saving = Saving.detached { [self] in
        do throws(CaptureError) {
          return .success(try await write(samples, origin: origin))
        } catch {
          broadcast.send(.warning("The replay could not be saved: \(error.message)"))
          return .failure(error)
        }
      }
      state.savings.append(saving)
      return saving
    }
  }

  /// All that were saved, once none is being written any more; nothing is kept from then on.
  func settle() async -> [ReplayReport] {
    var reports: [ReplayReport] = []
    for saving in state.withLock(\.savings) {
      if case .success(let report) = await saving.value { reports.append(report) }
    }
    buffer.clear()
    return reports
  }

  private func write(_ samples: ArraySlice<MediaSample>, origin: Int64?) async throws(CaptureError) -> ReplayReport {
    guard !samples.isEmpty else {
      throw CaptureError(.noFrames, "There is nothing to replay yet.", remedy: "Wait for the first key frame.")
    }
    var file = try nextFile()
    do {
      try await fill(file, with: samples)
      try file.finish()
    } catch {
      file.remove()
      throw error
    }
    let times = samples.compactMap { $0.pts ?? $0.dts }.map(timeline.recorded)
    let (start, end) = (times.min() ?? 0, times.max() ?? 0)
    let report = ReplayReport(
      file: file.final, start: .nanoseconds(max(0, start - (origin ?? start))),
      duration: .nanoseconds(end - start + (agreement.value.period ?? 0)), frames: samples.count,
      bytes: samples.reduce(0) { $0 + Int64($1.size) })
    broadcast.send(.replaySaved(report))
    if let told = await Hook(agreement.plan.preset.hooks.finished)?.run(for: .init(report)) {
      broadcast.send(.warning(told))
    }
    return report
  }

  /// `a-replay-0.mp4` for `a.mp4`, and so on: the next number that is free. Replays never take another file's place.
  private func nextFile() throws(CaptureError) -> OutputFile {
    let stem = main.deletingPathExtension().lastPathComponent
    let folder = main.deletingLastPathComponent()
    var place = output
    (place.mayOverwrite, place.segments) = (false, nil)
    let fileExtension = agreement.plan.container.fileExtension
    while true {
      let number = state.withLock { state in
        defer { state.next += 1 }
        return state.next
      }
      let name = "\(stem)-replay-\(number).\(fileExtension)"
      place.destination = .file(folder.appending(path: name, directoryHint: .notDirectory))
      do { return try OutputFile(for: place, fileExtension: fileExtension, date: Date()) } catch {
        guard error.code == .fileExists, number < 100_000 else { throw error }
      }
    }
  }

  /// On a thread of its own: a slow disk holds up this file only.
  private func fill(_ file: OutputFile, with samples: ArraySlice<MediaSample>) async throws(CaptureError) {
    let (plan, period) = (agreement.plan, agreement.value.period)
    let writer = try FileWriter(
      plan.filePipeline(to: file.location), plan.container, period: period, timeline: timeline)
    defer { writer.close() }
    do { try writer.start() } catch { throw CaptureError(.notWritable, "\(error)") }
    Thread.detachNewThread {
      for sample in samples { writer.write(sample) }
      writer.finish()
    }
    if case .failed(let failure) = await writer.ending() { throw CaptureError(failure, device: "") }
  }
}
