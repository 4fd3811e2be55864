/// Runs the program that a preset names once a file is finished: without a shell, and without keeping anybody waiting.

import Foundation

struct Hook: Sendable {
  /// How long the report of a recording waits for the program; it may run longer.
  static let patience = Duration.seconds(10)

  private let program: String
  private let arguments: [String]

  /// `nil` where there is nothing to run.
  init?(_ words: [String]) {
    guard let program = words.first else { return nil }
    self.program = program
    arguments = Array(words.dropFirst())
  }

  /// What a program is told of a file that is finished.
  struct Finished: Sendable {
    let file: URL
    let duration: Duration
    /// One line of JSON.
    let report: String

    fileprivate init(_ file: URL, _ duration: Duration, _ report: some Encodable) {
      self.file = file
      self.duration = duration
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      self.report = (try? encoder.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    init(_ replay: ReplayReport) { self.init(replay.file, replay.duration, replay) }

    /// `nil` for a file that is not there, or not whole.
    init?(_ report: FileReport) {
      guard report.isComplete, let file = report.file else { return nil }
      self.init(file, report.duration, report)
    }

    /// Each place once: what is put in is not looked at again.
    func filled(into argument: String) -> String {
      argument.replacing(/\{(file|duration|report)\}/) { match in
        switch match.1 {
        case "file": file.path(percentEncoded: false)
        case "duration": String(format: "%.3f", duration.inSeconds)
        default: report
        }
      }
    }
  }

  /// `{file}` in an argument stands for the file's path, `{duration}` for its length in seconds, `{report}` for what is
  /// in it, as JSON. What the program prints goes to the standard error, as the standard output may be somebody's answer.
  /// - Returns: what to warn of; `nil` where it ended well.
  func run(for finished: Finished, patience: Duration = Hook.patience) async -> String? {
    guard let found = Hook.path(of: program) else {
      return "The hook \(program) was not run: there is no such program; check its name and PATH."
    }
    let process = Process()
    process.executableURL = URL(filePath: found)
    process.arguments = arguments.map(finished.filled)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.standardError
    do {
      try process.run()
    } catch {
      return "The hook \(program) was not run: \(CaptureError.cause(of: error))."
    }
    let deadline = ContinuousClock.now + patience
    while process.isRunning {
      guard ContinuousClock.now < deadline else {
        return "The hook \(program) still runs after \(Int(patience.inSeconds)) s; it is left to itself."
      }
      // A cancelled task must not spin: it waits as long as any other.
      await Task.detached { try? await Task.sleep(for: .milliseconds(10)) }.value
    }
    return complaint(about: process)
  }

  /// For a file of several: nobody waits for the program.
  /// - Parameter warn: called where it does not end well.
  func runAside(for report: FileReport, warn: @escaping @Sendable (String) -> Void) {
    guard let finished = Finished(report) else { return }
    Task.detached {
      if let told = await run(for: finished) { warn(told) }
    }
  }

  private func complaint(about process: Process) -> String? {
    guard process.terminationReason == .exit else {
      return "The hook \(program) was ended by signal \(process.terminationStatus)."
    }
    let status = process.terminationStatus
    return status == 0 ? nil : "The hook \(program) failed with exit code \(status)."
  }

  /// As execvp(3) finds it.
  private static func path(of program: String) -> String? {
    if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    // With a slash behind it, a path exists only where it is a folder (path_resolution(7)).
    return folders.map { "\($0)/\(program)" }.first {
      FileManager.default.isExecutableFile(atPath: $0) && !FileManager.default.fileExists(atPath: "\($0)/")
    }
  }
}
