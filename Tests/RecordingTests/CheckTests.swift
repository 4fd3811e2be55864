/// `capstan check` on files that others made: each fault is named, and a right file has none.

import Foundation
import MediaInspection
import TestSupport
import Testing

extension FileWork {
  @Suite struct CheckTests {
    /// Made once for all tests.
    static let files = Task {
      let folder = try TemporaryFolder()
      let tool = Places.tests.appending(path: "Tools/make-check-files").path(percentEncoded: false)
      let script = "cd \"$0\" && exec \"$1\""
      let outcome = try await RunningProgram(
        "/bin/sh", ["-c", script, folder.url.path(percentEncoded: false), tool]
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      return folder
    }

    struct Row: Sendable {
      let file: String
      let range: String
      let findings: [String]
    }

    static let rows = [
      Row(file: "right-limited.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-full.mp4", range: "fullRangeConfirmed", findings: []),
      Row(file: "right-full.mkv", range: "fullRangeConfirmed", findings: []),
      Row(file: "right-bframes.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-audio.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-faststart.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-opengop.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "cut-open.mp4", range: "limitedConfirmed", findings: ["unfinished"]),
      Row(file: "hole.mp4", range: "limitedConfirmed", findings: ["undecodable"]),
      Row(file: "size.mp4", range: "limitedConfirmed", findings: ["sizesDisagree"]),
      Row(file: "right-frag.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-longaudio.mp4", range: "limitedConfirmed", findings: []),
      Row(file: "right-longaudio.mkv", range: "limitedConfirmed", findings: []),
      Row(file: "right-jpeg.mov", range: "fullRangeConfirmed", findings: []),
      Row(file: "right-jpeg.mp4", range: "fullRangeConfirmed", findings: []),
      Row(file: "right-jpeg.mkv", range: "fullRangeConfirmed", findings: []),
      Row(file: "full-tagged-limited.mp4", range: "fullPixelsTaggedLimited", findings: ["fullPixelsTaggedLimited"]),
      Row(file: "limited-tagged-full.mp4", range: "limitedPixelsTaggedFull", findings: ["limitedPixelsTaggedFull"]),
      Row(file: "disagree.mp4", range: "signalsDisagree", findings: ["signalsDisagree"]),
      Row(file: "jpegdec-like.mp4", range: "fullRangeConfirmed", findings: ["shownWrongInBrowsers"]),
      Row(file: "silent.mp4", range: "limitedConfirmed", findings: ["colorUnknown"]),
      Row(file: "c444.mp4", range: "limitedConfirmed", findings: ["notPlayedEverywhere"]),
      Row(file: "ten.mp4", range: "limitedConfirmed", findings: ["notPlayedEverywhere"]),
      Row(file: "gap.mp4", range: "limitedConfirmed", findings: ["gap"]),
      Row(file: "longgop.mp4", range: "undetermined", findings: ["keyFramesFarApart"]),
      Row(file: "frag.mp4", range: "limitedConfirmed", findings: ["unfinished"]),
      Row(file: "edit.mp4", range: "limitedConfirmed", findings: ["edited"]),
      Row(file: "edit-onekey.mp4", range: "limitedConfirmed", findings: ["edited"]),
      Row(file: "trunc.mkv", range: "fullRangeConfirmed", findings: ["durationsDisagree", "unfinished"]),
    ]

    @Test func eachFaultIsNamed() async throws {
      _ = try await concurrently(Self.rows) { try await isNamed($0) }
    }

    private func isNamed(_ row: Row) async throws {
      let outcome = try await check(row.file)
      let answer = try #require(try answers(outcome).first)
      let findings = answer["findings"] as? [[String: Any]] ?? []
      #expect(findings.compactMap { $0["kind"] as? String } == row.findings, "\(row.file): \(outcome.output)")
      #expect(answer["range"] as? String == row.range, "\(row.file)")
      #expect(outcome.status == (row.findings.isEmpty ? 0 : 3), "\(row.file)")
    }

    @Test func otherFaults() async throws {
      let wrong = try answers(try await check("wrongduration.mp4"))
      #expect("\(wrong)".contains("timesDisordered"))
      let short = try answers(try await check("colr18.mp4"))
      #expect("\(short)".contains("colorBoxMalformed"))
    }

    @Test func aFileWithoutAnIndexIsAnErrorThatSaysSo() async throws {
      let outcome = try await check("nomoov.mp4")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("no index (moov)"))
      let audio = try await check("audioonly.mp4")
      #expect(audio.status == 1 && audio.errors.contains("no track of pictures. Give a recording with pictures."))
      let empty = try await check("empty.mp4")
      #expect(empty.status == 1 && empty.errors.contains("the file is empty."))
      let missing = try await check("there-is-none.mp4")
      #expect(missing.status == 1 && missing.errors.contains("cannot be read"))
    }

    /// The command line that many use, on a camera that sends limited range.
    @Test func aLabelPutOnByFFmpegIsCaught() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("ffmpeg.mp4").path(percentEncoded: false)
      let made = try await RunningProgram(
        "/usr/bin/env",
        [
          "ffmpeg", "-v", "error", "-y", "-f", "v4l2", "-input_format", "yuyv422", "-video_size", "640x480", "-i",
          "/dev/video0", "-frames:v", "30", "-color_range", "pc", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset",
          "ultrafast", file,
        ],
        camera: FakeCamera(format: "YUYV", width: 640, height: 480, color: ["quantization": "Limited Range"])
      ).finish()
      #expect(made.status == 0, "\(made.errors)")
      let outcome = try await capstan("check", "--json", file)
      #expect(outcome.status == 3)
      #expect(try answers(outcome).first?["range"] as? String == "limitedPixelsTaggedFull", "\(outcome.output)")
    }

