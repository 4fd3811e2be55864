/// How a file is written: the muxer, what it can hold, and how it survives a kill. A file in `pipelines/containers`
/// for each.

import Foundation
public import MediaFormats

public struct ContainerProfile: Sendable, Hashable {
  public var name: String
  public var summary: String
  public var muxer: String
  /// Without the dot.
  public var fileExtension: String
  public var codecs: [String]
  public var properties: [String: String]
  /// What says how long a fragment or cluster is at most.
  public var fragment: FragmentLength
  /// What sets the clock of its tracks, in units a second; `nil` where its times cannot grow too large.
  public var trackClock: String?
  /// False where only the stream has a place for the range.
  public var signalsRange: Bool
  /// False where a frame has one time only, that at which it is shown.
  public var holdsDecodingTimes: Bool
  /// What it adds to the pictures at most.
  public var overhead: ContainerOverhead
}

extension ContainerProfile {
  public struct FragmentLength: Sendable, Hashable {
    /// Of the muxer.
    public var property: String
    public var nanosecondsPerUnit: Int64
  }

  /// What the muxer is set to, in the order of the alphabet.
  /// - Parameter rate: of the frames; `nil` where nobody knows.
  public func settings(fragment length: Duration, rate: Fraction?) -> [PipelineDescription.Property] {
    let units = max(1, Int(length.nanoseconds / fragment.nanosecondsPerUnit))
    let texts = properties.map { PipelineDescription.Property(name: $0.key, value: .string($0.value)) }
    let all = texts + [.init(name: fragment.property, value: .int(units))] + clock(at: rate)
    return all.sorted { $0.name < $1.name }
  }

  /// What a file lasts at most, so that no time in it outgrows its 32 bits; `nil` where none can.
  public var longestFile: Duration? { trackClock.map { _ in .seconds(TrackClock.span) } }

  private func clock(at rate: Fraction?) -> [PipelineDescription.Property] {
    guard let trackClock, let units = rate.flatMap(TrackClock.unitsPerSecond) else { return [] }
    return [.init(name: trackClock, value: .int(units))]
  }
}

extension ContainerProfile {
  static let keys = [
    "summary", "muxer", "extension", "codecs", "properties", "signalsRange", "decodingTimes", "fragment", "overhead",
    "trackClock",
  ]

  init(name: String, file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: ContainerProfile.keys)
    self.name = name
    summary = try root.text("summary") ?? ""
    muxer = try root.required("muxer", try root.text("muxer"))
    fileExtension = try root.required("extension", try root.text("extension"))
    codecs = try root.required("codecs", try root.texts("codecs"))
    signalsRange = try root.bool("signalsRange") ?? true
    holdsDecodingTimes = try root.bool("decodingTimes") ?? true
    properties = try root.propertyTexts("properties")
    fragment = try FragmentLength(root)
    trackClock = try root.text("trackClock")
    overhead = try ContainerOverhead(root)
  }
}

extension ContainerProfile.FragmentLength {
  fileprivate init(_ root: ConfigurationObject) throws(ConfigurationError) {
    let object = try root.required("fragment", try root.object("fragment", keys: ["property", "nanosecondsPerUnit"]))
    property = try object.required("property", try object.text("property"))
    let unit = try object.integer("nanosecondsPerUnit", in: 1...1_000_000_000)
    nanosecondsPerUnit = Int64(try object.required("nanosecondsPerUnit", unit))
  }
}

extension ContainerOverhead {
  fileprivate init(_ root: ConfigurationObject) throws(ConfigurationError) {
    let object = try root.required("overhead", try root.object("overhead", keys: ["file", "fragment", "frame"]))
    func bytes(_ key: String) throws(ConfigurationError) -> Int64 {
      Int64(try object.required(key, try object.integer(key, in: 0...1 << 20)))
    }
    self.init(file: try bytes("file"), fragment: try bytes("fragment"), frame: try bytes("frame"))
  }
}
