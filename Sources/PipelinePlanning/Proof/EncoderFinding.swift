/// What a trial of an encoder found.

public import Foundation
public import MediaFormats

public struct EncoderFinding: Sendable, Hashable, Codable {
  /// A figure beside the one that was asked for.
  public struct Figure: Sendable, Hashable, Codable {
    public var asked: Int
    public var found: Int

    public init(asked: Int, found: Int) { (self.asked, self.found) = (asked, found) }
  }

  /// What the stream says of its colour, as `full 1/1/1`.
  public struct Color: Sendable, Hashable, Codable {
    /// By the encoder itself.
    public var signalled: String
    public var isSignalled: Bool
    /// Whether Capstan can make the stream say it; also true where it says it already.
    public var isCompleted: Bool

    public init(signalled: String, isSignalled: Bool, isCompleted: Bool) {
      (self.signalled, self.isSignalled, self.isCompleted) = (signalled, isSignalled, isCompleted)
    }
  }

  /// What came back out of a decoder.
  public struct Decoding: Sendable, Hashable, Codable {
    public var frames: Int
    /// Mean distance of luma from the pictures that were encoded, in codes of 8 bits.
    public var meanError: Double
    /// Mean distance of those pictures' luma from their own mean: what a flat picture would have for an error.
    public var contrast: Double

    public init(frames: Int, meanError: Double, contrast: Double) {
      (self.frames, self.meanError, self.contrast) = (frames, meanError, contrast)
    }
  }

  /// Why nothing came of it, as the end of a sentence that the encoder begins; `nil` where pictures came.
  public var failure: String?
  public var framesIn = 0
  /// `nil` where its end was not waited for.
  public var framesOut: Int?
  /// From the first picture that went in to the last that came out, nothing else running.
  public var framesPerSecond: Double?
  /// Processor time of one picture, all threads together.
  public var coreSecondsPerFrame: Double?
  /// True where other programs took so much of the machine that its speed is not told by the figures.
  public var isDisturbed = false
  /// How many pictures went in before the first came out, that one not counted.
  public var latency: Int?
  /// Longest distance of two key frames; `nil` where fewer pictures came than that.
  public var keyFrameDistance: Figure?
  /// In bits a second; `nil` where none is held to, or too few pictures came to tell.
  public var bitRate: Figure?
  /// `nil` where the codec's streams have no place for it.
  public var color: Color?
  /// `nil` where there is no decoder here.
  public var decoding: Decoding?
  public var date: Date

  public init(failure: String? = nil, date: Date) {
    self.failure = failure
    self.date = date
  }
}

/// What is wrong with an encoder, as a trial found it.
public enum EncoderFault: Sendable, Hashable {
  case failed(String)
  case framesMissing(put: Int, got: Int)
  case undecodable(frames: Int, of: Int)
  case wrongPictures(meanError: Double)
  case keyFrames(EncoderFinding.Figure)
  case tooSlow(framesPerSecond: Double, asked: Double)
  case bitRate(EncoderFinding.Figure)
  case colorUnsaid(String)

  /// No recording would come of it: even an encoder that was asked for by name is not taken.
  public var isFatal: Bool {
    switch self {
    case .failed, .framesMissing, .undecodable, .wrongPictures: true
    case .keyFrames, .tooSlow, .bitRate, .colorUnsaid: false
    }
  }

  /// Another one of a list goes before it.
  public var disqualifies: Bool {
    switch self {
    case .keyFrames, .tooSlow: true
    case .bitRate, .colorUnsaid: false
    default: isFatal
    }
  }
}

extension EncoderFault: CustomStringConvertible {
  /// The end of a sentence that the encoder begins.
  public var description: String {
    switch self {
    case .failed(let reason): reason
    case .framesMissing(let put, let got): "made \(got) pictures of \(put)"
    case .undecodable(let frames, let all): "made a stream of which \(frames) of \(all) pictures can be decoded"
    case .wrongPictures(let error):
      "made pictures that are not those that went in (\(Int(error.rounded())) of 255 beside them on average)"
    case .keyFrames(let figure):
      "ignores the distance of key frames (\(figure.asked) frames asked, \(figure.found) found)"
    case .tooSlow(let rate, let asked): "makes \(Int(rate)) of \(Int(asked.rounded())) frames a second here"
    case .bitRate(let figure):
      "missed the bit rate by \(Int((Double(abs(figure.found - figure.asked)) * 100 / Double(max(1, figure.asked))).rounded())) % "
        + "(\(BitRate(bitsPerSecond: figure.found)) for \(BitRate(bitsPerSecond: figure.asked)))"
    case .colorUnsaid(let said): "writes streams that cannot be made to say their colour (they say \(said))"
    }
  }
}

extension EncoderFinding {
  /// So far may a bit rate be off, as a share.
  static let bitRateTolerance = 0.15
  /// A picture that is right is nearer than this to what went in, as a share of what a flat one would be: one of few
  /// bits has lost its noise and much of its detail, and is still the right one.
  static let pictureTolerance = 0.8

  /// - Parameter frameRate: what a recording needs; `nil` where the speed is of no account.
  public func faults(at frameRate: Fraction?) -> [EncoderFault] {
    if let failure { return [.failed(failure)] }
    return pictureFaults + speedFaults(frameRate) + streamFaults
  }

  private var pictureFaults: [EncoderFault] {
    var faults: [EncoderFault] = []
    if let framesOut, framesOut != framesIn { faults.append(.framesMissing(put: framesIn, got: framesOut)) }
    guard let decoding else { return faults }
    if let framesOut, decoding.frames != framesOut {
      faults.append(.undecodable(frames: decoding.frames, of: framesOut))
    }
    if decoding.frames > 0, decoding.meanError > decoding.contrast * EncoderFinding.pictureTolerance {
      faults.append(.wrongPictures(meanError: decoding.meanError))
    }
    return faults
  }

  private func speedFaults(_ frameRate: Fraction?) -> [EncoderFault] {
    guard let asked = frameRate?.value, let framesPerSecond, !isDisturbed, framesPerSecond < asked else { return [] }
    return [.tooSlow(framesPerSecond: framesPerSecond, asked: asked)]
  }

  private var streamFaults: [EncoderFault] {
    var faults: [EncoderFault] = []
    if let keyFrameDistance, keyFrameDistance.found > keyFrameDistance.asked {
      faults.append(.keyFrames(keyFrameDistance))
    }
    if let bitRate,
      abs(Double(bitRate.found - bitRate.asked)) > Double(bitRate.asked) * EncoderFinding.bitRateTolerance
    {
      faults.append(.bitRate(bitRate))
    }
    if let color, !color.isCompleted { faults.append(.colorUnsaid(color.signalled)) }
    return faults
  }
}