    /// Every recording of our own is what it says.
    @Test(arguments: [
      ("x264enc", "mp4"), ("openh264enc", "mov"), ("x265enc", "mkv"), ("vp9enc", "webm"), ("av1enc", "webm"),
      ("vp9enc", "mp4"),
    ])
    func ourOwnAreSound(encoder: String, container: String) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("own.\(container)").path(percentEncoded: false)
      let made = try await capstan(
        "record", "--device", "synthetic", "--encoder", encoder, "--size", "640x480", "--frames", "45", "--json",
        "--output", file
      )
      #expect(made.status == 0, "\(made.errors)")
      let outcome = try await capstan("check", "--json", file)
      let answer = try #require(try answers(outcome).first)
      let findings = answer["findings"] as? [[String: Any]] ?? []
      // What a busy machine loses is in the report, and is found; nothing else is.
      let lost = try #require(try made.json()["framesLost"] as? Int)
      let kinds = Set(findings.compactMap { $0["kind"] as? String })
      #expect(lost > 0 ? kinds.isSubset(of: ["gap"]) : kinds.isEmpty, "\(lost) lost: \(outcome.output)")
      #expect(outcome.status == (kinds.isEmpty ? 0 : 3))
      #expect(answer["range"] as? String == "fullRangeConfirmed")
    }

    /// Whatever a file holds, reading it ends, with an answer or an error.
    @Test func mutilatedFilesDoNoHarm() async throws {
      let folder = try await Self.files.value
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      func random(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, limit)
      }
      let target = folder.file("mutilated")
      for name in ["right-full.mp4", "right-bframes.mp4", "frag.mp4", "right-full.mkv"] {
        let original = [UInt8](try Data(contentsOf: folder.file(name)))
        // Most of a file is pictures: hits go where the index is.
        let index = name.hasSuffix("mkv") ? 0..<1200 : max(0, original.count - 4000)..<original.count
        for _ in 0..<400 {
          var bytes = original
          for _ in 0...random(4) { bytes[index.lowerBound + random(index.count)] = UInt8(random(256)) }
          if random(3) == 0 { bytes.removeLast(random(bytes.count)) }
          try Data(bytes).write(to: target)
          if let media = try? MediaFile(contentsOf: target) {
            _ = FileFindings(file: media, stream: nil, record: nil, levels: nil).all
          }
        }
      }
    }

    private func check(_ name: String) async throws -> Outcome {
      let folder = try await Self.files.value
      return try await capstan("check", "--json", folder.file(name).path(percentEncoded: false))
    }

    private func answers(_ outcome: Outcome) throws -> [[String: Any]] {
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]] ?? []
    }
  }
}
