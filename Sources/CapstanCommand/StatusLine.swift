/// A running recording on one line: `REC 00:01:23.4  4986 fr 59.94 fps  lost 0  7.9 Mb/s 82 MB  disk 3 h 12 m  ...`.

import Capstan
import Foundation

struct StatusLine: Sendable, Hashable {
  var time: Duration
  var frames: Int
  /// Frames a second.
  var rate: Double
  var lost: Int
  /// Bits a second.
  var bitRate: Double
  var bytes: Int64
  var diskTime: Duration?
  /// `nil` where nothing is kept for one.
  var replay: ReplayStatus?
  /// With its speed, `x264 faster`.
  var encoder: String
  /// Without its folder.
  var name: String
  /// How long the camera has been waited for.
  var waiting: Duration?

  /// - Parameter width: columns; `nil` for as many as it takes.
  func text(width: Int? = nil) -> String {
    let parts = [
      "\(waiting == nil ? "REC" : "WAIT") \(Figures.clock(time))",
      waiting.map { "no camera for \(Figures.clock($0))" },
      "\(frames) fr \(Figures.fixed(rate, decimals: 2)) fps",
      "lost \(lost)",
      "\(Figures.bitRate(bitRate)) \(Figures.bytes(bytes))",
      diskTime.map { "disk \(Figures.span($0))" },
      replay.map { "replay \(Figures.fixed($0.duration.inSeconds, decimals: 1)) s \(Figures.bytes($0.bytes))" },
      encoder,
      DisplayWidth.printable(name),
    ]
    let line = parts.compactMap { $0 }.joined(separator: "  ")
    return width.map { DisplayWidth.cut(line, to: $0) } ?? line
  }
}

extension StatusLine {
  init(_ status: RecordingStatus, encoder: String, name: String) {
    self.init(
      time: status.time, frames: status.framesWritten, rate: status.rate, lost: status.framesLost,
      bitRate: status.bitRate, bytes: status.bytes, diskTime: status.diskTime, replay: status.replay, encoder: encoder,
      name: name, waiting: status.waiting)
  }
}

/// How people call an encoder.
enum EncoderName {
  /// `x264 faster` for x264enc at its speed `faster`.
  static func short(_ element: String, speed: String?) -> String {
    let name = element.hasSuffix("enc") ? String(element.dropLast(3)) : element
    return speed.map { "\(name) \($0)" } ?? name
  }
}
