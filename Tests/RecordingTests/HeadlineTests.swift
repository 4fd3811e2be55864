/// 720p60 in full range to an MP4 that plays everywhere, from the cameras that people have.

import Foundation
import TestSupport
import Testing

extension LiveTests {
  @Suite struct HeadlineTests {
    /// A C922 has 720p at 10 raw and at 60 as MJPG.
    @Test func motionJPEGWebcam() async throws {
      let recorded = try await Recorded(
        "--preset", "720p60", "--frames", "600", camera: FakeCamera("logitech_c922"))
      let (check, report) = (recorded.check, try recorded.outcome.json())
      let mode = report["mode"] as? [String: Any]
      #expect(mode?["fourCC"] as? String == "MJPG" && mode?["frameRate"] as? String == "60/1")
      #expect(report["framesWritten"] as? Int == 600)
      #expect(try recorded.lost == 0)
      #expect(check.frames?.count == 600 && check.faultyFrames == 0)
      #expect(check.track?.samples == 600 && check.track?.hasCtts == false)
      #expect(abs((check.movie?.duration ?? 0) - 10) < 0.0005)
      #expect(check.isOrdinaryMP4)
      // Full range, BT.601 matrix, BT.709 transfer and primaries, in the stream and in the container.
      let truth = RecordingCheck.Color(fullRange: true, primaries: 1, transfer: 1, matrix: 6)
      #expect(check.vui == truth && check.colr == truth)
      let grey = try #require(check.picture?.grey)
      #expect(grey.first.map { $0.min >= 0 && $0.max <= 1 } == true && grey.last.map { $0.min >= 254 } == true)
      #expect(check.error(as: "full601") <= 4)
      #expect(check.probe.codec == "h264" && check.probe.profile == "High")
      #expect(["yuv420p", "yuvj420p"].contains(check.probe.pixelFormat))
      #expect(check.probe.width == 1280 && check.probe.height == 720 && check.probe.averageRate == "60/1")
      #expect((check.track?.maxKeyFrameDistance ?? 99) <= 2.0001)
    }

    @Test func fullRangeCameraIsNotConverted() async throws {
      let camera = FakeCamera(
        format: "NV12", color: ["colorspace": "Rec. 709", "quantization": "Full Range"])
      let plan = try await capstan("plan", "--device", "/dev/video0", camera: camera)
      #expect(plan.status == 0)
      for element in ["videoconvert", "videobalance", "capssetter", "jpegdec"] {
        #expect(!plan.output.contains(element))
      }
      let recorded = try await Recorded("--frames", "600", camera: camera)
      let truth = RecordingCheck.Color(fullRange: true, primaries: 1, transfer: 1, matrix: 1)
      #expect(recorded.check.vui == truth && recorded.check.colr == truth)
      #expect(recorded.check.frames?.count == 600 && recorded.check.faultyFrames == 0)
      #expect(recorded.check.isOrdinaryMP4 && abs((recorded.check.movie?.duration ?? 0) - 10) < 0.0005)
      #expect(recorded.check.picture?.grey.first?.max ?? 9 <= 1 && recorded.check.picture?.grey.last?.min ?? 0 >= 254)
      #expect(recorded.check.error(as: "full709") <= 4)
    }

    /// Range is converted, not relabelled: what was 16 to 235 is 0 to 255 after it, and back.
    @Test(arguments: [
      ("YUYV", "Limited Range", "full", "full601"), ("YUYV", "Limited Range", "source", "limited601"),
      ("NV12", "Full Range", "limited", "limited601"), ("NV12", "Limited Range", "full", "full601"),
      ("MJPG", "Default", "limited", "limited601"), ("YU12", "Full Range", "source", "full601"),
      ("UYVY", "Limited Range", "limited", "limited601"), ("BGR3", "Full Range", "full", "full709"),
      ("BGR3", "Full Range", "limited", "limited709"),
    ])
    func range(_ format: String, _ quantization: String, _ wish: String, _ truth: String) async throws {
      let camera = FakeCamera(
        format: format, rate: (30, 1),
        color: [
          "colorspace": "sRGB", "transfer": "Rec. 709", "ycbcr_encoding": "ITU-R 601", "quantization": quantization,
        ])
      let recorded = try await Recorded(
        "--framerate", "30", "--color-range", wish, "--frames", "30", camera: camera)
      let isFull = truth.hasPrefix("full")
      #expect(recorded.check.vui?.fullRange == isFull && recorded.check.colr?.fullRange == isFull)
      #expect(recorded.check.vui?.matrix == (truth.hasSuffix("709") ? 1 : 6))
      #expect(recorded.check.picture?.expected[truth]?["grey"] ?? 99 <= 2)
      #expect(recorded.check.error(as: truth) <= 4, "\(String(describing: recorded.check.picture?.closest))")
      #expect(recorded.check.faultyFrames == 0)
    }

