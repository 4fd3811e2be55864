/// The words of the vocabulary on the elements that are installed: each is taken, and does what it says.

import Foundation
import GStreamer
import MediaFormats
import PipelinePlanning
import TestSupport
import Testing

@testable import Capstan

/// The bundled encoders that this machine has.
private enum Installed {
  static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
  static let encoders = ((try? library.encoders()) ?? []).filter {
    !$0.isHardware && ElementCatalog.contains($0.element)
  }

  static func names(where isWanted: (EncoderProfile) -> Bool) -> [String] {
    encoders.filter(isWanted).map(\.element)
  }

  static func encoder(_ name: String) throws -> EncoderProfile {
    try #require(encoders.first { $0.element == name })
  }
}

@Suite struct EncoderPropertyTests {
  /// Every property by a setter that checks it.
  @Test(arguments: Installed.names { _ in true }) func elementsTakeEveryWord(_ name: String) throws {
    for sample in try EncoderSamples(try Installed.encoder(name), Installed.library).all() {
      do { _ = try PipelineBuilder.element(for: sample.node) } catch { Issue.record("\(sample.name): \(error)") }
    }
  }

  /// A property that is a structure is taken in the words in which options are joined.
  @Test func structuresAreTexts() throws {
    let source = try Element(factory: "v4l2src")
    try source.set("extra-controls", to: .string("controls,brightness=3,white_balance=4"))
    let text = "\(try source.get("extra-controls"))".filter { $0 != "\\" }
    #expect(text.contains("brightness=(int)3") && text.contains("white_balance=(int)4"), "\(text)")
  }
}

@Suite struct PlannedRateTests {
  /// What the stream is held to, and nothing else.
  @Test(
    arguments: [
      (["--bitrate", "4M"], 4_000_000, nil, nil, "4 Mbit/s"), (["--quality", "80"], nil, 80, nil, "quality 80"),
      (["--lossless", "-o", "a.mkv"], nil, nil, true, "lossless"),
    ] as [([String], Int?, Int?, Bool?, String)])
  func planSaysIt(_ words: [String], _ rate: Int?, _ quality: Int?, _ lossless: Bool?, _ text: String) async throws {
    let arguments = ["plan", "-d", "synthetic", "--encoder", "x264enc"] + words
    let plan = try await RunningProgram("capstan", arguments).finish()
    #expect(plan.output.contains(", \(text), h264"), "\(plan.output)\(plan.errors)")
    let answer = try await RunningProgram("capstan", arguments + ["--json"]).finish().json()
    let encoder = try #require(answer["encoder"] as? [String: Any])
    #expect(encoder["bitRate"] as? Int == rate && encoder["quality"] as? Int == quality)
    #expect(encoder["lossless"] as? Bool == lossless)
  }
}

extension FileWork {
  @Suite struct EncoderWordTests {
    /// `gst-launch-1.0` with a line of pictures, encoded as a sample says.
    private func encode(
      _ encoder: EncoderProfile, _ sample: EncoderSample, frames: Int = 12,
      pattern: String = "zone-plate kx2=20 ky2=20 kt=3",
      to file: URL
    ) async throws {
      let line = LaunchLine(PipelineDescription(stages: [.init("encode", [sample.node])]))
      let format = "video/x-raw,format=\(encoder.inputs[0]),width=320,height=240,framerate=30/1,colorimetry=1:4:5:1"
      let pieces =
        ["videotestsrc num-buffers=\(frames) pattern=\(pattern)", format, "\(line)"]
        + [encoder.parser, encoder.streamCaps.map { "capssetter join=true caps='\($0)'" }].compactMap { $0 }
        + ["matroskamux", "filesink location='\(file.path(percentEncoded: false))'"]
      let command = "exec gst-launch-1.0 -q \(pieces.joined(separator: " ! "))"
      let outcome = try await RunningProgram("/bin/sh", ["-c", command]).finish()
      #expect(outcome.status == 0, "\(sample.name): \(outcome.errors)")
    }

    private func sample(_ title: String, of encoder: EncoderProfile) throws -> EncoderSample {
      try #require(try EncoderSamples(encoder, Installed.library).all().first { $0.title == title })
    }

