/// `capstan presets targets`: GStreamer's encoding targets, for people and for programs.

import Capstan

struct EncodingTargetList: Sendable {
  let console: Console

  struct Line: Encodable, Sendable {
    /// As `encodingTarget` takes it.
    var name: String
    /// What the file consists of.
    var parts: [String]
    var description: String
    /// Whether there is a picture in it, so that Capstan can make anything of it.
    var hasVideo: Bool

    init(_ target: EncodingTarget, _ profile: EncodingTarget.Profile) {
      name = target.profiles.count > 1 ? "\(target.path)/\(profile.name)" : target.path
      let formats = [profile.container?.format].compactMap { $0 } + profile.streams.map(\.format)
      parts = formats.flatMap(\.structures).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      description = target.description
      hasVideo = profile.streams.contains { $0.kind == .video }
    }

    var row: [String] { [name, parts.joined(separator: " "), description] }
  }

  func show(asJSON: Bool) throws -> ExitCode {
    let lines = EncodingTarget.all.flatMap { target in target.profiles.map { Line(target, $0) } }
      .sorted { $0.name < $1.name }
    if asJSON {
      console.answer(try JSONText.answer(lines))
    } else if lines.isEmpty {
      console.say("GStreamer has no encoding targets (.gep) here; Debian's are in gstreamer1.0-plugins-base and -bad.")
    } else {
      console.answer(TextTable(rows: lines.map(\.row)).text)
    }
    return .done
  }
}

/// The target of a plan, for programs.
struct EncodingTargetAnswer: Encodable, Sendable {
  var path: String
  var asked: [String]

  init(_ outcome: EncodingTargetWish.Outcome) { (path, asked) = (outcome.path, outcome.asked) }
}
