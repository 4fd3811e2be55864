/// Reads the file of an encoder.

import Foundation
import MediaFormats

extension EncoderProfile {
  static let keys = [
    "element", "summary", "hardware", "codec", "inputs", "range", "matrix", "bitrate", "quality", "keyFrameInterval",
    "speed", "bFrames", "threads", "delay", "lossless", "lowLatency", "properties", "optionLists", "output", "profiles",
    "parser", "streamCaps",
  ]

  /// - Parameter file: as messages name it.
  init(file: String, json5 data: Data) throws(ConfigurationError) {
    let root = try ConfigurationObject(contentsOf: data, file: file, keys: EncoderProfile.keys)
    self.file = file
    isBundled = file.hasPrefix(ProfileLibrary.bundled.path(percentEncoded: false))
    element = try root.required("element", try root.text("element"))
    summary = try root.text("summary") ?? ""
    isHardware = try root.bool("hardware") ?? false
    codec = try root.required("codec", try root.text("codec"))
    inputs = try root.required("inputs", try root.texts("inputs"))
    color = try OnlyColor(root)
    optionLists = try OptionList.all(root)
    let words = EncoderWords(root: root, lists: optionLists)
    bitRate = try words.amount("bitrate", defaultUnit: nil)
    quality = try words.quality()
    keyFrameInterval = try words.amount("keyFrameInterval")
    bFrames = try words.amount("bFrames")
    threads = try words.amount("threads")
    lossless = try words.mode("lossless", keys: ["properties", "profile", "speed"])
    lowLatency = try words.mode("lowLatency", keys: ["properties"])
    (speedProperty, speeds, otherSpeeds) = try words.speeds()
    delay = try Delay(root)
    properties = try words.properties(of: root)
    output = try root.text("output")
    profiles = try CodecProfile.all(root)
    parser = try root.text("parser")
    streamCaps = try root.text("streamCaps")
    if let speed = lossless?.speed, !speeds.contains(where: { $0.value == speed }) {
      throw root.error("lossless", "its speed \"\(speed)\" is not among those of megapixelsPerCore")
    }
    if bitRate == nil, quality == nil, lossless == nil {
      throw root.error("bitrate", "this key is missing, and there is neither quality nor lossless in its place")
    }
  }
}

extension EncoderProfile.OnlyColor {
  fileprivate init(_ root: ConfigurationObject) throws(ConfigurationError) {
    range = try root.parsed("range", wanted: "\"full\" or \"limited\"") { RangeChoice(parsing: $0)?.range }
    matrix = try root.parsed("matrix", wanted: "\"bt709\" or \"bt601\"") { MatrixChoice(parsing: $0)?.matrix }
  }
}

extension EncoderProfile.Delay {
  fileprivate init(_ root: ConfigurationObject) throws(ConfigurationError) {
    guard let object = try root.object("delay", keys: ["frames", "framesPerCore", "speeds"]) else { return }
    frames = try object.integer("frames", in: 0...1000) ?? 0
    framesPerCore = try object.number("framesPerCore") ?? 0
    guard let speeds = try object.object("speeds") else { return }
    for name in speeds.names { self.speeds[name] = try speeds.integer(name, in: 0...1000) }
  }
}

extension EncoderProfile.CodecProfile {
  fileprivate static func all(_ root: ConfigurationObject) throws(ConfigurationError) -> [Self] {
    guard let object = try root.object("profiles") else { return [] }
    var profiles: [Self] = []
    for name in object.names {
      profiles.append(Self(name: name, inputs: try object.required(name, try object.texts(name))))
    }
    return profiles
  }
}

extension OptionList {
  fileprivate static func all(_ root: ConfigurationObject) throws(ConfigurationError) -> [String: OptionList] {
    guard let object = try root.object("optionLists") else { return [:] }
    var lists: [String: OptionList] = [:]
    for name in object.keys {
      guard let list = try object.object(name, keys: ["separator", "head"]) else { continue }
      let separator = try list.required("separator", try list.text("separator"))
      guard !separator.isEmpty else { throw list.error("separator", "a text of at least one character is wanted") }
      lists[name] = OptionList(separator: separator, head: try list.text("head"))
    }
    return lists
  }
}

/// Reads the words of the vocabulary: which properties each of them sets.
private struct EncoderWords {
  let root: ConfigurationObject
  let lists: [String: OptionList]

  // MARK: Properties

