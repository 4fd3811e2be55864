/// `capstan encoders`: which encoders there are, where to get those that are missing, and what they can do here.

import Capstan
import Foundation
import GStreamer

enum EncodersCommand: Subcommand {
  static let name = "encoders"
  static let summary = "which encoders there are, and which of them work here"
  static let options = [
    CommandOption("probe", description: ""), CommandOption("presets", description: ""), RecordOptions.size,
    RecordOptions.frameRate, RecordOptions.json,
  ]
  static let takesWords = true
  static let help = """
    Usage: capstan encoders [--presets|--probe] [OPTION...] [NAME...]

    Lists the encoders that --encoder takes: the codec, whether it is installed or
    which Debian package has it, what it is good for, and what is known of it here.

          --probe            try those that are installed, at most a second a speed:
                             do they start, how many frames a second do they make
                             of pictures that are hard to encode, do they keep key
                             frames and bit rate, can what they make be decoded
      -s, --size WxH         of the pictures, or a short form as 1080p30 [1280x720]
      -r, --framerate RATE   that it has to reach [60]
          --presets          GStreamer's presets of them, for elementPreset
          --json             a list on stdout, for programs

    Findings are kept in ~/.cache/capstan, or below $XDG_CACHE_HOME: a speed that
    nobody chose is then the slowest that this machine holds. record tries encoders
    in hardware, and those of your own files, by itself before it first takes them.
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    try GStreamerRuntime.initialize()
    let chosen = try EncoderSelection(options)
    let encoders = try chosen.encoders()
    if options.flag("presets") {
      return try ElementPresetList.show(encoders, asJSON: options.flag("json"), console)
    }
    guard options.flag("probe") else { return try list(encoders, options, console) }
    return try await probe(encoders, chosen, options, console)
  }

  private static func list(
    _ encoders: [EncoderProfile], _ options: ParsedOptions, _ console: Console
  ) throws -> ExitCode {
    let known = EncoderCache.standard.findings.map { TrialAnswer($0.subject, .found($0.finding), at: nil) }
    let answers = encoders.map { profile in
      EncoderAnswer(profile, trials: known.filter { $0.subject.element == profile.element })
    }
    console.answer(
      options.flag("json") ? try JSONText.answer(answers) : TextTable(rows: answers.map(\.row)).text)
    return .done
  }

  private static func probe(
    _ encoders: [EncoderProfile], _ chosen: EncoderSelection, _ options: ParsedOptions, _ console: Console
  ) async throws -> ExitCode {
    let run = try chosen.trialRun(console)
    var answers: [EncoderAnswer] = []
    for encoder in encoders {
      let isHere = ElementCatalog.contains(encoder.element)
      answers.append(EncoderAnswer(encoder, trials: isHere ? try await run.run(encoder) : []))
    }
    if options.flag("json") {
      console.answer(try JSONText.answer(answers))
    } else {
      console.answer(TextTable(rows: [TrialAnswer.heading] + answers.flatMap(\.trialRows)).text)
    }
    return .done
  }
}

/// Which encoders are meant, and what they are to be tried at.
struct EncoderSelection {
  private let names: [String]
  private let choice: SizeChoice?
  private let rate: Fraction?
  private let library = ProfileLibrary.standard

  init(_ options: ParsedOptions) throws(UsageError) {
    names = options.remaining
    choice = try options.value("size", SizeChoice.allowed, SizeChoice.init(parsing:))
    rate = try options.value("framerate", FrameRateChoice.allowed, FrameRateChoice.parse) ?? choice?.frameRate
    if let size = choice?.dimensions, !size.isEven || size.width < 64 || size.height < 64 {
      throw UsageError("--size", "\(size)", allowed: "even sides of 64 and more here")
    }
    if options.flag("presets"), options.flag("probe") {
      throw UsageError("--presets and --probe are two questions; ask one of them.")
    }
    for option in ["size", "framerate"] where options.has(option) && !options.flag("probe") {
      throw UsageError("--\(option) is for --probe; give both or neither.")
    }
  }

  func encoders() throws -> [EncoderProfile] {
    let all = try library.encoders()
    for name in names where !all.contains(where: { $0.element == name }) {
      throw UsageError(unknown: "encoder", name, known: all.map(\.element))
    }
    return names.isEmpty ? all : all.filter { names.contains($0.element) }
  }

  func trialRun(_ console: Console) throws -> EncoderTrialRun {
    let planner = RecordingPlanner(
      encoders: try library.encoders(), containers: try library.containers(),
      installedElements: ElementCatalog.installed, processorCount: ProcessInfo.processInfo.activeProcessorCount)
    let preset = try library.preset(ProfileLibrary.defaultPreset)
    return EncoderTrialRun(
      console: console, planner: planner, preset: preset,
      dimensions: choice?.dimensions ?? VideoDimensions(width: 1280, height: 720), frameRate: rate ?? Fraction(60))
  }
}

struct EncoderAnswer: Encodable, Sendable {
  var name: String
  var codec: String
  var installed: Bool
  /// In hardware, so that the list alone says little.
  var hardware: Bool
  /// Debian's; `nil` where none is known.
  var package: String?
  var summary: String
  var trials: [TrialAnswer]

  init(_ profile: EncoderProfile, trials: [TrialAnswer]) {
    name = profile.element
    codec = profile.codec
    installed = ElementCatalog.contains(profile.element)
    hardware = profile.isHardware
    package = ElementCatalog.debianPackage(of: profile.element)
    summary = profile.summary
    self.trials = trials
  }

  var row: [String] { [name, codec, installed ? "installed" : place, summary, known] }

  /// One a trial, or one that says where to get the encoder.
  var trialRows: [[String]] {
    let blank = [String](repeating: "-", count: TrialAnswer.heading.count - 2)
    return installed ? trials.map(\.row) : [[name] + blank + [place]]
  }

  private var place: String { package.map { "in \($0)" } ?? "not installed" }

  /// The most that is known to its credit, else what speaks against it.
  private var known: String {
    let works = trials.filter(\.works)
    guard let best = works.max(by: { ($0.finding?.framesPerSecond ?? 0) < ($1.finding?.framesPerSecond ?? 0) }),
      let rate = best.finding?.framesPerSecond
    else { return trials.last?.faults.first ?? "" }
    let speed = best.subject.speed.map { " at \($0)" } ?? ""
    let doubt = best.finding?.isDisturbed == true ? ", other programs being busy" : ""
    return "\(Figures.fixed(rate, decimals: 0)) fps of \(best.subject.dimensions)\(speed)\(doubt)"
  }
}
