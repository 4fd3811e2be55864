/// How a file is written: the muxer, what it can hold, and how it survives a kill. A file in `pipelines/containers`
/// for each.

import Foundation

public struct ContainerProfile: Sendable, Hashable {
  public var name: String
  public var summary: String
  public var muxer: String
  /// Without the dot.
  public var fileExtension: String
  public var codecs: [String]
  public var properties: [String: String]
  /// False where only the stream has a place for the range.
  public var signalsRange: Bool
  /// False where a frame has one time only, that at which it is shown.
  public var holdsDecodingTimes: Bool
}

extension ContainerProfile {
  static let keys = ["summary", "muxer", "extension", "codecs", "properties", "signalsRange", "decodingTimes"]

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
  }
}