    @Test func cameraH264() async throws {
      let recorded = try await Recorded("--frames", "90", camera: FakeCamera(format: "H264"))
      #expect(recorded.check.frames?.count == 90 && recorded.check.faultyFrames == 0)
      #expect(recorded.check.isOrdinaryMP4)
    }

    /// USB's 59.94 is 7013/117; the file's is 60000/1001.
    @Test func rateThatIsNotSixty() async throws {
      let recorded = try await Recorded(
        "--size", "1920x1080", "--framerate", "59.94", "--frames", "60",
        camera: FakeCamera("elgato_camlink4k_1080p5994"))
      let mode = try recorded.outcome.json()["mode"] as? [String: Any]
      #expect(mode?["frameRate"] as? String == "7013/117")
      #expect(recorded.check.frames?.count == 60)
      // Within a unit of the track's clock, a 30,000th of a second: v4l2src places each frame by reading two clocks one
      // after the other, and the last of the sixty decides to which side the sum is rounded.
      let parts = recorded.check.probe.averageRate.split(separator: "/").compactMap { Double($0) }
      let ticks = try #require(parts.count == 2 ? parts[1] / parts[0] * 60 * 30_000 : nil)
      #expect(abs(ticks - 30 * 1001) <= 1.01, "\(recorded.check.probe.averageRate)")
    }

    @Test func durationIsExactToTheFrame() async throws {
      let recorded = try await Recorded("--duration", "3s", camera: FakeCamera("logitech_c922"))
      #expect(recorded.check.frames?.count == 180 && recorded.check.faultyFrames == 0)
    }

    /// Any source element is a device.
    @Test func elementAsDevice() async throws {
      let folder = try TemporaryFolder()
      let outcome = try await capstan(
        "record", "-d", "element:videotestsrc is-live=true pattern=ball", "--frames", "60", "-o",
        folder.file("a.mp4").path(percentEncoded: false), "--color-range", "source", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(folder.file("a.mp4"))
      #expect(check.probe.width == 1280 && check.probe.averageRate == "60/1" && check.probe.readFrames == 60)
      #expect(check.vui?.fullRange == false && check.colr == check.vui)
    }

    /// One line of a preset swaps the encoder.
    @Test(arguments: [("x264enc", "h264", "mp4"), ("openh264enc", "h264", "mp4"), ("x265enc", "hevc", "mkv")])
    func encoder(_ element: String, _ codec: String, _ container: String) async throws {
      let folder = try TemporaryFolder()
      let preset = folder.file("mine.json5")
      try Data(
        """
        {
          request: { size: "640x480", framerate: 30, range: "full" },
          encoder: "\(element)",
          container: "\(container)",
          bitrate: "2M",
        }
        """.utf8
      ).write(to: preset)
      let file = folder.file("a.\(container)")
      let outcome = try await capstan(
        "record", "-d", "/dev/video0", "-p", preset.path(percentEncoded: false), "--frames", "90", "-o",
        file.path(percentEncoded: false), camera: FakeCamera("logitech_c922"))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(file)
      #expect(check.probe.codec == codec && check.frames?.count == 90 && check.faultyFrames == 0)
      #expect(["yuv420p", "yuvj420p"].contains(check.probe.pixelFormat) && check.probe.colorRange == "pc")
      #expect(check.error(as: "full601") <= 4)
    }

    @Test(arguments: [["1280x720", "60", "full"], ["1280x720", "59.94", "limited"], ["1920x1080", "30", "full"]])
    func syntheticCamera(_ request: [String]) async throws {
      let recorded = try await Recorded(
        "--size", request[0], "--framerate", request[1], "--color-range", request[2], "--frames", "60",
        camera: FakeCamera("logitech_c922"), device: "synthetic")
      #expect(recorded.check.frames?.count == 60 && recorded.check.faultyFrames == 0)
      #expect(recorded.check.vui?.fullRange == (request[2] == "full"))
      #expect(recorded.check.error(as: "\(request[2])709") <= 2)
    }
  }
}
