/// The trial by table: cameras as closures that answer as drivers do.

import Testing

@testable import Capstan

@Suite struct FormatTrialTests {
  private static let request = FormatRequest(
    dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60), range: .full)

  private static func row(
    _ index: Int, _ payload: Payload, _ width: Int, _ height: Int, _ rates: [Int], _ range: ColorRange? = nil
  ) -> DeviceFormat {
    var colorimetry = Colorimetry.unknown
    colorimetry.range = range
    return DeviceFormat(
      index: index, payload: payload, dimensions: DimensionsRange(VideoDimensions(width: width, height: height)),
      frameRates: rates.map { FrameRateRange(Fraction($0)) }, colorimetry: colorimetry)
  }

  private let webcam = [
    row(0, .raw(.yuy2), 1280, 720, [10, 5]), row(1, .raw(.yuy2), 640, 480, [30]),
    row(2, .jpeg, 1280, 720, [60, 30]), row(3, .jpeg, 640, 480, [60, 30]),
  ]

  private func reading(_ mode: CaptureMode) -> FormatTrial.Reading {
    FormatTrial.Reading(
      fourCC: mode.format.fourCC, dimensions: mode.dimensions, frameRate: mode.frameRate, range: nil,
      bufferSize: mode.dimensions.pixels * 4)
  }

  private func asked(_ mode: CaptureMode) -> String {
    "\(mode.format.fourCC.trimmed) \(mode.dimensions) \(mode.frameRate?.decimal ?? "-")"
  }

  private func best(_ outcome: FormatTrial.Outcome, _ request: FormatRequest = request) -> String? {
    FormatSelector(request).select(from: outcome.formats).mode.map(asked)
  }

  private let refusal = FormatTrial.Answer.refused(
    CaptureError(.requestImpossible, "It refuses."), reason: "the driver refuses it", isWholeFormat: true)

  @Test func anHonestDriverIsAskedOnce() throws {
    var questions: [String] = []
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      questions.append(asked(mode))
      return .set(reading(mode))
    }
    #expect(questions == ["MJPG 1280x720 60"] && outcome == FormatTrial.Outcome(formats: webcam))
  }

  /// Case 12: the whole format is out, not only the one mode.
  @Test func case12_refusedFormat() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      mode.format.payload == .jpeg ? refusal : .set(reading(mode))
    }
    #expect(outcome.notes == ["MJPG is skipped: the driver refuses it"])
    #expect(outcome.formats.map(\.index) == [0, 1])
  }

  @Test(arguments: [
    FormatRequest(frameRate: Fraction(60), payload: .code(FourCC("MJPG"))), FormatRequest(payload: .jpeg),
    FormatRequest(
      dimensions: VideoDimensions(width: 1280, height: 720), frameRate: Fraction(60), fallback: .exact),
  ])
  func case12_pinned(_ request: FormatRequest) {
    #expect(throws: CaptureError.self) {
      try FormatTrial(wishes: [request]).run(on: webcam) { mode in
        mode.format.payload == .jpeg ? refusal : .set(reading(mode))
      }
    }
  }

  /// Of several wishes the next one is tried.
  @Test func aPinnedWishIsNotTheLast() throws {
    let pinned = FormatRequest(frameRate: Fraction(60), payload: .code(FourCC("MJPG")), fallback: .exact)
    let outcome = try FormatTrial(wishes: [pinned, FormatRequest(payload: .raw)]).run(on: webcam) { mode in
      mode.format.payload == .jpeg ? refusal : .set(reading(mode))
    }
    #expect(outcome.formats.allSatisfy { $0.payload != .jpeg })
  }

  /// Case 12: a rate that the driver lists, so the list is right about the rest.
  @Test func case12_forcedRateThatIsListed() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      var reading = reading(mode)
      if mode.format.payload == .jpeg { reading.frameRate = Fraction(30) }
      return .set(reading)
    }
    #expect(best(outcome) == "MJPG 1280x720 30" && outcome.driverRate == nil)
    #expect(outcome.notes.first?.hasPrefix("the driver makes 30 fps of MJPG 1280x720 at 60 fps") == true)
  }

  /// Case 12: one that it does not list: the source is asked for a listed rate, the report has the true one.
  @Test func case12_forcedRateThatIsNotListed() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: [Self.row(0, .jpeg, 1280, 720, [60])]) { mode in
      var reading = reading(mode)
      reading.frameRate = Fraction(25)
      return .set(reading)
    }
    #expect(outcome.formats.map(\.frameRates) == [[FrameRateRange(Fraction(60))]])
    #expect(outcome.driverRate == Fraction(25))
  }

  /// Rates are fractions of the driver's own: those within the tolerance are the same.
  @Test func nearlyTheSameRate() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      var reading = reading(mode)
      reading.frameRate = Fraction(10_000_000, 166_667)
      return .set(reading)
    }
    #expect(outcome.notes.isEmpty && best(outcome) == "MJPG 1280x720 60")
  }

  /// Case 58: everything becomes 640x480.
  @Test func case58_forcedSize() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      var reading = reading(mode)
      reading.dimensions = VideoDimensions(width: 640, height: 480)
      return .set(reading)
    }
    #expect(best(outcome) == "MJPG 640x480 60")
    #expect(outcome.notes.count == 1 && outcome.notes[0].hasPrefix("the driver makes 640x480 of MJPG 1280x720"))
  }

  /// Case 58: 1280x720 is agreed to, with buffers for 640x480.
  @Test func case58_smallBuffers() throws {
    let rows = [Self.row(0, .raw(.yuy2), 1280, 720, [60]), Self.row(1, .raw(.yuy2), 640, 480, [60])]
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: rows) { mode in
      var reading = reading(mode)
      reading.bufferSize = 614_400
      return .set(reading)
    }
    #expect(best(outcome) == "YUYV 640x480 60")
    #expect(outcome.notes[0].contains("buffers have 614400 bytes, and 1280x720 needs 1843200"))
  }

  /// A range of sizes narrows to the one that the driver gives.
  @Test func case58_steppedSizes() throws {
    var row = Self.row(0, .raw(.yuy2), 1280, 720, [60])
    row.dimensions = DimensionsRange(
      width: SteppedRange(min: 320, max: 1920, step: 1), height: SteppedRange(min: 240, max: 1080, step: 1))
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: [row]) { mode in
      var reading = reading(mode)
      reading.dimensions = VideoDimensions(width: 1024, height: 576)
      return .set(reading)
    }
    #expect(best(outcome) == "YUYV 1024x576 60")
  }

  @Test func anotherFormat() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      var reading = reading(mode)
      reading.fourCC = FourCC("YUYV")
      return .set(reading)
    }
    #expect(outcome.notes == ["MJPG is skipped: the driver makes YUYV of it"])
  }

  /// The driver's range after it was set is the truth, and may change the choice.
  @Test func case37_anotherRange() throws {
    let rows = [Self.row(0, .raw(.nv12), 1280, 720, [60], .full), Self.row(1, .raw(.yuy2), 1280, 720, [60], .full)]
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: rows) { mode in
      var reading = reading(mode)
      reading.range = mode.format.index == 0 ? .limited : .full
      return .set(reading)
    }
    #expect(best(outcome) == "YUYV 1280x720 60")
    #expect(outcome.formats[0].range == .limited)
  }

  /// Modes that do not stream go one by one: a slower one may.
  @Test func noBandwidth() throws {
    let outcome = try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
      mode.frameRate == Fraction(60)
        ? .refused(.bandwidth("It"), reason: "no bandwidth", isWholeFormat: false) : .set(reading(mode))
    }
    #expect(best(outcome) == "MJPG 1280x720 30")
  }

  @Test func nothingWorks() {
    var questions = 0
    let error = #expect(throws: CaptureError.self) {
      try FormatTrial(wishes: [Self.request]).run(on: webcam) { _ in
        questions += 1
        return .refused(.bandwidth("It"), reason: "no bandwidth", isWholeFormat: false)
      }
    }
    #expect(error?.code == .usbBandwidth && questions == 7, "each mode once: \(questions)")
  }

  @Test func whatIsNotAboutTheModeEndsTheTrial() {
    var questions = 0
    let error = #expect(throws: CaptureError.self) {
      try FormatTrial(wishes: [Self.request]).run(on: webcam) { mode throws(CaptureError) in
        questions += 1
        throw CaptureError(.deviceBusy, "It is busy.")
      }
    }
    #expect(error?.code == .deviceBusy && questions == 1)
  }

  /// Whatever a driver answers, the trial ends, with a mode that the driver gave or with an error.
  @Test func randomDrivers() {
    var random = Random(state: 58)
    for _ in 0..<500 {
      let limit = FormatTrial.limit
      var questions = 0
      let outcome = try? FormatTrial(wishes: [Self.request]).run(on: webcam) { mode in
        questions += 1
        var reading = reading(mode)
        switch random.next() % 5 {
        case 0: return refusal
        case 1: return .refused(.bandwidth("It"), reason: "no bandwidth", isWholeFormat: false)
        case 2: reading.frameRate = Fraction(Int(random.next() % 60) + 1)
        case 3: reading.dimensions = VideoDimensions(width: 640, height: 480)
        default: break
        }
        return .set(reading)
      }
      #expect(questions <= limit)
      if let outcome { #expect(FormatSelector(Self.request).select(from: outcome.formats).mode != nil) }
    }
  }

  private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
