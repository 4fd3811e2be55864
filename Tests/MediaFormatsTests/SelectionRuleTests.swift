/// The rules one by one: for each that puts modes in order, two modes that only it tells apart; for each that rejects,
/// a mode that it rejects.

import MediaFormats
import Testing

@Suite struct SelectionRuleTests {
  struct Duel: Sendable, CustomTestStringConvertible {
    var rule: String
    var winner: DeviceFormat
    var loser: DeviceFormat
    var request = SelectionRuleTests.vga

    var testDescription: String { rule }
  }

  static let vga = FormatRequest(
    dimensions: VideoDimensions(width: 640, height: 480), frameRate: Fraction(30), range: .limited)

  private static func row(
    _ code: String, _ size: String = "640x480", _ rates: [Int] = [30], range: ColorRange? = nil,
    isEmulated: Bool = false, node: String? = nil
  ) -> DeviceFormat {
    DeviceFormat(
      payload: Payload(fourCC: FourCC(code)) ?? .unsupported(FourCC(code)), fourCC: FourCC(code),
      dimensions: DimensionsRange(VideoDimensions(parsing: size)!),
      frameRates: rates.map { FrameRateRange(Fraction($0)) }, colorimetry: Colorimetry(range: range),
      isEmulated: isEmulated, node: node)
  }

  private static func asking(_ change: (inout FormatRequest) -> Void) -> FormatRequest {
    var request = vga
    change(&request)
    return request
  }

  static let duels: [Duel] = [
    Duel(rule: "color", winner: row("YUYV", "160x120", [5]), loser: row("GREY")),
    Duel(
      rule: "direction", winner: row("YUYV", "320x240"), loser: row("YUYV", "720x480"),
      request: asking { $0.fallback = .lowerOrNearest }),
    Duel(
      rule: "direction", winner: row("YUYV", "640x480", [60]), loser: row("YUYV", "640x480", [25]),
      request: asking { $0.fallback = .higherOrNearest }),
    Duel(rule: "deviation", winner: row("YUYV", "640x480", [25]), loser: row("YUYV", "320x240")),
    Duel(rule: "deviation", winner: row("YUYV"), loser: row("YUYV", "640x480", [])),
    Duel(rule: "size", winner: row("YUYV", "640x480", [15]), loser: row("YUYV", "320x480")),
    Duel(
      rule: "samples", winner: row("YUYV"), loser: row("RGBP"), request: asking { $0.range = .full }),
    Duel(rule: "range", winner: row("NV12", range: .limited), loser: row("NV12", range: .full)),
    Duel(
      rule: "unemulated", winner: row("YUYV"), loser: row("YUYV", isEmulated: true),
      request: asking { $0.payload = .code(FourCC("YUYV")) }),
    Duel(rule: "eightBit", winner: row("H264"), loser: row("P010")),
    Duel(rule: "payload", winner: row("YUYV"), loser: row("RGB3", range: .limited)),
    Duel(rule: "payload", winner: row("RGB3"), loser: row("MJPG"), request: asking { $0.range = .full }),
    Duel(rule: "payload", winner: row("MJPG"), loser: row("H264", range: .full), request: asking { $0.range = .full }),
    Duel(rule: "payload", winner: row("H264"), loser: row("VP80")),
    Duel(
      rule: "area", winner: row("YUYV", "1280x720"), loser: row("YUYV"), request: asking { $0.dimensions = nil }),
    Duel(
      rule: "rate", winner: row("YUYV", "640x480", [25]), loser: row("YUYV", "640x480", [60]),
      request: asking { $0.frameRate = nil }),
    Duel(rule: "node", winner: row("YUYV", node: "/dev/video4"), loser: row("UYVY", node: "/dev/video2")),
    Duel(rule: "order", winner: row("YUYV"), loser: row("UYVY")),
  ]

