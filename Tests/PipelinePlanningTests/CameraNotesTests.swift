/// Notes on cameras: what is read, to which rows it applies, and what is refused.

import Foundation
import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct CameraNotesTests {
  private func notes(_ text: String) throws -> CameraNotes {
    try CameraNotes(file: "cameras.json5", json5: Data(text.utf8))
  }

  private func row(_ width: Int, _ height: Int, _ rates: Int..., payload: Payload = .jpeg) -> DeviceFormat {
    DeviceFormat(
      payload: payload, dimensions: DimensionsRange(VideoDimensions(width: width, height: height)),
      frameRates: rates.map { FrameRateRange(Fraction($0)) })
  }

  private static let c922 = """
    {
      "046d:085c": {
        name: "C922", stabilization: false,
        modes: [
          { aspect: "16:9", fieldOfView: 70.42 },
          { size: "1280x720", framerate: 60, binned: true, maximumZoom: 2, crop: "640x360+10+20" },
          { format: "YUYV", upscalingZoom: 1.5 },
        ],
      },
    }
    """

  @Test func eachNoteIsForTheModesThatItNames() throws {
    let entry = try #require(try notes(Self.c922).entries(card: "whatever", usbID: "046D:085C").first)
    let fast = entry.completed(row(1280, 720, 60, 30)).traits
    #expect(fast.fieldOfView == 70.42 && fast.isBinned == true && fast.maximumZoom == 2)
    #expect(fast.crop == CropRectangle(left: 10, top: 20, width: 640, height: 360) && fast.upscalingZoom == nil)
    let slow = entry.completed(row(1280, 720, 30)).traits
    #expect(slow.fieldOfView == 70.42 && slow.isBinned == nil)
    let square = entry.completed(row(640, 480, 30, payload: .raw(PixelFormat(named: "YUY2")))).traits
    #expect(square == FormatTraits(supportsStabilization: false, upscalingZoom: 1.5))
  }

  @Test func foundByUSBIdentityOrName() throws {
    let known = try notes(#"{ "046d:085c": { fieldOfView: 70 }, "logitech brio": { fieldOfView: 80 } }"#)
    #expect(known.entries(card: "Logitech BRIO", usbID: nil).map(\.traits.fieldOfView) == [80])
    #expect(known.entries(card: "Logitech BRIO", usbID: "046d:085c").map(\.traits.fieldOfView) == [80, 70])
    #expect(known.entries(card: "Other", usbID: "1:2").isEmpty)
  }

  @Test(arguments: [
    (#"{ "a": { fieldOfVew: 70 } }"#, "a.fieldOfVew", "fieldOfView is near"),
    (#"{ "a": { fieldOfView: 360 } }"#, "a.fieldOfView", "below 360"),
    (#"{ "a": { maximumZoom: 0.5 } }"#, "a.maximumZoom", "at least 1"),
    (#"{ "a": { modes: [ {}, { size: "wide" } ] } }"#, "a.modes[1].size", "1280x720"),
    (#"{ "a": { modes: {} } }"#, "a.modes", "list of objects"),
    (#"{ "a": { modes: [ { aspect: "0:9" } ] } }"#, "a.modes[0].aspect", "16:9"),
    (#"{ "a": { crop: "1x" } }"#, "a.crop", "1280x720+320+180"),
    (#"{ "a": 5 }"#, "a", "object"),
  ]) func mistakesAreTold(_ text: String, _ place: String, _ words: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try notes(text) }
    #expect(error.keyPath == place && error.problem.contains(words), "\(error)")
  }

  @Test func theBundledOnesAreReadAndAreNoPreset() throws {
    let known = try ProfileLibrary.standard.cameraNotes()
    #expect(known.flatMap { $0.entries(card: "", usbID: "046d:085c") }.contains { !$0.modes.isEmpty })
    #expect(!ProfileLibrary.standard.presetNames.contains("cameras"))
    #expect(throws: ConfigurationError.self) { try ProfileLibrary.standard.preset("cameras") }
  }
}
