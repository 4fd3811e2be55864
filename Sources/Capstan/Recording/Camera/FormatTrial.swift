/// Trial before trust: the best mode is tried on the driver, and where it gives another or none, the next best.

/// Pure but for the closure that asks the driver. A mode that the driver changes is not lost: what it really gives goes
/// back among the others, and the same rules choose again.
struct FormatTrial: Sendable {
  /// What the driver set, read back.
  struct Reading: Sendable, Hashable {
    var fourCC: FourCC
    var dimensions: VideoDimensions
    /// `nil` where the driver keeps none.
    var frameRate: Fraction?
    /// `nil` where the driver does not say.
    var range: ColorRange?
    /// In bytes.
    var bufferSize: Int
  }

  enum Answer: Sendable, Hashable {
    case set(Reading)
    /// `isWholeFormat` where no other size or rate of this format need be tried.
    case refused(CaptureError, reason: String, isWholeFormat: Bool)
  }

  struct Outcome: Sendable, Hashable {
    /// What is left to choose from; the rules choose the mode that was tried.
    var formats: [DeviceFormat]
    /// As the driver says, where that is not a rate it lists.
    var driverRate: Fraction?
    /// What was skipped or changed, and why; each the end of a sentence.
    var notes: [String] = []
  }

  /// More questions than any camera needs; each is a round trip over its bus.
  static let limit = 64

  /// In order; never empty.
  let wishes: [FormatRequest]

  /// - Throws: what ends the trial whatever the mode, as a busy camera; for a mode that the user pinned, by code or
  ///   strictly, why it cannot be had; else, where nothing is left, why the best one could not.
  func run(
    on formats: [DeviceFormat], tryMode: (CaptureMode) throws(CaptureError) -> Answer
  ) throws(CaptureError) -> Outcome {
    var course = Course(formats: formats)
    for _ in 0..<FormatTrial.limit {
      let selection = FormatSelector.select(from: course.rows, wishes: wishes).selection
      guard let mode = selection.mode else {
        // Impossible from the start: that is for the planner to say.
        guard let failure = course.failure else { return Outcome(formats: formats) }
        throw refusal(failure, selection)
      }
      if let outcome = course.settled(on: mode) { return outcome }
      switch try tryMode(mode) {
      case .set(let reading): course.compare(mode, with: reading)
      case .refused(let error, let reason, let isWholeFormat):
        if isPinned { throw error }
        course.skip(mode, because: reason, error, isWholeFormat: isWholeFormat)
      }
    }
    throw course.failure ?? CaptureError(.deviceFailed, "The driver changes every mode that it is asked for.")
  }

  private var isPinned: Bool {
    guard wishes.count == 1 else { return false }
    if case .code = wishes[0].payload { return true }
    return wishes[0].isStrict
  }

  /// About the mode that was wanted most, with what is left to be had.
  private func refusal(_ failure: CaptureError, _ selection: FormatSelection) -> CaptureError {
    guard case .impossible(_, let nearest) = selection, !nearest.isEmpty else { return failure }
    return CaptureError(
      .requestImpossible, failure.message,
      remedy: "Nearest are: \(nearest.map(\.description).joined(separator: "; ")).")
  }
}

/// How far a trial has come.
private struct Course {
  private(set) var rows: [DeviceFormat]
  /// The first one: it is about the mode that was wanted most.
  private(set) var failure: CaptureError?
  private var skips: [String] = []
  private var changes: [(what: String, of: [String])] = []
  /// Modes that the driver has confirmed, with the rate in which it differs from its own list.
  private var confirmed: [CaptureMode: (listed: Fraction?, driver: Fraction?)] = [:]

  init(formats: [DeviceFormat]) { rows = formats }

  var notes: [String] {
    skips
      + changes.map { change in
        let others = change.of.count > 3 ? " and \(change.of.count - 2) other modes" : ""
        let named = change.of.prefix(others.isEmpty ? 3 : 2).joined(separator: ", ")
        return "the driver makes \(change.what) of \(named)\(others)"
      }
  }

  func settled(on mode: CaptureMode) -> FormatTrial.Outcome? {
    guard let rates = confirmed[mode] else { return nil }
    guard let listed = rates.listed else { return FormatTrial.Outcome(formats: rows, notes: notes) }
    // The source takes only rates that the driver lists: it is asked for that one, and reported with the true one.
    var row = mode.format
    row.frameRates = [FrameRateRange(listed)]
    return FormatTrial.Outcome(formats: [row], driverRate: rates.driver, notes: notes)
  }

