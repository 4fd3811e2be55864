/// What the streams of recordings say of their colour, in every header and in the container, as ffmpeg reads them.

import Foundation
import TestSupport
import Testing

extension ColorWork {
  @Suite struct StreamColorTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let encoder: String
      let container: String
      let range: String

      var testDescription: String { "\(encoder) in \(container), \(range)" }
    }

    private static let cases = [
      ("openh264enc", "mp4"), ("openh264enc", "mov"), ("openh264enc", "mkv"), ("av1enc", "mkv"), ("av1enc", "webm"),
      ("vp9enc", "mp4"), ("vp9enc", "webm"), ("x264enc", "mp4"), ("x265enc", "mkv"),
    ].flatMap { pair in ["full", "limited"].map { Case(encoder: pair.0, container: pair.1, range: $0) } }

    /// A webcam's MJPG: BT.601 matrix, BT.709 transfer and primaries.
    @Test(arguments: cases) func headersAndContainerAgree(_ wanted: Case) async throws {
      let folder = try TemporaryFolder()
      let file = try await Self.record(wanted, in: folder)
      let range = wanted.range == "full" ? "pc" : "tv"
      let probe = try await Self.output(
        "ffprobe", "-v", "error", "-show_entries", "stream=color_range,color_space,color_transfer,color_primaries",
        "-of", "default=nw=1", file)
      #expect(
        probe == "color_range=\(range)\ncolor_space=smpte170m\ncolor_transfer=bt709\ncolor_primaries=bt709\n")
      let said = try await Self.headers(of: file)
      #expect(said == Self.expected(wanted))
    }

    /// Every value that any header of the stream has for a field of colour.
    private static func headers(of file: String) async throws -> [String: Set<Int>] {
      let traced = try await RunningProgram(
        "/usr/bin/env",
        ["ffmpeg", "-nostdin", "-i", file, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
      ).finish()
      #expect(traced.status == 0)
      var said: [String: Set<Int>] = [:]
      for line in traced.errors.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let name = words.first(where: { fields.contains(String($0)) }),
          let value = words.last.flatMap({ Int($0) })
        else { continue }
        said[String(name), default: []].insert(value)
      }
      return said
    }

    /// As the specifications name them.
    private static let fields = [
      "video_full_range_flag", "colour_primaries", "color_primaries", "transfer_characteristics",
      "matrix_coefficients", "color_range", "color_space",
    ]

    private static func expected(_ wanted: Case) -> [String: Set<Int>] {
      let full = wanted.range == "full" ? 1 : 0
      switch wanted.encoder {
      case "vp9enc": return ["color_range": [full], "color_space": [3]]
      case "av1enc":
        return [
          "color_range": [full], "color_primaries": [1], "transfer_characteristics": [1], "matrix_coefficients": [6],
        ]
      default:
        return [
          "video_full_range_flag": [full], "colour_primaries": [1], "transfer_characteristics": [1],
          "matrix_coefficients": [6],
        ]
      }
    }

    private static func record(_ wanted: Case, in folder: TemporaryFolder) async throws -> String {
      let preset = folder.file("mine.json5")
      try Data(
        """
        {
          request: { size: "640x480", framerate: 30, range: "\(wanted.range)" },
          encoder: "\(wanted.encoder)",
          container: "\(wanted.container)",
          bitrate: "1M",
          keyFrameInterval: "500ms",
        }
        """.utf8
      ).write(to: preset)
      let file = folder.file("a.\(wanted.container)").path(percentEncoded: false)
      let outcome = try await capstan(
        "record", "-d", "/dev/video0", "-p", preset.path(percentEncoded: false), "--frames", "40", "-o", file,
        camera: FakeCamera("logitech_c922"))
      try #require(outcome.status == 0, "\(outcome.errors)")
      return file
    }

    private static func output(_ program: String, _ arguments: String...) async throws -> String {
      let outcome = try await RunningProgram("/usr/bin/env", [program] + arguments).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.output
    }
  }
}