    /// MD5 sums of the decoded frames.
    private func sums(_ input: [String]) async throws -> [Substring] {
      let outcome = try await RunningProgram(
        "/usr/bin/ffmpeg", ["-v", "error"] + input + ["-f", "framemd5", "-"]
      ).finish()
      return outcome.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }
    }

    @Test(arguments: Installed.names { $0.lossless != nil }) func nothingIsLost(_ name: String) async throws {
      let folder = try TemporaryFolder()
      let encoder = try Installed.encoder(name)
      let (raw, file) = (folder.file("a.yuv"), folder.file("a.mkv"))
      let source = "videotestsrc num-buffers=12 pattern=zone-plate kx2=20 ky2=20 kt=3"
      let command =
        "exec gst-launch-1.0 -q \(source) ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! filesink location='\(raw.path(percentEncoded: false))'"
      _ = try await RunningProgram("/bin/sh", ["-c", command]).finish()
      try await encode(encoder, try sample("lossless", of: encoder), to: file)
      let wanted = try await sums([
        "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "320x240", "-i", raw.path(percentEncoded: false),
      ])
      let found = try await sums(["-i", file.path(percentEncoded: false)])
      #expect(wanted.count == 12 && found == wanted)
    }

    @Test(arguments: Installed.names { $0.quality != nil }) func moreQualityIsMoreBits(_ name: String) async throws {
      let folder = try TemporaryFolder()
      let encoder = try Installed.encoder(name)
      var sizes: [Double] = []
      for quality in [0, 100] {
        let file = folder.file("\(quality).mkv")
        try await encode(encoder, try sample("quality \(quality)", of: encoder), pattern: "snow", to: file)
        let packets = try await Packets(file)
        #expect(packets.count == 12)
        sizes.append(packets.bitRate)
      }
      #expect(sizes[0] * 3 < sizes[1], "\(sizes)")
    }

    /// Nothing waits: the first frame is out before the second one comes.
    @Test(arguments: Installed.names { $0.lowLatency != nil }) func noFrameWaits(_ name: String) throws {
      let encoder = try Installed.encoder(name)
      let planner = RecordingPlanner(
        encoders: [encoder], containers: try Installed.library.containers(), installedElements: [], processorCount: 2)
      let preset = Preset(name: "p", encoders: [name], lowLatency: true)
      let size = VideoDimensions(width: 320, height: 240)
      for trial in try planner.trials(of: encoder, preset: preset, size, at: Fraction(30)) {
        let finding = EncoderBench(trial: trial).run()
        #expect(finding.latency == 0 && finding.failure == nil, "\(trial.subject.name): \(finding)")
      }
    }

    /// Times, edit list and soundness of files with B-frames.
    @Test(arguments: Installed.names { $0.bFrames != nil }) func bFrames(_ name: String) async throws {
      _ = try await concurrently(["mp4", "mov", "mkv"]) { try await bFrames(name, in: $0) }
    }

    private func bFrames(_ name: String, in container: String) async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("a.\(container)")
      let path = file.path(percentEncoded: false)
      let outcome = try await RunningProgram(
        "capstan",
        [
          "record", "-d", "/dev/video0", "--size", "320x240", "--encoder", name, "--bframes", "3", "--frames", "90",
          "--json", "-o", path,
        ], camera: FakeCamera(format: "MJPG", width: 320, height: 240, rate: (30, 1))
      ).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let check = try await RecordingCheck(file)
      let written = try outcome.json()["framesWritten"] as? Int
      #expect(check.probe.readFrames == written && check.frames?.reordered == 0 && check.frames?.unreadable == 0)
      let pictures = try await RunningProgram(
        "/usr/bin/ffprobe",
        ["-v", "error", "-show_entries", "frame=pict_type", "-of", "csv=p=0", path]
      ).finish().output
      #expect(pictures.contains("B"), "\(pictures)")
      let times = try await Packets(file).times
      #expect(times.first == 0 && Set(times).count == written)
      if container != "mkv" { #expect(check.track?.hasCtts == true) }
      if container == "mp4" { #expect(check.isOrdinaryMP4) }
      let judged = try await capstan("check", path)
      let lost = try outcome.json()["framesLost"] as? Int
      #expect(judged.status == 0 || lost != 0, "\(name) in \(container): \(judged.output)")
    }
  }
}