  mutating func skip(_ mode: CaptureMode, because reason: String, _ error: CaptureError, isWholeFormat: Bool) {
    failure = failure ?? error
    skips.append("\(isWholeFormat ? mode.format.fourCC.trimmed : Course.name(mode)) is skipped: \(reason)")
    if isWholeFormat {
      rows.removeAll { $0.fourCC == mode.format.fourCC && $0.node == mode.format.node }
    } else {
      removeRate(of: mode)
    }
  }

  mutating func compare(_ mode: CaptureMode, with reading: FormatTrial.Reading) {
    if reading.fourCC != mode.format.fourCC, Payload(fourCC: reading.fourCC) != mode.format.payload {
      let reason = "the driver makes \(reading.fourCC.trimmed) of it"
      skip(mode, because: reason, Course.changed(mode, reason), isWholeFormat: true)
    } else if let reason = Course.shortage(mode, reading) {
      skip(mode, because: reason, Course.changed(mode, reason), isWholeFormat: false)
    } else if reading.dimensions != mode.dimensions {
      change(mode, "\(reading.dimensions)")
      replace(mode.format, by: mode.format.narrowed(to: reading.dimensions))
    } else if let rate = reading.frameRate, let asked = mode.frameRate, !rate.isSameRate(as: asked) {
      change(mode, "\(rate.decimal) fps")
      changeRate(of: mode, to: rate)
    } else if let range = reading.range, range != mode.format.range, case .raw = mode.format.payload {
      change(mode, "\(range.name) range")
      var row = mode.format
      row.colorimetry.range = range
      replace(mode.format, by: row)
    } else {
      confirmed[mode] = (nil, nil)
    }
  }

  /// A picture of this size that does not fit the driver's buffers is of another size, whatever the driver says.
  private static func shortage(_ mode: CaptureMode, _ reading: FormatTrial.Reading) -> String? {
    guard case .raw(let pixels) = mode.format.payload, pixels.isKnown, reading.bufferSize > 0 else { return nil }
    let needed = (reading.dimensions.pixels * pixels.bitsPerPixel + 7) / 8
    return reading.bufferSize < needed
      ? "the driver's buffers have \(reading.bufferSize) bytes, and \(reading.dimensions) needs \(needed)" : nil
  }

  private static func changed(_ mode: CaptureMode, _ reason: String) -> CaptureError {
    CaptureError(
      .requestImpossible, "The camera lists \(name(mode)) and does not give it: \(reason).",
      remedy: "Ask for another mode; `capstan formats` lists them.")
  }

  private mutating func change(_ mode: CaptureMode, _ what: String) {
    let reason = "the driver makes \(what) of it"
    failure = failure ?? Course.changed(mode, reason)
    let name = Course.name(mode)
    if let place = changes.firstIndex(where: { $0.what == what }) {
      changes[place].of.append(name)
    } else {
      changes.append((what, [name]))
    }
  }

  private mutating func changeRate(of mode: CaptureMode, to rate: Fraction) {
    let listed = mode.format.frameRates.contains { $0.snap(rate).isSameRate(as: rate) }
    let isDiscrete = mode.format.frameRates.allSatisfy(\.isSingle)
    if listed, isDiscrete {
      removeRate(of: mode)
      return
    }
    var row = mode.format
    row.frameRates = [FrameRateRange(rate)]
    replace(mode.format, by: row)
    let truth = CaptureMode(format: row, dimensions: mode.dimensions, frameRate: rate)
    confirmed[truth] = listed ? (nil, nil) : (mode.frameRate, rate)
  }

  /// A row without rates would mean one whose rates are unknown.
  private mutating func removeRate(of mode: CaptureMode) {
    var row = mode.format
    row.frameRates.removeAll { $0.isSingle && $0.min == mode.frameRate }
    replace(mode.format, by: row.frameRates.isEmpty || row == mode.format ? nil : row)
  }

  private mutating func replace(_ row: DeviceFormat, by other: DeviceFormat?) {
    guard let place = rows.firstIndex(of: row) else { return }
    if let other { rows[place] = other } else { rows.remove(at: place) }
  }

  private static func name(_ mode: CaptureMode) -> String {
    let rate = mode.frameRate.map { " at \($0.decimal) fps" } ?? ""
    return "\(mode.format.fourCC.trimmed) \(mode.dimensions)\(rate)"
  }
}

extension DeviceFormat {
  /// The part of a range of sizes that the driver really gives; `nil` for a single size, which it then does not give.
  fileprivate func narrowed(to size: VideoDimensions) -> DeviceFormat? {
    guard dimensions.snap(size) == size, dimensions != DimensionsRange(size) else { return nil }
    var row = self
    row.dimensions = DimensionsRange(size)
    return row
  }
}

extension PixelFormat {
  /// One whose bits are known: others are taken for 64 bits a pixel.
  fileprivate var isKnown: Bool { bitsPerPixel < 64 }
}
