/// The options that `record` and `plan` share.

import GStreamer

enum RecordOptions {
  static let device = text("device", "d", "DEV")
  static let size = text("size", "s", "WxH")
  static let frameRate = text("framerate", "r", "RATE")
  static let json = CommandOption("json", description: "")

  static let all = [
    device, text("preset", "p", "NAME|FILE"), size, text("width", nil, "W"),
    text("height", nil, "H"), frameRate, text("input-format", nil, "FORMAT"),
    text("color-range", nil, "RANGE"), text("color-matrix", nil, "MATRIX"), text("source-color", nil, "COLOR"),
    text("chroma", nil, "CHROMA"), text("depth", nil, "BITS"), CommandOption("strict", description: ""),
    text("scale", nil, "WxH"),
    text("fallback", nil, "HOW"),
    text("codec", nil, "CODEC"), text("encoder", nil, "NAME"), text("encoder-opts", nil, "OPTIONS"),
    text("element-preset", nil, "NAME"), text("encoding-target", nil, "NAME"),
    text("bitrate", nil, "RATE"), text("quality", nil, "0-100"), CommandOption("lossless", description: ""),
    text("bframes", nil, "N"), text("threads", nil, "N"), CommandOption("low-latency", description: ""),
    text("on-unplug", nil, "HOW"), text("first-frame-timeout", nil, "TIME"), text("stall-timeout", nil, "TIME"),
    text("segment", nil, "TIME"), text("segment-size", nil, "SIZE"), text("keep", nil, "WHAT"),
    text("replay", nil, "TIME"), text("replay-memory", nil, "SIZE"), CommandOption("replay-only", description: ""),
    text("duration", "t", "TIME"), text("frames", nil, "N"), text("max-size", nil, "SIZE"),
    text("min-free", nil, "SIZE"), text("rpo", nil, "TIME"), text("mode", nil, "MODE"), text("output", "o", "FILE"),
    CommandOption("overwrite", short: "y", description: ""), text("progress", nil, "MODE"),
    CommandOption("quiet", short: "q", description: ""), CommandOption("events", description: ""), json,
    CommandOption("report", description: ""),
    CommandOption("commands", description: ""), CommandOption("exit-with-parent", description: ""),
    CommandOption("control", kind: .strings, argumentName: "NAME=VALUE", description: ""),
    CommandOption("no-exposure-lock", description: ""),
  ]

  /// The help says what they mean: it is set by hand to fit a screen.
  private static func text(_ long: String, _ short: Character?, _ argument: String) -> CommandOption {
    CommandOption(long, short: short, kind: .string, argumentName: argument, description: "")
  }
}

/// How a running recording is shown: `--progress`.
enum ProgressChoice: String, Sendable, Hashable, CaseIterable { case auto, tty, plain, none }
