/// What `Tests/Tools/check-recording` reads out of a file: by bytes, by ffprobe and by decoded samples, and nothing of
/// it by the code under test.

public import Foundation

public struct RecordingCheck: Decodable, Sendable {
  public struct Boxes: Decodable, Sendable {
    public let order: [String]
    public let moofs: Int
  }

  public struct Movie: Decodable, Sendable {
    public let duration: Double
  }

  public struct Track: Decodable, Sendable {
    public let samples: Int
    public let maxGap: Double?
    public let hasCtts: Bool
    public let keyFrames: [Int]
    public let maxKeyFrameDistance: Double?
  }

  /// Fields that are not written are `nil`.
  public struct Color: Decodable, Sendable, Equatable {
    public let fullRange: Bool?
    public let primaries: Int?
    public let transfer: Int?
    public let matrix: Int?

    public init(fullRange: Bool, primaries: Int, transfer: Int, matrix: Int) {
      self.fullRange = fullRange
      self.primaries = primaries
      self.transfer = transfer
      self.matrix = matrix
    }
  }

  public struct Probe: Decodable, Sendable {
    public let codec: String
    public let profile: String
    public let pixelFormat: String
    public let width: Int
    public let height: Int
    public let averageRate: String
    public let colorRange: String?
    public let duration: Double?
    public let readFrames: Int

    /// ffprobe's names.
    private enum CodingKeys: String, CodingKey {
      case codec = "codec_name"
      case profile
      case pixelFormat = "pix_fmt"
      case width, height
      case averageRate = "avg_frame_rate"
      case colorRange = "color_range"
      case duration
      case readFrames = "nb_read_frames"
    }
  }

  public struct Frames: Decodable, Sendable {
    public let first: Int?
    public let last: Int?
    public let count: Int
    public let lost: Int
    public let repeated: Int
    public let reordered: Int
    /// How often the camera's own numbers began anew.
    public let restarts: Int
    public let unreadable: Int
  }

  public struct Bar: Decodable, Sendable {
    public let level: Int
    public let luma: Double
    public let min: Double
    public let max: Double
  }

  public struct Picture: Decodable, Sendable {
    public let grey: [Bar]
    /// Largest error for `full601`, `full709`, `limited601` and `limited709`: that of the grey bars, that of the
    /// colour bars.
    public let expected: [String: [String: Double]]
    public let closest: String
  }

  public let boxes: Boxes?
  public let movie: Movie?
  public let track: Track?
  public let vui: Color?
  public let colr: Color?
  public let probe: Probe
  public let frames: Frames?
  public let picture: Picture?

  public init(_ file: URL) async throws {
    let tool = Places.tests.appending(path: "Tools/check-recording").path(percentEncoded: false)
    let outcome = try await RunningProgram("/usr/bin/env", ["python3", tool, file.path(percentEncoded: false)]).finish()
    guard outcome.status == 0 else { throw CheckFailure(message: outcome.output + outcome.errors) }
    self = try JSONDecoder().decode(RecordingCheck.self, from: Data(outcome.output.utf8))
  }

  /// One index, nothing fragmented: what every player takes.
  public var isOrdinaryMP4: Bool {
    boxes.map { $0.moofs == 0 && $0.order.filter { $0 == "moov" }.count == 1 && $0.order.first == "ftyp" } ?? false
  }

  /// Lost, doubled, out of order or unreadable ones.
  public var faultyFrames: Int {
    frames.map { $0.lost + $0.repeated + $0.reordered + $0.unreadable } ?? .max
  }

  /// The largest error of all bars, for a way of making them as `full601`.
  public func error(as kind: String) -> Double { picture?.expected[kind]?["max"] ?? .infinity }
}

public struct CheckFailure: Error, CustomStringConvertible {
  let message: String
  public var description: String { "the recording cannot be read: \(message)" }
}
