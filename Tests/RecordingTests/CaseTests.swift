/// Reports that recorders get from their users, by number: the answer of the command, on cameras that a library plays.

import Foundation
import TestSupport
import Testing

@Suite struct CaseTests {
  private func plan(_ camera: FakeCamera, _ arguments: String...) async throws -> [String: Any] {
    let outcome = try await RunningProgram(
      "capstan", ["plan", "-d", "/dev/video0", "--json"] + arguments, camera: camera
    ).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.json()
  }

  private func mode(_ plan: [String: Any]) -> String {
    let mode = plan["mode"] as? [String: Any] ?? [:]
    return ["fourCC", "width", "height", "frameRate"].map { "\(mode[$0] ?? "")" }.joined(separator: " ")
  }

  private func deviations(_ plan: [String: Any]) -> [String] { plan["deviations"] as? [String] ?? [] }

  /// Case 4: the camera has 720p at 60, and recorders take raw pictures at 10 or 30.
  @Test(arguments: ["logitech_c922", "razer_kiyo", "elp_global_shutter_120101", "ms2109_hdmi_dongle"])
  func case04_sixtyFramesAsMotionJPEG(_ table: String) async throws {
    let plan = try await plan(FakeCamera(table), "-p", "720p60")
    #expect(mode(plan) == "MJPG 1280 720 60/1" && plan["outcome"] as? String == "exact")
  }

  /// Case 11: rates that cannot be asked for, or become 60 and 7 without a word.
  @Test(arguments: [
    ("elgato_camlink4k_1080p5994", "1920x1080", "59.94", "YUYV 1920 1080 7013/117", 0),
    ("elgato_camlink4k_1080p5994", "1920x1080", "60000/1001", "YUYV 1920 1080 7013/117", 0),
    ("elgato_camlink4k_1080p5994", "1920x1080", "60", "YUYV 1920 1080 7013/117", 1),
    ("logitech_c922", "640x480", "7.5", "MJPG 640 480 15/2", 0),
    ("logitech_c922", "640x480", "15/2", "MJPG 640 480 15/2", 0),
    ("v4l2loopback_fixed_720p", "1280x720", "59.94", "YU12 1280 720 60000/1001", 0),
  ])
  func case11_rates(_ table: String, _ size: String, _ rate: String, _ got: String, _ said: Int) async throws {
    let plan = try await plan(FakeCamera(table), "-s", size, "-r", rate, "--color-range", "source")
    #expect(mode(plan) == got || mode(plan).dropFirst(4) == got.dropFirst(4))
    #expect(deviations(plan).count == said)
  }

  /// Case 30: ranges of sizes and rates, where others show an empty list, loop for ever or promise 90 fps.
  @Test(arguments: [
    ("raspberrypi_bcm2835_v4l2", "1366x768", "1366 768"), ("raspberrypi_bcm2835_v4l2", "33x33", "32 32"),
    ("rockchip_isp_mplane", "1366x768", "1368 768"), ("v4l2loopback_idle", "1366x768", "1366 768"),
  ])
  func case30_ranges(_ table: String, _ size: String, _ got: String) async throws {
    let plan = try await plan(FakeCamera(table), "-s", size, "-r", "30")
    let mode = plan["mode"] as? [String: Any] ?? [:]
    #expect("\(mode["width"] ?? "") \(mode["height"] ?? "")" == got)
  }

  /// Case 31: a driver that tells no rate; others hide it, crash or loop.
  @Test(arguments: ["yvyu_no_intervals", "analog_grabber_interlaced"])
  func case31_noIntervals(_ table: String) async throws {
    let listing = try await capstan("formats", "-d", "/dev/video0", "--json", camera: FakeCamera(table))
    let rows = try JSONSerialization.jsonObject(with: Data(listing.output.utf8)) as? [[String: Any]]
    #expect(rows?.isEmpty == false && rows?.allSatisfy { ($0["frameRates"] as? [Any])?.isEmpty == true } == true)
    let plan = try await plan(FakeCamera(table), "-r", "30")
    #expect(deviations(plan).contains("the driver tells no rate, 30 fps is tried"))
  }

  /// Case 34: what libv4l2 makes up is listed as such, and not chosen.
  @Test func case34_emulatedFormats() async throws {
    let camera = FakeCamera(formats: [
      FakeCamera.format("YV12", rate: (60, 1), emulated: true), FakeCamera.format("UYVY", rate: (30, 1)),
    ])
    #expect(mode(try await plan(camera, "--color-range", "source")) == "UYVY 1280 720 30/1")
    let pinned = try await plan(camera, "--input-format", "YV12", "--color-range", "source")
    #expect(mode(pinned) == "YV12 1280 720 60/1" && "\(pinned["notes"] ?? "")".contains("a library makes this format"))
  }

  /// Case 57: the same model at another port has other modes; a preset is a wish that is resolved against today's.
  @Test func case57_portOfTheCamera() async throws {
    let fast = try await plan(FakeCamera("logitech_brio_usb3"), "-p", "720p60")
    #expect(mode(fast) == "MJPG 1280 720 60/1" && deviations(fast).isEmpty)
    let slow = try await plan(FakeCamera("logitech_brio_usb2_fallback"), "-p", "720p60")
    #expect(mode(slow) == "MJPG 1280 720 30/1" && deviations(slow) == ["30 fps instead of 60"])
    let outcome = try await capstan(
      "plan", "-d", "/dev/video0", "-p", "720p60", "--strict", camera: FakeCamera("logitech_brio_usb2_fallback"))
    #expect(outcome.status == 2 && outcome.errors.contains("Nearest are: MJPG 1280x720 at 30 fps"))
  }
}
