/// Reads one line of a listing, in either of its shapes.

struct ListingReader {
  struct Problem: Error {
    var problem: String
  }

  private var rest: Substring

  init(_ line: Substring) { rest = line }

  func format() throws(Problem) -> DeviceFormat {
    var reader = self
    let index = try reader.takeIndex()
    let code = try reader.takeCode()
    var format = DeviceFormat(
      index: index, payload: DeviceFormat.payload(ofListed: code),
      dimensions: DimensionsRange(.init(width: 1, height: 1)),
      frameRates: [], colorimetry: DeviceFormat.colorimetry(ofListed: code))
    if code != "420v", code != "420f" { format.fourCC = FourCC(code) }
    if reader.take("enc dims = ") {
      try reader.readDimensionsShape(into: &format)
    } else {
      try reader.readDetails(into: &format)
    }
    return format
  }

  // MARK: Beginning and end

  private mutating func takeIndex() throws(Problem) -> Int {
    guard let place = rest.lastRange(of: "> - "), let index = Int(digits: rest[place.upperBound...]) else {
      throw Problem(problem: "a format is wanted that ends in \"> - \" and its number")
    }
    rest = rest[..<place.lowerBound]
    return index
  }

  private mutating func takeCode() throws(Problem) -> String {
    guard take("'vide'/'"), let code = upTo("' "), !code.isEmpty else {
      throw Problem(problem: "a format is wanted that begins with 'vide'/ and a code, as in 'vide'/'420f'")
    }
    return String(code)
  }

  // MARK: The two shapes

  private mutating func readDimensionsShape(into format: inout DeviceFormat) throws(Problem) {
    guard let coded = upTo(", pres dims = ").flatMap({ VideoDimensions(parsing: $0) }),
      let shown = upTo(" {").flatMap({ VideoDimensions(parsing: $0) }), let rates = upTo("fps }"), rest.isEmpty
    else { throw Problem(problem: "wanted is: enc dims = WxH, pres dims = WxH { MIN - MAX fps }") }
    format.dimensions = DimensionsRange(coded)
    format.traits.presentationDimensions = shown
    format.frameRates = try ListingReader.rates(rates)
  }

  private mutating func readDetails(into format: inout DeviceFormat) throws(Problem) {
    guard let size = upTo(", {"), let rates = upTo("fps}") else {
      throw Problem(problem: "behind the code a size and the rates are wanted, as in 1280x 720, { 1- 60 fps}")
    }
    format.dimensions = try ListingReader.dimensions(size)
    format.frameRates = try ListingReader.rates(rates)
    var declaredRange: ColorRange?
    var unknown = Set<Substring>()
    while !rest.isEmpty {
      guard take(", ") else { throw Problem(problem: "a comma is missing before \"\(rest)\"") }
      // A path may hold commas: it is the last.
      if take("node:") {
        format.node = String(rest)
        rest = ""
      } else {
        let remark = upTo(", ", keepingIt: true) ?? takeAll()
        if remark.hasPrefix("range:") {
          declaredRange = try ListingReader.value(remark, "range:", ListingReader.range)
        } else if remark == ListingWord.binningUnknown || remark == ListingWord.stabilizationUnknown {
          unknown.insert(remark)
        } else {
          try ListingReader.read(remark, into: &format)
        }
      }
    }
    ListingReader.completeTraits(&format.traits, unknown)
    try ListingReader.apply(declaredRange, to: &format)
  }

  /// AVFoundation's lines, told by their field of view, say no by leaving a word out.
  private static func completeTraits(_ traits: inout FormatTraits, _ unknown: Set<Substring>) {
    guard traits.fieldOfView != nil else { return }
    if !unknown.contains(ListingWord.binningUnknown[...]) { traits.isBinned = traits.isBinned ?? false }
    if !unknown.contains(ListingWord.stabilizationUnknown[...]) {
      traits.supportsStabilization = traits.supportsStabilization ?? false
    }
  }