  func properties(of object: ConfigurationObject) throws(ConfigurationError) -> [String: String] {
    let texts = try object.propertyTexts("properties")
    for name in texts.keys.sorted() { try check(name, object, "properties") }
    return texts
  }

  /// Of one or several properties that are set to the same number.
  private func names(_ object: ConfigurationObject, _ key: String) throws(ConfigurationError) -> [String] {
    let names = try object.required(key, try object.texts(key))
    for name in names { try check(name, object, key) }
    return names
  }

  /// A property of which options are named has to be one that holds options.
  private func check(_ name: String, _ object: ConfigurationObject, _ key: String) throws(ConfigurationError) {
    let (property, option) = EncoderProfile.parts(of: name)
    guard option != nil, lists[property] == nil else { return }
    throw object.error(
      key, "\"\(name)\" is an option inside \(property); say in optionLists how its options are joined")
  }

  // MARK: Words

  /// - Parameter defaultUnit: `nil` where the file has to say it.
  func amount(_ key: String, defaultUnit: Int? = 1) throws(ConfigurationError) -> EncoderProfile.Amount? {
    if root.isText(key), defaultUnit != nil {
      return EncoderProfile.Amount(properties: try names(root, key), unit: 1, range: 1...Int(Int32.max), others: [:])
    }
    let keys = ["property", "least", "most", "properties"] + (defaultUnit == nil ? ["bitsPerUnit"] : [])
    guard let object = try root.object(key, keys: keys) else { return nil }
    let unit = try object.integer("bitsPerUnit", in: 1...1_000_000_000) ?? defaultUnit
    let factor = try object.required("bitsPerUnit", unit)
    let least = try object.integer("least", in: 1...EncoderWords.largest) ?? 1
    let most = try object.integer("most", in: least...EncoderWords.largest) ?? EncoderWords.largest
    return EncoderProfile.Amount(
      properties: try names(object, "property"), unit: factor, range: least * factor...most * factor,
      others: try properties(of: object))
  }

  /// As 32 bits hold it.
  private static let largest = 4_294_967_295

  func quality() throws(ConfigurationError) -> EncoderProfile.Quality? {
    guard let object = try root.object("quality", keys: ["property", "best", "worst", "properties"]) else { return nil }
    return EncoderProfile.Quality(
      properties: try names(object, "property"),
      best: try object.required("best", try object.integer("best", in: -1000...1000)),
      worst: try object.required("worst", try object.integer("worst", in: -1000...1000)),
      others: try properties(of: object))
  }

  func mode(_ key: String, keys: [String]) throws(ConfigurationError) -> EncoderProfile.Mode? {
    guard let object = try root.object(key, keys: keys) else { return nil }
    return EncoderProfile.Mode(
      properties: try properties(of: object), profile: try object.text("profile"), speed: try object.text("speed"))
  }

  // MARK: Speed

  func speeds() throws(ConfigurationError) -> (String?, speeds: [EncoderProfile.Speed], others: [String]) {
    guard let speed = try root.object("speed", keys: ["property", "megapixelsPerCore", "others", "switchable"]) else {
      return (nil, [], [])
    }
    let property = try names(speed, "property")[0]
    let others = try speed.texts("others") ?? []
    let figures = try speed.object("megapixelsPerCore")
    if others.isEmpty { _ = try speed.required("megapixelsPerCore", figures) }
    let pins = try pins(speed, known: figures?.keys ?? [])
    var speeds: [EncoderProfile.Speed] = []
    for key in figures?.keys ?? [] {
      guard let figures, let figure = try figures.number(key) else { continue }
      guard figure > 0 else { throw figures.error(key, "a number above zero is wanted, not \(figure)") }
      speeds.append(EncoderProfile.Speed(value: key, megapixelsPerCore: figure, pins: pins[key]))
    }
    return (property, speeds.sorted { $0.megapixelsPerCore > $1.megapixelsPerCore }, others)
  }

  /// Of each speed that can take over from others.
  private func pins(
    _ speed: ConfigurationObject, known: [String]
  ) throws(ConfigurationError) -> [String: [String: String]] {
    var pins: [String: [String: String]] = [:]
    for group in try speed.objects("switchable", keys: ["speeds", "properties"]) {
      for name in try group.required("speeds", try group.texts("speeds")) {
        guard known.contains(name) else {
          throw group.error("speeds", "\"\(name)\" is not among the speeds of megapixelsPerCore")
        }
        pins[name] = try properties(of: group)
      }
    }
    return pins
  }
}
