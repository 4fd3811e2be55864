/// Runs a trial as a process, and reads its answer or its death.

import Foundation

struct TrialProcess: Sendable {
  let program: URL

  /// Longer than all the waiting of a trial that ends by itself.
  static let deadline = Duration.seconds(60)

  /// Signals by which a user or the system ends programs; they say nothing about an encoder.
  private static let interruptions = [SIGHUP, SIGINT, SIGTERM, SIGKILL]

  func run(_ trial: EncoderTrial) -> EncoderProber.Outcome {
    let process = Process()
    process.executableURL = program
    let answer = Pipe()
    do {
      let job = String(decoding: try JSONEncoder().encode(trial), as: UTF8.self)
      process.arguments = [EncoderProber.command, job]
      // A crash is an answer here, and needs no report of its own.
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = answer
      process.standardError = FileHandle.nullDevice
      try process.run()
    } catch {
      return .untried("the trial could not be started (\(CaptureError.cause(of: error)))")
    }
    let isInTime = Bench.wait(TrialProcess.deadline) { !process.isRunning }
    if !isInTime {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let text = String(decoding: answer.fileHandleForReading.availableData, as: UTF8.self)
    return outcome(of: process, text, isInTime: isInTime)
  }

  private func outcome(of process: Process, _ text: String, isInTime: Bool) -> EncoderProber.Outcome {
    let lines = text.split(separator: "\n")
    guard lines.first.map(String.init) == EncoderProber.greeting else {
      return .untried("\(program.path(percentEncoded: false)) cannot try encoders")
    }
    if !isInTime { return failure("hangs: its trial was ended after \(Int(TrialProcess.deadline.inSeconds)) s") }
    let status = process.terminationStatus
    guard process.terminationReason == .exit else {
      if TrialProcess.interruptions.contains(status) { return .untried("its trial was interrupted") }
      return failure("crashes: its trial was ended by signal \(status)")
    }
    guard lines.count > 1, let finding = try? JSONDecoder().decode(EncoderFinding.self, from: Data(lines[1].utf8))
    else {
      return failure("crashes: its trial ended by itself with exit code \(status)")
    }
    return .found(finding)
  }

  private func failure(_ reason: String) -> EncoderProber.Outcome {
    .found(EncoderFinding(failure: reason, date: Date()))
  }
}
