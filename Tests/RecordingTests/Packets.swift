/// The frames of a file as ffprobe finds them, without decoding: sizes, times, and which of them are key frames.

import Foundation
import TestSupport

struct Packets {
  private struct Packet: Decodable {
    let time: String
    let size: String
    let flags: String

    private enum CodingKeys: String, CodingKey {
      case time = "pts_time"
      case size, flags
    }
  }

  private struct Answer: Decodable { let packets: [Packet] }

  private let packets: [Packet]

  init(_ file: URL) async throws {
    let outcome = try await RunningProgram(
      "/usr/bin/ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,size,flags", "-of", "json",
        file.path(percentEncoded: false),
      ]
    ).finish()
    packets = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8)).packets
  }

  var count: Int { packets.count }

  /// In the order of the file; the time is that of its place there, as frames that are shown later come earlier.
  var inOrder: [(bytes: Int, isKeyFrame: Bool, time: Int64)] {
    zip(packets, times).map { (Int($0.size) ?? 0, $0.flags.contains("K"), Int64($1 * 1e9)) }
  }

  /// Those at which they are shown, in seconds and in that order.
  var times: [Double] { packets.compactMap { Double($0.time) }.sorted() }

  /// From the first frame to the end of the last, in seconds; frames that are missing count as time.
  var duration: Double {
    guard let first = times.first, let last = times.last, count > 1 else { return 0 }
    return (last - first) * Double(count) / Double(count - 1)
  }

  /// In bits a second.
  var bitRate: Double {
    Double(packets.reduce(0) { $0 + (Int($1.size) ?? 0) } * 8) / max(duration, .leastNonzeroMagnitude)
  }

  /// In bits a second, had no frame been lost of so many a second.
  func bits(aSecondAt rate: Double) -> Double {
    Double(packets.reduce(0) { $0 + (Int($1.size) ?? 0) } * 8) * rate / Double(max(1, count))
  }

  /// From one frame to the next, in seconds.
  var longestDistance: Double { zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0 }

  /// In seconds; the end of the file counts as one.
  var longestKeyFrameDistance: Double {
    let keys = packets.filter { $0.flags.contains("K") }.compactMap { Double($0.time) }.sorted()
    guard let first = times.first, keys.first == first else { return .infinity }
    return zip(keys, keys.dropFirst() + [first + duration]).map { $1 - $0 }.max() ?? .infinity
  }

  /// What ffmpeg says while it decodes every frame: nothing of a sound file.
  static func complaints(about file: URL) async throws -> String {
    let arguments = ["-v", "error", "-i", file.path(percentEncoded: false), "-f", "null", "-"]
    let outcome = try await RunningProgram("/usr/bin/ffmpeg", arguments).finish()
    return outcome.errors + (outcome.status == 0 ? "" : "ended with \(outcome.status)")
  }
}
