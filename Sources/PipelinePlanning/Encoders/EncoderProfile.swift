/// How one encoder element is told what a preset wants, each in its own words and units. Data, not code: a file in
/// `pipelines/encoders` for each.

import MediaFormats

/// Properties are named as the element has them; one that is an option inside a text that holds several is named
/// `PROPERTY.OPTION`.
public struct EncoderProfile: Sendable, Hashable {
  /// Its own file, as messages name it.
  public var file: String
  public var element: String
  public var summary: String
  /// True where the machine must have more than the element for it to work.
  public var isHardware: Bool
  /// True for a file that comes with Capstan.
  public var isBundled: Bool
  /// As containers list it: `h264`, `h265`, `vp8`, `vp9`, `av1`, `mjpeg`, `ffv1`.
  public var codec: String
  /// Pixel formats it takes, the preferred of each chroma and depth first.
  public var inputs: [String]
  /// The only colour that its streams can say; what is `nil` in it may be anything.
  public var color: OnlyColor
  /// In bits a second; `nil` for an encoder that holds no bit rate.
  public var bitRate: Amount?
  /// How a constant picture quality is asked for; `nil` for an encoder that has none.
  public var quality: Quality?
  /// In frames; `nil` where every frame is a key frame.
  public var keyFrameInterval: Amount?
  /// B-frames between two others; `nil` for an encoder that makes none.
  public var bFrames: Amount?
  /// `nil` for an encoder whose threads are not to be chosen.
  public var threads: Amount?
  /// How coding without loss is asked for; `nil` for an encoder that always loses something.
  public var lossless: Mode?
  /// What keeps frames from waiting in the encoder; `nil` for one in which some always wait.
  public var lowLatency: Mode?
  /// How many frames wait in it for later ones.
  public var delay = Delay()
  public var speedProperty: String?
  /// Those that may be chosen for the user, fastest first.
  public var speeds: [Speed]
  /// Those that are taken only where they are asked for, as nothing is known of what they cost.
  public var otherSpeeds: [String]
  /// Set on every recording.
  public var properties: [String: String]
  /// Properties that are texts of several options, and how those are joined.
  public var optionLists: [String: OptionList]
  /// Caps that a stream of 4:2:0 and 8 bits is held to, as a profile.
  public var output: String?
  /// The codec's profiles that can be asked for; empty where they follow from chroma and depth.
  public var profiles: [CodecProfile]
  public var parser: String?
  /// Caps to be added to those of the stream: what the muxers ask for and the element leaves out.
  public var streamCaps: String?
}

extension EncoderProfile {
  /// A number that one or several properties are set to.
  public struct Amount: Sendable, Hashable {
    public var properties: [String]
    /// How many of the vocabulary's unit are one of the property's: 1000 for a bit rate in kbit/s.
    public var unit: Int
    /// What may be asked for, in the vocabulary's unit.
    public var range: ClosedRange<Int>
    /// Set along with it.
    public var others: [String: String]
  }

  /// A quantizer that stands for a quality: 100 is `best`, 0 is `worst`, evenly in between.
  public struct Quality: Sendable, Hashable {
    public var properties: [String]
    public var best: Int
    public var worst: Int
    /// Set along with it.
    public var others: [String: String]
  }

  /// Something that is asked for or not; nothing is to be set where the encoder does it in any case.
  public struct Mode: Sendable, Hashable {
    public var properties: [String: String]
    /// The codec's profile that has it; `nil` where any has.
    public var profile: String?
    /// What holds live video in this mode, where nobody chose a speed; `nil` for the speed of other recordings.
    public var speed: String?
  }

  /// Frames that an encoder holds back, where no frame is to be coded from later ones; those add their number.
  public struct Delay: Sendable, Hashable {
    /// At a speed that has none of its own.
    public var frames = 0
    /// For each thread, where it chooses how many it has.
    public var framesPerCore = 0.0
    /// At each of its speeds.
    public var speeds: [String: Int] = [:]
  }

  public struct CodecProfile: Sendable, Hashable {
    /// As caps name it.
    public var name: String
    /// Pixel formats that the encoder writes in it.
    public var inputs: [String]

    func holds(_ chroma: PixelFormat.Chroma, depth: Int) -> Bool {
      inputs.map { PixelFormat(named: $0) }.contains { $0.chroma == chroma && $0.depth == depth }
    }
  }

  /// One step of a speed ladder.
  public struct Speed: Sendable, Hashable {
    /// The element's own word.
    public var value: String
    /// Millions of pixels that one core takes a second at this speed, capture and decoding included.
    public var megapixelsPerCore: Double
    /// What makes the stream's headers the same as those of the other speeds that have this, so that one can take over
    /// from another in one file; `nil` for a speed that cannot.
    public var pins: [String: String]?
  }
}

extension EncoderProfile {
  /// ISO/IEC 14496-10, A.2.1: pictures of the baseline profiles have I and P slices only.
  var profilesWithoutBFrames: [String] { codec == "h264" ? ["baseline", "constrained-baseline"] : [] }
}

extension EncoderProfile.Quality {
  /// - Parameter quality: from 0 to 100.
  func quantizer(_ quality: Int) -> Int {
    worst + Int((Double(best - worst) * Double(quality) / 100).rounded())
  }
}

extension EncoderProfile.Amount {
  /// In the property's unit, rounded; at least 1, as 0 means "choose yourself" to encoders.
  func value(for asked: Int) -> Int { max(1, (asked + unit / 2) / unit) }
}

extension EncoderProfile {
  /// Frames that wait in it for later ones, as it is set for a preset.
  func delay(for preset: Preset, speed: String?, cores: Int) -> Int {
    if isCopy || (preset.lowLatency && lowLatency != nil) { return 0 }
    let threads = (preset.threads.map { Double($0) } ?? Double(cores)) * delay.framesPerCore
    return (speed.flatMap { delay.speeds[$0] } ?? delay.frames) + Int(threads.rounded(.up)) + preset.bFrames
  }
}
