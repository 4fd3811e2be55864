/// Runs the built programs as a user would, with a camera that a library plays.

public import Foundation

/// A folder of a test's own, removed with its owner.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "capstan-test-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted() }
  }
}

/// Where things are, from this file's own place.
public enum Places {
  public static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  public static let fixtures = tests.appending(path: "Fixtures")
  public static let cameras = fixtures.appending(path: "cameras")
  public static let goldens = fixtures.appending(path: "goldens")

  /// GStreamer's list of plug-ins, shared by the programs of all test runs.
  static let registry = programs.appending(path: "gstreamer-registry.bin")

  /// The folder of the programs that were built with the tests: that of the running test program.
  public static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}

public struct Outcome: Sendable {
  public let status: Int32
  /// True where a signal ended it.
  public let wasKilled: Bool
  public let output: String
  public let errors: String

  public func json() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
  }

  /// The lines of `--events`.
  public func events() throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }
}

/// A program that has been started.
public final class RunningProgram: @unchecked Sendable {
  private let process = Process()
  private let output: URL
  private let errors: URL
  private let folder: TemporaryFolder
  /// What makes another program see the same cameras.
  public let environment: [String: String]
  /// How much the programs of a task give way to others (nice(2)), for work that needs no real time.
  @TaskLocal public static var niceness = 0

  /// - Parameters:
  ///   - program: a built program by name, or a path.
  ///   - camera: the cameras that it shall see.
  public init(_ program: String, _ arguments: [String], camera: FakeCamera? = nil, environment: [String: String] = [:])
    throws
  {
    folder = try TemporaryFolder()
    (output, errors) = (folder.file("out"), folder.file("err"))
    for file in [output, errors] { try Data().write(to: file) }
    let built = Places.programs.appending(path: program).path(percentEncoded: false)
    let words = RunningProgram.givingWay + [program.contains("/") ? program : built] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    var merged = ProcessInfo.processInfo.environment
    merged["XDG_CONFIG_HOME"] = folder.url.path()
    merged["XDG_STATE_HOME"] = folder.url.path()
    merged["XDG_CACHE_HOME"] = folder.url.path()
    // GStreamer's list of plug-ins would be in the cache too, and be made anew for each program.
    merged["GST_REGISTRY"] = merged["GST_REGISTRY"] ?? Places.registry.path(percentEncoded: false)
    self.environment = try camera?.environment(in: folder) ?? [:]
    merged.merge(self.environment) { $1 }
    merged.merge(environment) { $1 }
    // Two libraries can be preloaded at once.
    let libraries = [self.environment["LD_PRELOAD"], environment["LD_PRELOAD"]].compactMap { $0 }
    if !libraries.isEmpty { merged["LD_PRELOAD"] = libraries.joined(separator: ":") }
    process.environment = merged
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  private static var givingWay: [String] { niceness == 0 ? [] : ["/usr/bin/nice", "-n", "\(niceness)"] }

  public var identifier: Int32 { process.processIdentifier }

  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// What it has said so far.
  public var outputSoFar: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

  /// Waits for a condition; `false` when the program ended or the deadline passed first.
  public func wait(_ deadline: Duration = .seconds(60), until condition: () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
      if condition() { return true }
      if !process.isRunning { return condition() }
      try await Task.sleep(for: .milliseconds(20))
    }
    // Where others keep all threads busy, the sleep itself can outlast the deadline.
    return condition()
  }

  /// Waits for its end; a program that hangs is killed, and shows as killed by signal 9.
  public func finish(within deadline: Duration = .seconds(120)) async throws -> Outcome {
    let end = ContinuousClock.now + deadline
    while process.isRunning, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
    if process.isRunning { signal(SIGKILL) }
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: outputSoFar, errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
  }
}

/// Runs `capstan` to its end.
public func capstan(
  _ arguments: String..., camera: FakeCamera? = nil, environment: [String: String] = [:],
  within deadline: Duration = .seconds(120)
) async throws -> Outcome {
  try await RunningProgram("capstan", arguments, camera: camera, environment: environment).finish(within: deadline)
}
