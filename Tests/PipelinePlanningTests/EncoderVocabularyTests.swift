/// The words that all encoders share, as each of them is told them.

import Foundation
import MediaFormats
import Testing

@testable import PipelinePlanning

@Suite struct EncoderVocabularyTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  /// - Parameter encoders: those that there are, beside the bundled ones.
  private static func plan(_ text: String, encoders own: [EncoderProfile] = []) throws -> RecordingPlan {
    let encoders = try own + library.encoders()
    let containers = try library.containers()
    let others = [
      "appsrc", "capsfilter", "queue", "identity", "capssetter", "videoconvert", "filesink", "h264parse", "h265parse",
      "vp9parse", "av1parse",
    ]
    let planner = RecordingPlanner(
      encoders: encoders, containers: containers,
      installedElements: Set(others + encoders.map(\.element) + containers.map(\.muxer)), processorCount: 4)
    let preset = try Preset(name: "p", file: "p.json5", json5: Data(text.utf8), library: library)
    let row = DeviceFormat(
      payload: .raw(.i420), dimensions: DimensionsRange(VideoDimensions(width: 1280, height: 720)),
      frameRates: [FrameRateRange(Fraction(60))],
      colorimetry: Colorimetry(range: .full, matrix: .bt709, transfer: .bt709, primaries: .bt709))
    return try planner.plan(preset, source: .application, formats: [row], location: "a")
  }

  private static func words(_ text: String, encoders: [EncoderProfile] = []) throws -> [String] {
    let node = try plan(text, encoders: encoders).pipeline.nodes.first { $0.name == NodeName.encoder }
    return try #require(node).properties.map { "\($0.name)=\($0.value)" }
  }

  @Test(arguments: [
    ("encoder: 'x264enc', bFrames: 3, speed: 'fast'", ["bframes=3", "speed-preset=fast"]),
    ("encoder: 'x264enc', threads: 2", ["threads=2"]),
    ("encoder: 'x264enc', lossless: true", ["pass=quant", "quantizer=0", "speed-preset=ultrafast"]),
    ("encoder: 'x264enc', speed: 'slow'", ["speed-preset=slow"]),
    (
      "encoder: 'x265enc', bFrames: 2, speed: 'fast'",
      ["option-string=bframes=2:vbv-init=0.5:vbv-maxrate=8000:vbv-bufsize=8000:open-gop=0:rc-lookahead=20"]
    ),
    (
      "encoder: 'x265enc', threads: 3, speed: 'fast'",
      ["option-string=bframes=0:vbv-init=0.5:vbv-maxrate=8000:vbv-bufsize=8000:pools=3"]
    ),
    ("encoder: 'x265enc', lossless: true", ["option-string=bframes=0:lossless=1", "speed-preset=ultrafast"]),
    ("encoder: 'openh264enc', threads: 2, quality: 100", ["multi-thread=2", "rate-control=quality", "qp-min=16"]),
    ("encoder: 'openh264enc', bitrate: '3M'", ["rate-control=bitrate", "bitrate=3000000"]),
    ("encoder: 'vp9enc', lossless: true", ["min-quantizer=0", "max-quantizer=0", "aq-mode=0"]),
    ("encoder: 'vp9enc', threads: 1", ["threads=1"]), ("encoder: 'vp8enc'", ["target-bitrate=8000000", "threads=1"]),
    ("encoder: 'vp8enc', quality: 0", ["min-quantizer=63", "max-quantizer=63"]),
    ("encoder: 'x265enc', encoderOptions: { bitrate: 7 }", ["option-string=bframes=0:vbv-init=0.5", "bitrate=7"]),
    ("encoder: 'av1enc', bitrate: 1500", ["target-bitrate=2"]),
    ("encoder: 'avenc_mjpeg', quality: 100, matrix: 'bt601'", ["qmin=2", "qmax=2"]),
    ("encoder: 'avenc_ffv1', lossless: true", ["gop-size=120", "slices=4"]),
    (
      "encoder: 'vah264enc', quality: 50, bFrames: 2", ["rate-control=cqp", "qpi=26", "qpp=26", "qpb=26", "b-frames=2"]
    ),
    ("encoder: 'vah264enc', keyFrameInterval: '1h'", ["rate-control=cbr", "bitrate=8000", "key-int-max=1024"]),
    ("encoder: 'nvh264enc', lowLatency: true", ["rc-mode=cbr", "zerolatency=true"]),
    ("encoder: 'svtav1enc', threads: 8", ["cores=8", "rc=1", "bitrate=8000", "speed=10"]),
    (
      "encoder: 'v4l2h264enc'",
      [
        "extra-controls=controls,repeat_sequence_header=1,video_bitrate_mode=1,video_bitrate=8000000,"
          + "h264_i_frame_period=120,video_gop_size=120"
      ]
    ),
  ])
  func eachInItsOwnWords(_ text: String, _ wanted: [String]) throws {
    let words = try Self.words("{ \(text), container: 'mkv' }")
    for word in wanted { #expect(words.contains(word), "\(words)") }
    #expect(Set(words.map { $0.prefix { $0 != "=" } }).count == words.count, "each property once: \(words)")
  }

  /// Options of one text are merged, whoever says them; the user's come last.
  @Test func optionsOfOneTextAreMerged() throws {
    let low = try Self.words("{ lowLatency: true }")
    #expect(
      low.contains("option-string=ref=1:cabac=1:8x8dct=1:weightp=0:chroma-qp-offset=0:rc-lookahead=0:vbv-init=0.5"))
    let raw = "encoderOptions: { 'option-string': 'no-deblock:bframes=1', 'option-string.ref': 4 }"
    let words = try Self.words("{ encoder: 'x265enc', threads: 2, speed: 'fast', \(raw), container: 'mkv' }")
    #expect(
      words.contains("option-string=bframes=1:vbv-init=0.5:vbv-maxrate=8000:vbv-bufsize=8000:pools=2:no-deblock:ref=4"),
      "\(words)")
    let controls = "encoderOptions: { 'extra-controls': 'c,video_bitrate=5,h264_level=11' }"
    let kernel = try Self.words("{ encoder: 'v4l2h264enc', \(controls) }")
    #expect(kernel[0].hasPrefix("extra-controls=controls,") && kernel[0].contains(",video_bitrate=5,"), "\(kernel)")
    #expect(kernel[0].hasSuffix(",h264_level=11"))
  }

  /// No other speed takes over where its headers or its times would not fit.
  @Test(arguments: [
    ("{}", 4), ("{ threads: 2 }", 4), ("{ lowLatency: true }", 4), ("{ bFrames: 1 }", 0),
    ("{ lossless: true, container: 'mkv' }", 0), ("{ quality: 50 }", 0), ("{ speed: 'slow' }", 0),
    ("{ encoderOptions: { 'option-string.ref': 2 } }", 0), ("{ encoderOptions: { tune: 'zerolatency' } }", 0),
    ("{ encoder: 'vp8enc', container: 'webm' }", 3),
  ])
  func ladders(_ text: String, _ count: Int) throws {
    let plan = try Self.plan(text)
    #expect(plan.speedLadder.count == count)
    let line = "\(LaunchLine(plan.pipeline))"
    #expect(count > 0 || !line.contains("weightp"), "what holds headers equal stands where the speed changes only")
  }

  @Test(arguments: [
    ("lossless: true, container: 'mkv'", "video/x-h264, profile=(string)high-4:4:4"),
    ("lossless: true, profile: 'high-4:4:4', container: 'mkv'", "video/x-h264, profile=(string)high-4:4:4"),
    ("bFrames: 2", "video/x-h264, profile=(string)high"),
    ("encoder: 'v4l2h264enc'", "video/x-h264, profile=(string)high, level=(string)4"),
  ])
  func profiles(_ text: String, _ caps: String) throws {
    let node = try Self.plan("{ \(text) }").pipeline.nodes.first { $0.name == "profile" }
    #expect(try #require(node).properties == [.init(name: "caps", value: .string(caps))])
  }

  // MARK: What an encoder has not got

  @Test(arguments: [
    (
      "encoder: 'openh264enc', bFrames: 1", "bFrames",
      "openh264enc makes no B-frames; leave bFrames out, or take nvh264enc or nvh265enc or qsvh264enc or v4l2h264enc"
    ),
    (
      "encoder: 'vp8enc', lossless: true, container: 'mkv'", "lossless",
      "vp8enc cannot code without loss; say bitrate or quality, or"
    ),
    (
      "encoder: 'avenc_ffv1', container: 'mkv'", "bitrate", "avenc_ffv1 holds no bit rate; say lossless, or take av1enc"
    ),
    (
      "encoder: 'avenc_mjpeg', container: 'mkv'", "bitrate",
      "avenc_mjpeg holds no bit rate; say quality, or take av1enc"
    ),
    (
      "encoder: 'avenc_ffv1', quality: 5, container: 'mkv'", "quality",
      "avenc_ffv1 has no constant quality; say lossless, or"
    ),
    (
      "encoder: 'vah264enc', threads: 2", "threads",
      "vah264enc chooses its threads itself; leave threads out, or take av1enc"
    ),
    (
      "encoder: 'svtav1enc', lowLatency: true, container: 'mkv'", "lowLatency",
      "in svtav1enc frames always wait; leave lowLatency out"
    ),
    (
      "encoder: 'x265enc', bitrate: '150M'", "bitrate",
      "150 Mbit/s is out of range for x265enc, which takes 1 kbit/s to 102.4 Mbit/s"
    ),
    (
      "encoder: 'nvh264enc', bFrames: 5", "bFrames",
      "5 B-frames is out of range for nvh264enc, which takes 1 B-frames to 4 B-frames"
    ),
    (
      "lossless: true, profile: 'high', container: 'mkv'", "profile",
      "x264enc codes without loss in the profile high-4:4:4, not in high; leave the profile out"
    ),
    (
      "profile: 'baseline', bFrames: 2", "profile",
      "the profile baseline of x264enc has no B-frames; leave them or the profile out"
    ),
    (
      "encoder: 'vah264enc', profile: 'constrained-baseline', bFrames: 1", "profile",
      "the profile constrained-baseline of vah264enc has no B-frames"
    ),
    ("lowLatency: true, bFrames: 1", "bFrames", "bFrames and lowLatency exclude one another; leave one of them out"),
    (
      "encoder: 'avenc_mjpeg', quality: 50, container: 'mkv', request: { range: 'limited' }", "request",
      "what avenc_mjpeg makes can say full range only, not limited range; ask for that, or take another encoder"
    ),
    (
      "encoder: 'avenc_mjpeg', quality: 50, container: 'mkv', matrix: 'bt709'", "matrix",
      "what avenc_mjpeg makes can say the matrix bt601 only, not the matrix bt709"
    ),
    ("encoder: 'avenc_mjpeg', quality: 50, container: 'mp4'", "container", "mp4 cannot hold mjpeg; use mkv or mov"),
  ])
  func refusals(_ text: String, _ key: String, _ sentence: String) throws {
    let error = try #require(throws: PlanningError.self) { try Self.plan("{ \(text) }") }
    #expect("\(error)".hasPrefix(sentence) && error.presetKey == key, "\(error)")
    #expect(!"\(error)".contains("\n"))
  }

  /// A codec that can say one colour only gets that colour, by conversion, and it is told.
  @Test func onlyColour() throws {
    let plan = try Self.plan("{ encoder: 'avenc_mjpeg', quality: 50, container: 'mkv', request: { range: 'source' } }")
    #expect("\(plan.color.target)" == "1:4:5:1")
    #expect(plan.notes.contains("the camera's 1:3:5:1 becomes 1:4:5:1, as mjpeg can say nothing else"))
  }
}
