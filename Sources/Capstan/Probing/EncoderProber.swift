/// Proves encoders: by what is known of them, or by trying them in a process of its own, which an encoder may hang or
/// crash without harm.

public import Foundation
import GStreamer

/// The trial is made by the `capstan` command. A program that embeds Capstan finds it beside its own file or in `PATH`,
/// or names it; where there is none, nothing is tried in the program itself, which a bad driver would take down with it:
/// an encoder that needs proof is then taken at its word, and the plan's notes say so.
public struct EncoderProber: Sendable {
  /// The `capstan` command; `nil` where nothing is to be tried.
  public var program: URL?
  public var cache: EncoderCache

  public init(program: URL? = EncoderProber.installedProgram, cache: EncoderCache = .standard) {
    self.program = program
    self.cache = cache
  }

  /// The command by which it tries encoders.
  package static let command = "try-encoder"
  /// The first line of its answer; the second is the finding.
  package static let greeting = "capstan trial 1"

  /// Beside the running program, else the first in `PATH`.
  public static var installedProgram: URL? {
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: "\($0)") }
    return ([own] + path).map { $0.appending(path: "capstan", directoryHint: .notDirectory) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
  }

  /// For the `capstan` command itself: the running program, also where its file has been replaced meanwhile.
  package static var byThisProgram: EncoderProber {
    EncoderProber(program: URL(filePath: "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe"))
  }

  /// What became of a trial.
  public enum Outcome: Sendable, Hashable {
    case found(EncoderFinding)
    /// Nothing is known: the end of a sentence that says why.
    case untried(String)
  }

  /// Takes what is known of this trial, or makes it. Blocks for some seconds.
  /// - Parameter note: called with what went wrong beside it: a cache that cannot be written.
  public func prove(_ trial: EncoderTrial, note: (String) -> Void = { _ in }) -> Outcome {
    if let known = cache.finding(of: trial) { return .found(known) }
    return probe(trial, note: note)
  }

  /// Makes the trial, whatever is known. Blocks for some seconds.
  public func probe(_ trial: EncoderTrial, note: (String) -> Void = { _ in }) -> Outcome {
    guard let program else { return .untried("there is no capstan command to try it with") }
    let outcome = TrialProcess(program: program).run(trial)
    guard case .found(let finding) = outcome else { return outcome }
    do {
      try cache.add(finding, of: trial)
    } catch {
      let place = cache.file.path(percentEncoded: false)
      note("what was found of \(trial.subject.element) is not kept, as \(place) cannot be written")
    }
    return outcome
  }
}