  @Test(arguments: duels) func decides(_ duel: Duel) throws {
    let orders =
      duel.rule == "order" ? [[duel.winner, duel.loser]] : [[duel.winner, duel.loser], [duel.loser, duel.winner]]
    // An infrared sensor's node has a grey mode beside the coloured one.
    let companions = duel.rule == "node" ? [Self.row("GREY", "160x120", node: "/dev/video2")] : []
    for order in orders {
      let rows = CameraTable.numbered(order + companions)
      let judged = FormatSelector(duel.request).judgements(of: rows)
      #expect(judged[0].mode.format.fourCC == duel.winner.fourCC)
      #expect(judged[0].mode.format.dimensions == duel.winner.dimensions)
      let deciding = zip(judged[0].scores, judged[1].scores).first { $0.figure != $1.figure }?.0.rule
      #expect(deciding == duel.rule)
      #expect(FormatSelector(duel.request).select(from: rows).mode == judged[0].mode)
    }
  }

  @Test(arguments: [
    ("inputFormat", row("YUYV"), asking { $0.payload = .jpeg }, "the request allows only mjpeg"),
    ("recordable", row("RG10"), vga, "GStreamer has no caps for RG10"),
    ("recordable", row("BA81"), vga, "Bayer"),
    ("native", row("YUYV", isEmulated: true), vga, "a library makes it"),
    ("exact", row("YUYV", "640x480", [25]), asking { $0.fallback = .exact }, "25 fps instead of 30"),
  ])
  func rejects(_ rule: String, _ row: DeviceFormat, _ request: FormatRequest, _ reason: String) throws {
    let judgement = try #require(FormatSelector(request).judgements(of: [row]).first)
    #expect(judgement.rejection?.rule == rule)
    #expect(judgement.rejection?.reason.contains(reason) == true, "\(judgement.rejection?.reason ?? "")")
    #expect(FormatSelector(request).select(from: [row]).mode == nil)
  }

  @Test func everyRuleIsTested() {
    let rejecting = ["inputFormat", "recordable", "native", "exact"]
    let names = SelectionRule.all.map(\.name)
    #expect(Set(names) == Set(rejecting + Self.duels.map(\.rule)))
    #expect(Set(names).count == names.count)
    #expect(names.prefix(rejecting.count) == rejecting[...])
    #expect(SelectionRule.all.allSatisfy { !$0.meaning.isEmpty })
  }

  // MARK: Wishes

  @Test func theFirstWishThatIsMetExactlyWins() {
    let rows = CameraTable.numbered([Self.row("YUYV", "1280x720", [30]), Self.row("YUYV")])
    let wishes = [
      Self.asking { $0.dimensions = VideoDimensions(width: 1920, height: 1080) }, Self.vga,
      Self.asking { $0.dimensions = VideoDimensions(width: 1280, height: 720) },
    ]
    let granted = FormatSelector.select(from: rows, wishes: wishes)
    #expect(granted.place == 1 && granted.request == Self.vga && granted.selection.mode?.format.index == 1)
    #expect(granted.selection.outcome == "exact")
  }

  @Test func elseTheFallbackOfTheFirstThatAllowsOne() {
    let rows = CameraTable.numbered([Self.row("YUYV", "1280x720", [30]), Self.row("YUYV", "320x240")])
    let strict = Self.asking { $0.fallback = .exact }
    let higher = Self.asking { $0.fallback = .higherOrNearest }
    let granted = FormatSelector.select(from: rows, wishes: [strict, higher, Self.vga])
    #expect(granted.place == 1 && granted.selection.mode?.format.index == 0)
    let none = FormatSelector.select(from: rows, wishes: [strict, strict])
    #expect(none.place == 0 && none.selection.outcome == "impossible")
    #expect(FormatSelector.select(from: rows, wishes: []).selection.mode?.format.index == 0)
  }

  @Test(arguments: [
    ("exact", FallbackStrategy.exact), ("LowerOrNearest", .lowerOrNearest), ("higher-or-nearest", .higherOrNearest),
    ("nearest", .nearest),
  ])
  func fallbacksHaveNames(_ text: String, _ fallback: FallbackStrategy) {
    #expect(FallbackStrategy(parsing: text) == fallback)
    #expect(FallbackStrategy(parsing: "lower") == nil)
    #expect(FallbackStrategy.names == "exact, lowerOrNearest, higherOrNearest or nearest")
  }
}
