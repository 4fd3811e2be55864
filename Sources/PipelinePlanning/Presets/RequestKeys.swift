/// The keys of a wish, of the limits and of the hooks.

import MediaFormats

extension FormatRequest {
  /// What a preset asks for where it says nothing else: a file states only what it means to change.
  static let headline = FormatRequest(
    dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60), range: .full)

  static let table = KeyTable<FormatRequest>(
    keys: [
      .init("size", .size, initial: "\"1280x720\"", "Width and height in pixels, each up to 65535.") {
        (value, request) throws(ConfigurationError) in
        request.dimensions = value.text == "any" ? nil : try value.parsed { VideoDimensions(parsing: $0) }
      },
      .init("framerate", .frameRate, initial: "60", "Frames a second, as a number or an exact fraction.") {
        (value, request) throws(ConfigurationError) in
        request.frameRate = value.text == "any" ? nil : try value.parsed { Fraction(typed: $0) }
      },
      .init(
        "range", .words(["full", "limited", "source", "pc", "tv"]), initial: "\"full\"",
        "The range of the samples: every code, or 16 to 235; source keeps the camera's."
      ) { (value, request) throws(ConfigurationError) in
        request.range = try value.parsed(RangeChoice.init(parsing:)).range
      },
      .init("inputFormat", .payload, initial: "\"auto\"", "What the camera shall send.") {
        $1.payload = PayloadChoice(parsing: $0.text)
      },
      .init(
        "fallback", .words(FallbackStrategy.allCases.map(\.rawValue)), initial: "\"nearest\"",
        "What is taken where the camera has no such mode; exact fails instead."
      ) { (value, request) throws(ConfigurationError) in
        request.fallback = try value.parsed { FallbackStrategy(rawValue: $0) }
      },
      .init("strict", .boolean, "True is short for the fallback exact.") { $1.isStrict = $0.flag },
    ],
    alternatives: [["strict", "fallback"]])

  init(_ value: CheckedValue) throws(ConfigurationError) {
    self = .headline
    try FormatRequest.table.read(value, into: &self)
  }
}

extension Fraction {
  /// A rate as people write one; further decimals than caps can hold are rounded to thousandths.
  init?(typed text: String) {
    if let exact = Fraction(parsing: text) {
      self = exact
    } else {
      guard let number = Double(text), (0.001...99_999).contains(number) else { return nil }
      self.init(Int((number * 1000).rounded()), 1000)
    }
  }
}

extension RecordingLimits {
  static let table = KeyTable<RecordingLimits>(keys: [
    .init("duration", .time, "Time from the first frame: 10 s at 60 fps are 600 frames.") {
      (value, limits) throws(ConfigurationError) in
      limits.duration = try value.parsed(Duration.init(parsing:))
    },
    .init("frames", .count, "Exactly this many frames.") { $1.frames = $0.number.map { Int($0) } },
    .init("maximumSize", .byteCount, "What the finished file may have, its index included; it is never larger.") {
      (value, limits) throws(ConfigurationError) in
      limits.bytes = try value.parsed(ByteCount.init(parsing:)).bytes
    },
    .init("reserve", .byteCount, "What stays free on the disk; a recording does not begin with less.") {
      (value, limits) throws(ConfigurationError) in
      limits.reserve = try value.parsed(ByteCount.init(parsing:)).bytes
    },
  ])
}

extension RecordingTimeouts {
  static let table = KeyTable<RecordingTimeouts>(keys: [
    .init(
      "firstFrame", .timeOrNever, initial: "\"10s\"", "From the start to the first picture; 0 for as long as it takes."
    ) { (value, timeouts) throws(ConfigurationError) in
      timeouts.firstFrame = try value.parsed(Duration.init(parsing:)).unlessZero
    },
    .init("stall", .timeOrNever, initial: "\"5s\"", "Between two pictures; 0 for as long as it takes.") {
      (value, timeouts) throws(ConfigurationError) in
      timeouts.stall = try value.parsed(Duration.init(parsing:)).unlessZero
    },
  ])
}

extension Duration {
  /// `nil` where no time stands for any.
  public var unlessZero: Duration? { self == .zero ? nil : self }
}

extension ProxyWish {
  static let table = KeyTable<ProxyWish>(keys: [
    .init("name", .name, initial: "\"proxy\"", "Stands in its file's name: a-proxy.mp4 beside a.mp4.") {
      $1.name = $0.text
    },
    .init("scale", .exactSize, initial: "\"640x360\"", "Its size.") { (value, proxy) throws(ConfigurationError) in
      proxy.scale = try value.parsed { VideoDimensions(parsing: $0) }
    },
    .init("bitrate", .bitRate, initial: "\"800k\"", "Bits a second.") { (value, proxy) throws(ConfigurationError) in
      proxy.bitRate = try value.bitRate()
    },
    .init(
      "encoder", .texts(.name, item: "text"),
      "The encoder's element, or several in order of preference; left out, as the main file's."
    ) { $1.encoders = $0.items.map(\.text) },
    .init("container", .name, "How it is written; left out, as the main file.") { $1.container = $0.text },
  ])
}

extension CheckedValue {
  /// A number of bits a second, or a text with a unit.
  func bitRate() throws(ConfigurationError) -> BitRate {
    guard let number else { return try parsed(BitRate.init(parsing:)) }
    return BitRate(bitsPerSecond: Int(number.rounded()))
  }
}

extension RecordingHooks {
  static let table = KeyTable<RecordingHooks>(keys: [
    .init(
      "finished", .list(of: .argument, item: "text, the program and its arguments,", oneMayStandAlone: false),
      "A program and its arguments, run without a shell once a file is finished; {file} stands for its path, "
        + "{duration} for its seconds, {report} for its JSON."
    ) { $1.finished = $0.items.map(\.text) }
  ])
}