  /// The range follows from code and colour; one that differs is what the device declares.
  private static func apply(_ range: ColorRange?, to format: inout DeviceFormat) throws(Problem) {
    guard let range, range != format.range else { return }
    guard format.colorimetry.range == nil else {
      throw Problem(problem: "range:\(range.name) contradicts colour:\(format.colorimetry)")
    }
    format.colorimetry.range = range
    guard format.range == range else {
      throw Problem(problem: "\(format.fourCC.trimmed) is always in \(format.range.name) range")
    }
  }
}

// MARK: - Words

extension ListingReader {
  fileprivate static func read(_ remark: Substring, into format: inout DeviceFormat) throws(Problem) {
    switch remark {
    case ListingWord.binned[...]: format.traits.isBinned = true
    case ListingWord.notBinned[...]: format.traits.isBinned = false
    case ListingWord.stabilized[...]: format.traits.supportsStabilization = true
    case ListingWord.notStabilized[...]: format.traits.supportsStabilization = false
    case ListingWord.interlaced[...]: format.isInterlaced = true
    case ListingWord.emulated[...]: format.isEmulated = true
    default: try readValue(remark, into: &format)
    }
  }

  private static func readValue(_ remark: Substring, into format: inout DeviceFormat) throws(Problem) {
    if remark.hasPrefix("fov:") {
      format.traits.fieldOfView = try value(remark, "fov:") { number($0, above: 0, below: 360) }
    } else if remark.hasPrefix("max zoom:") {
      try readZoom(remark, into: &format.traits)
    } else if remark.hasPrefix("upscales @") {
      format.traits.upscalingZoom = try value(remark, "upscales @", zoom)
    } else if remark.hasPrefix("crop:") {
      format.traits.crop = try value(remark, "crop:") { CropRectangle(parsing: $0) }
    } else if remark.hasPrefix("pres:") {
      format.traits.presentationDimensions = try value(remark, "pres:") { VideoDimensions(parsing: $0) }
    } else if remark.hasPrefix("colour:") {
      format.colorimetry = try value(remark, "colour:") { Colorimetry(parsing: String($0)) }
    } else if remark.hasPrefix("as:") {
      format.payload = try value(remark, "as:") { Payload(listingWord: $0) }
    } else {
      throw Problem(problem: "\"\(remark)\" is nothing that a format is known to have")
    }
  }

  private static func readZoom(_ remark: Substring, into traits: inout FormatTraits) throws(Problem) {
    guard let place = remark.range(of: " (upscales @"), remark.last == ")" else {
      traits.maximumZoom = try value(remark, "max zoom:", zoom)
      return
    }
    traits.maximumZoom = try value(remark[..<place.lowerBound], "max zoom:", zoom)
    traits.upscalingZoom = try value(remark[place.upperBound...].dropLast(), "", zoom)
  }

  fileprivate static func value<Value>(
    _ remark: Substring, _ name: String, _ parse: (Substring) -> Value?
  ) throws(Problem) -> Value {
    guard let value = parse(remark.dropFirst(name.count)) else {
      throw Problem(problem: "\"\(remark)\" makes no sense")
    }
    return value
  }

  private static func zoom(_ text: Substring) -> Double? { number(text, above: 0.999, below: 1e6) }

  private static func number(_ text: Substring, above low: Double, below high: Double) -> Double? {
    Double(text).flatMap { $0 > low && $0 < high ? $0 : nil }
  }

  fileprivate static func range(_ text: Substring) -> ColorRange? { ColorRange.allCases.first { $0.name == text } }
}

// MARK: - Text

extension ListingReader {
  fileprivate mutating func take(_ word: String) -> Bool {
    guard rest.hasPrefix(word) else { return false }
    rest = rest.dropFirst(word.count)
    return true
  }

  fileprivate mutating func upTo(_ word: String, keepingIt: Bool = false) -> Substring? {
    guard let place = rest.range(of: word) else { return nil }
    defer { rest = rest[(keepingIt ? place.lowerBound : place.upperBound)...] }
    return rest[..<place.lowerBound]
  }

  fileprivate mutating func takeAll() -> Substring {
    defer { rest = "" }
    return rest
  }
}

extension Substring {
  /// Foundation's, which is not needed for anything else here.
  fileprivate func range(of word: String) -> Range<Index>? { firstRange(of: word) }

  fileprivate func lastRange(of word: String) -> Range<Index>? { ranges(of: word).last }
}
