/// Listings by the built command: what `formats` prints is a camera to plan with, and telephones' own lists are too.

import Foundation
import TestSupport
import Testing

@Suite struct ListingTests {
  private static let folder = Places.tests.appending(path: "Fixtures/listings")

  private static func device(_ name: String) -> String {
    "listing:\(folder.appending(path: "\(name).txt").path(percentEncoded: false))"
  }

  @Test(arguments: ["iphone3gs-ios6.1.3", "iphone5-ios6.1.4", "iphone5-ios7"])
  func printsBackByteForByte(_ name: String) async throws {
    let outcome = try await capstan("formats", "--device", Self.device(name))
    let file = try Data(contentsOf: Self.folder.appending(path: "\(name).txt"))
    #expect(outcome.status == 0 && Data(outcome.output.utf8) == file)
  }

  @Test(arguments: [
    ("iphone5-ios7", 13, "exact"), ("iphone5-ios6.1.4", 7, "adjusted"), ("iphone3gs-ios6.1.3", 1, "adjusted"),
  ])
  func planGivesTheRow(_ name: String, _ row: Int, _ wanted: String) async throws {
    let outcome = try await capstan("plan", "-d", Self.device(name), "-p", "720p60", "--json")
    let answer = try outcome.json()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect((answer["mode"] as? [String: Any])?["index"] as? Int == row)
    #expect(answer["outcome"] as? String == wanted)
  }

  @Test(arguments: ["iphone5-ios6.1.4", "iphone3gs-ios6.1.3"], [["--strict"], ["--fallback", "exact"]])
  func exactFailsWithTheNearestOffers(_ name: String, _ words: [String]) async throws {
    let arguments = ["plan", "-d", Self.device(name), "-p", "720p60", "--json"] + words
    let outcome = try await RunningProgram("capstan", arguments).finish()
    #expect(outcome.status == 2)
    #expect(outcome.errors.isEmpty || outcome.errors.contains("no mode is exactly"))
    let nearest = try outcome.json()["nearest"] as? [[String: Any]] ?? []
    #expect(nearest.first?["index"] as? Int == (name == "iphone5-ios6.1.4" ? 7 : 1))
  }

  @Test(arguments: [("lowerOrNearest", "640x480"), ("higherOrNearest", "2048x1536")])
  func fallsBackAsTheCallerSays(_ fallback: String, _ size: String) async throws {
    let outcome = try await capstan(
      "plan", "-d", Self.device("iphone3gs-ios6.1.3"), "-s", "720p15", "--fallback", fallback, "--json")
    let mode = try outcome.json()["mode"] as? [String: Any]
    #expect("\(mode?["width"] ?? "")x\(mode?["height"] ?? "")" == size)
  }

  @Test func recordingAListingIsAnErrorThatSaysSo() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.mp4").path(percentEncoded: false)
    let outcome = try await capstan("record", "-d", Self.device("iphone5-ios7"), "-o", file)
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("can be planned with, not recorded"))
    #expect(try folder.names.isEmpty)
  }

  @Test func mistakesHaveFileAndLine() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("bad.txt")
    try Data("'vide'/'420f'  640x 480, {30 fps}> - 0\nnonsense\n".utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    let outcome = try await capstan("formats", "-d", "listing:\(path)")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("\(path), line 2: "))
    let missing = try await capstan("formats", "-d", "listing:\(path).not")
    #expect(missing.status == 4 && missing.errors.contains("There is no listing"))
  }

  /// Rates that no decimal names, unknown ones, ranges, several payloads: one camera each.
  @Test(arguments: [
    "logitech_c922", "elgato_camlink4k_1080p5994", "yvyu_no_intervals", "raspberrypi_bcm2835_v4l2",
    "jetson_imx219_bayer", "laptop_fj_camera_with_ir",
  ])
  func whatACameraListsReadsBack(_ table: String) async throws {
    let folder = try TemporaryFolder()
    let listing = folder.file("listing.txt")
    let text = try await capstan("formats", "-d", "/dev/video0", camera: FakeCamera(table))
    try Data(text.output.utf8).write(to: listing)
    let rows = try await capstan("formats", "-d", "/dev/video0", "--json", camera: FakeCamera(table))
    let read = try await capstan("formats", "-d", "listing:\(listing.path(percentEncoded: false))", "--json")
    #expect(rows.status == 0 && read.output == rows.output)
  }

  @Test func explanationsHaveEveryCandidate() async throws {
    let outcome = try await capstan(
      "plan", "-d", "/dev/video0", "-p", "720p60", "--explain", "--json", camera: FakeCamera("logitech_c922"))
    let answer = try outcome.json()
    let rules = try #require(answer["rules"] as? [[String: Any]])
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    let best = try #require(candidates.first)
    #expect(best["rank"] as? Int == 1 && best["decodeCost"] as? String == "light")
    #expect(best["usbBandwidth"] as? Double == 110.592 && best["usbBandwidthIsEstimate"] as? Bool == true)
    #expect(best["storage"] as? Double == 8 && best["diskMinutes"] is Double)
    let ordering = rules.filter { $0["strength"] as? String != "required" }.map { $0["name"] as? String }
    #expect((best["scores"] as? [[String: Any]])?.map { $0["rule"] as? String } == ordering)
    #expect((best["mode"] as? [String: Any])?["index"] as? Int == (answer["mode"] as? [String: Any])?["index"] as? Int)
    let text = try await capstan(
      "plan", "-d", "/dev/video0", "-p", "720p60", "--explain", "--input-format", "raw",
      camera: FakeCamera("logitech_c922"))
    #expect(text.output.contains("inputFormat: the request allows only raw") && text.output.contains("about 110.6"))
  }
}
