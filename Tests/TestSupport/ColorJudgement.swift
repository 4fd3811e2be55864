/// What `Tests/Tools/judge-color` finds in recordings of the colour chart: what each place says of the colour, and how far
/// the samples are from the chart's RGB truth. It shares no code with the recorder.

public import Foundation

/// A recording, and what it ought to be.
public struct JudgedRecording: Encodable, Sendable {
  public var file: String
  public var fullRange: Bool
  /// 601 or 709.
  public var matrix: Int

  public init(_ file: URL, fullRange: Bool, matrix: Int) {
    self.file = file.path(percentEncoded: false)
    self.fullRange = fullRange
    self.matrix = matrix
  }
}

public struct ColorJudgement: Decodable, Sendable {
  /// What one place says; `nil` where it has no word for it, 2 where it says "unspecified".
  public struct Said: Decodable, Sendable {
    public let kind: String?
    public let fullRange: Bool?
    public let primaries: Int?
    public let transfer: Int?
    public let matrix: Int?
  }

  public struct Signals: Decodable, Sendable {
    public let codec: String
    public let stream: Said
    public let container: Said?
    public let probe: Said
    public let disagreements: [String]
  }

  /// In codes of 8 bits, against the truth before rounding.
  public struct Errors: Decodable, Sendable {
    public let mean: Double
    public let max: Double
    public let worst: String?
  }

  public struct Chart: Decodable, Sendable {
    public let frames: Int
    public let levels: Errors?
    public let samples: Errors?
    public let patches: Errors?

    /// Mean and largest error of the levels, of single samples, of the patches.
    public var figures: String {
      [levels, samples, patches].map { $0.map { "\($0.mean) \($0.max)" } ?? "-" }.joined(separator: " | ")
    }
  }

  public let file: String
  public let error: String?
  public let signals: Signals?
  public let chart: Chart?

  /// Judges all of them in one process.
  public static func of(_ recordings: [JudgedRecording]) async throws -> [ColorJudgement] {
    let folder = try TemporaryFolder()
    let list = folder.file("list.json")
    try JSONEncoder().encode(recordings).write(to: list)
    let tool = Places.tests.appending(path: "Tools/judge-color").path(percentEncoded: false)
    let outcome = try await RunningProgram("/usr/bin/env", ["python3", tool, list.path(percentEncoded: false)])
      .finish(within: .seconds(600))
    guard outcome.status == 0 else { throw CheckFailure(message: outcome.output + outcome.errors) }
    return try JSONDecoder().decode([ColorJudgement].self, from: Data(outcome.output.utf8))
  }
}
