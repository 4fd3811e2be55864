/// What a real player shows of recordings of the colour chart, against the camera's RGB: `Tests/players/play-chart`.

public import Foundation

public struct PlayerCheck: Decodable, Sendable {
  public struct Shown: Decodable, Sendable {
    public let file: String
    public let error: String?
    /// In codes of 8 bits of R, G or B.
    public let levels: ColorJudgement.Errors?
    public let patches: ColorJudgement.Errors?

    public var worst: Double { error == nil ? max(levels?.max ?? .infinity, patches?.max ?? .infinity) : .infinity }

    /// Where the worst error is, in words.
    public var place: String {
      error ?? [levels, patches].compactMap { $0 }.max { $0.max < $1.max }?.worst ?? "nowhere"
    }
  }

  public let version: String
  public let files: [Shown]

  /// - Parameter player: `chromium`, `chromium-software`, `firefox` or `mpv`.
  public init(_ player: String, _ files: [URL]) async throws {
    let tool = Places.tests.appending(path: "players/play-chart").path(percentEncoded: false)
    let paths = files.map { $0.path(percentEncoded: false) }
    let outcome = try await RunningProgram("/usr/bin/env", ["python3", tool, player] + paths)
      .finish(within: .seconds(600))
    guard outcome.status == 0 else { throw CheckFailure(message: outcome.output + outcome.errors) }
    self = try JSONDecoder().decode(PlayerCheck.self, from: Data(outcome.output.utf8))
  }

  /// Whether a program can be found, as a shell would.
  public static func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
