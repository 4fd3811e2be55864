/// Plans for machines that we have and machines that we do not: asserted on the line that would run.

import MediaFormats
import PipelinePlanning
import Testing

@Suite struct RecordingPlannerTests {
  private static let everything: Set<String> = [
    "v4l2src", "capsfilter", "queue", "jpegdec", "capssetter", "videoconvert", "identity", "videocrop", "x264enc",
    "openh264enc", "x265enc", "h264parse", "h265parse", "mp4mux", "matroskamux", "filesink", "avdec_h264", "appsrc",
    "jpegenc",
  ]

  private func planner(without missing: Set<String> = [], cores: Int = 2) throws -> RecordingPlanner {
    let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
    return RecordingPlanner(
      encoders: try library.encoders(), containers: try library.containers(),
      installedElements: Self.everything.subtracting(missing), processorCount: cores)
  }

  private func preset(_ name: String = "720p60") throws -> Preset {
    try ProfileLibrary(folders: [ProfileLibrary.bundled]).preset(name)
  }

  private func format(_ payload: Payload, _ colorimetry: String) -> DeviceFormat {
    ColorPlannerTests.mode(payload, colorimetry).format
  }

  private func line(_ preset: Preset, _ formats: [DeviceFormat], location: String = "/tmp/a.mp4") throws -> String {
    let plan = try planner().plan(preset, source: .v4l2(path: "/dev/video0"), formats: formats, location: location)
    return "\(LaunchLine(plan.pipeline))"
  }

  private let tail =
    " ! identity name=gate silent=true ! x264enc name=encoder bframes=0 option-string=ref=1:cabac=1:8x8dct=1:weightp=0:chroma-qp-offset=0:vbv-init=0.5"
    + " speed-preset=superfast bitrate=8000 key-int-max=120"
    + " ! 'video/x-h264, profile=(string)high' ! h264parse name=parser"
    + " ! queue name=file-queue max-size-time=4000000000 max-size-bytes=67108864 max-size-buffers=0 silent=true"
    + " ! mp4mux name=muxer fragment-duration=440 fragment-mode=first-moov-then-finalise"
    + " ! filesink name=file location=/tmp/a.mp4 buffer-mode=unbuffered async=false"

  private let captureQueue =
    " ! queue name=capture-queue max-size-time=0 max-size-bytes=268435456 max-size-buffers=600 leaky=upstream"
    + " silent=true"
  private let encodeQueue =
    " ! queue name=encode-queue max-size-time=0 max-size-bytes=134217728 max-size-buffers=30 silent=true"

  @Test func motionJPEGWebcam() throws {
    #expect(
      try line(preset(), [format(.jpeg, "2:4:7:1")])
        == "v4l2src name=camera device=/dev/video0 io-mode=mmap"
        + " ! 'image/jpeg, width=(int)1280, height=(int)720, framerate=(fraction)60/1'"
        + captureQueue
        + " ! jpegdec idct-method=islow"
        + " ! capssetter name=color-1 join=true caps='video/x-raw, colorimetry=(string)1:4:5:1'"
        + encodeQueue + tail)
  }

  @Test func fullRangeCameraNeedsNoConversion() throws {
    #expect(
      try line(preset(), [format(.raw(.nv12), "1:3:5:1")])
        == "v4l2src name=camera device=/dev/video0 io-mode=mmap"
        + " ! 'video/x-raw, format=(string)NV12, width=(int)1280, height=(int)720, framerate=(fraction)60/1'"
        + captureQueue + tail)
  }

  @Test func limitedYUYVIsExpandedNotRelabelled() throws {
    let line = try line(preset(), [format(.raw(.yuy2), "2:4:7:1")])
    #expect(
      line.contains(
        "videoconvert name=color-2 n-threads=2 ! 'video/x-raw, format=(string)I420, colorimetry=(string)2:4:5:1'"))
    #expect(line.contains("! videobalance name=color-3 contrast=1.16438"))
    #expect(line.contains("! capssetter name=color-4 join=true caps='video/x-raw, colorimetry=(string)1:4:5:1'"))
  }

  @Test func colourStaysOutOfTheCaptureCaps() throws {
    let plan = try planner().plan(
      preset(), source: .v4l2(path: "/dev/video0"), formats: [format(.raw(.nv12), "1:3:5:1")], location: "a.mp4")
    #expect(!plan.mode.caps.description.contains("colorimetry"))
  }

  @Test func codedPicturesThatBuildOnOneAnotherAreNotDropped() throws {
    let line = try line(preset(), [format(.h264, "")])
    #expect(line.contains("leaky=no") && line.contains("avdec_h264"))
  }

  @Test func fileNamesAreQuotedForTheShell() throws {
    let line = try line(preset(), [format(.raw(.nv12), "1:3:5:1")], location: "/tmp/it's 100%! a\nb.mp4")
    #expect(line.contains(" location='/tmp/it'\\''s 100%! a\nb.mp4' "))
  }

  @Test func nextEncoderOfTheListIsTaken() throws {
    var preset = try preset()
    preset.encoders = ["x264enc", "openh264enc"]
    let plan = try planner(without: ["x264enc"]).plan(
      preset, source: .v4l2(path: "/dev/video0"), formats: [format(.jpeg, "")], location: "a.mp4")
    let line = "\(LaunchLine(plan.pipeline))"
    #expect(line.contains("openh264enc name=encoder complexity=low rate-control=bitrate bitrate=8000000 gop-size=120"))
  }

  @Test(arguments: [(1, "ultrafast"), (2, "superfast"), (4, "faster"), (8, "fast"), (16, "medium")])
  func speedFollowsTheMachine(_ cores: Int, _ speed: String) throws {
    let plan = try planner(cores: cores).plan(
      preset(), source: .v4l2(path: "/dev/video0"), formats: [format(.jpeg, "")], location: "a.mp4")
    #expect(plan.speed == speed)
  }

  @Test func errorsSayWhatToDo() throws {
    let formats = [format(.jpeg, "")]
    func failure(_ change: (inout Preset) -> Void, without: Set<String> = []) throws -> String {
      var preset = try preset()
      change(&preset)
      let planner = try planner(without: without)
      let error = #expect(throws: PlanningError.self) {
        try planner.plan(preset, source: .v4l2(path: "/dev/video0"), formats: formats, location: "a.mp4")
      }
      return "\(try #require(error))"
    }
    #expect(
      try failure({ $0.encoders = ["x246enc"] })
        .hasPrefix("there is no encoder profile \"x246enc\" (did you mean x264enc?); known are av1enc, avenc_ffv1, ")
    )
    #expect(
      try failure({ _ in }, without: ["x264enc", "vp9enc", "av1enc"])
        == "the encoder x264enc is not installed; installed are openh264enc, x265enc")
    #expect(try failure({ $0.container = "mp5" }).contains("did you mean mp4?"))
    #expect(try failure({ $0.speed = "superfats" }).contains("did you mean superfast?"))
    #expect(try failure({ _ in }, without: ["jpegdec"]) == "GStreamer lacks the element jpegdec")
    #expect(
      try failure({
        $0.request.isStrict = true
        $0.request.dimensions = VideoDimensions(width: 1920, height: 1080)
      }).contains("nearest: MJPG 1280x720 at 60 fps, full range"))
  }
}
