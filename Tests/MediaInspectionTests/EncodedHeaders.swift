/// Headers that installed encoders wrote, for tables: H.264 and H.265 sequence parameter sets as NAL units, AV1 sequence
/// headers as open bitstream units, the first bytes of VP8 and VP9 key frames.

import Testing

/// `gst WxH FORMAT COLORIMETRY ENCODER` stands for
/// `gst-launch-1.0 videotestsrc num-buffers=3 ! video/x-raw,width=W,height=H,framerate=30/1,format=FORMAT
/// ! capssetter join=true caps="video/x-raw,colorimetry=(string)COLORIMETRY" ! ENCODER ! filesink`, where `byte-stream` is
/// `video/x-h264,stream-format=byte-stream`; `ffmpeg WxH FORMAT OPTIONS` stands for
/// `ffmpeg -f lavfi -i testsrc2=s=WxH:r=30 -frames:v 3 -pix_fmt FORMAT OPTIONS`. GStreamer 1.22.0, ffmpeg 5.1.9.
struct EncodedHeader: Sendable, CustomTestStringConvertible {
  let codec: String
  let command: String
  let bytes: [UInt8]
  /// As ffprobe reads the stream: profile, chroma, depth, size, and colour as `CodedColor` prints it. Only
  /// grey H.264 ffprobe calls 4:2:0, as which it decodes it.
  let description: String
  /// As ffmpeg's bitstream filters `h264_metadata`, `hevc_metadata`, `av1_metadata` and `vp9_metadata` make it say full
  /// range, primaries and transfer of BT.709 and the matrix of BT.601; `nil` where they cannot.
  let completed: [UInt8]?

  var testDescription: String { command }

  private init(_ codec: String, _ command: String, _ hex: String, _ description: String, completed: String? = nil) {
    self.codec = codec
    self.command = command
    self.description = description
    bytes = [UInt8](hex: hex)
    self.completed = completed.map { [UInt8](hex: $0) }
  }

  static let all = [
    EncodedHeader(
      "h264", "gst 320x240 I420 1:4:5:1 x264enc ! byte-stream,profile=high",
      "67640014acd94141fb016e02020c80000003008000001e478a14cb",
      "High yuv420 8 320x240 full 1/1/6",
      completed: "67640014acd94141fb016e02020c80000003008000001e478a14cb"),
    EncodedHeader(
      "h264", "gst 1280x720 I420 2:3:5:1 openh264enc",
      "6742c01f8c8d402802dd00f08846a0",
      "Constrained Baseline yuv420 8 1280x720 ? ?/?/?",
      completed: "6742c01f8c8d402802dd3701010607844235"),
    EncodedHeader(
      "h264", "gst 322x242 I420 1:3:5:1 openh264enc",
      "6742c00d8c8d40a842c444403c2211a8",
      "Constrained Baseline yuv420 8 322x242 ? ?/?/?",
      completed: "6742c00d8c8d40a842c4444dc0404181e1108d40"),
    EncodedHeader(
      "h264", "gst 320x240 I420 1:3:7:1 x264enc tune=zerolatency ! byte-stream,profile=constrained-baseline",
      "6742c015d90141fb016e021a0280000003008000001e478b1724",
      "Constrained Baseline yuv420 8 320x240 full 1/13/1",
      completed: "6742c015d90141fb016e02020c80000003008000001e478b1724"),
    EncodedHeader(
      "h264", "gst 320x240 Y42B 2:4:16:4 x264enc interlaced=true ! byte-stream",
      "677a000dbcd94141fb016a0c0c0c80000003008000001e478a14cb",
      "High 4:2:2 yuv422 8 320x240 limited 6/6/6",
      completed: "677a000dbcd94141fb016e02020c80000003008000001e478a14cb"),
    EncodedHeader(
      "h264", "gst 320x240 Y444 2:6:13:7 x264enc option-string=cqm=jvt ! byte-stream",
      "67f4000d919b28283f602d42438250000003001000000303c8f1429960",
      "High 4:4:4 Predictive yuv444 8 320x240 limited 9/14/9",
      completed: "67f4000d919b28283f602dc0404190000003001000000303c8f1429960"),
    EncodedHeader(
      "h264",
      "gst 320x240 I420_10LE 2:3:5:1 x264enc option-string=cqm=jvt:nal-hrd=vbr vbv-buf-capacity=300 ! byte-stream",
      "676e000da6cd94141fb016a0202028000003000800000301e78003e800095e741a600f142996",
      "High 10 yuv420 10 320x240 limited 1/1/1",
      completed: "676e000da6cd94141fb016e02020c8000003000800000301e78003e800095e741a600f142996"),
    EncodedHeader(
      "h264", "ffmpeg 644x364 yuv420p -c:v libx264 -x264-params sar=4/3:overscan=show:interlaced=1:videoformat=pal",
      "6764001eacd940a463cf36034880000003008000001e0f8a14cb",
      "High yuv420 8 644x364 limited ?/?/?",
      completed: "6764001eacd940a463cf36034e02020c80000003008000001e0f8a14cb"),
    EncodedHeader(
      "h264", "ffmpeg 320x240 gray -c:v libx264 -color_range pc",
      "6764000df3650507ec05b2000003000200000300781e28532c",
      "High gray 8 320x240 full ?/?/?",
      completed: "6764000df3650507ec05b8080832000003000200000300781e28532c"),
    EncodedHeader(
      "h264", "ffmpeg 320x240 gbrp -c:v libx264rgb",
      "67f4000d919b28283f602dc0808010000003001000000303c0f1429960",
      "High 4:4:4 Predictive rgb 8 320x240 full ?/?/0"),
    EncodedHeader(
      "h265", "gst 320x240 I420 1:4:5:1 x265enc",
      "42010101600000030090000003000003003fa00a080f165959a4932bffc00040005b808083020000030002000003003c10",
      "Main yuv420 8 320x240 full 1/1/6",
      completed: "42010101600000030090000003000003003fa00a080f165959a4932bffc00040005b808083020000030002000003003c10"),
    EncodedHeader(
      "h265", "gst 1280x720 I420 2:3:5:1 x265enc option-string=bframes=0",
      "42010101600000030090000003000003005da00280802d16592a4932bffc00040005a808080820000003002000000303c1",
      "Main yuv420 8 1280x720 limited 1/1/1",
      completed: "42010101600000030090000003000003005da00280802d16592a4932bffc00040005b808083020000003002000000303c1"),
    EncodedHeader(
      "h265",
      "ffmpeg 1366x768 yuv420p10le -c:v libx265 -x265-params scaling-list=default:bframes=8:b-pyramid=1:log-level=none -color_range pc",
      "420101022000000300900000030000030078a002ac80301d6d96562a49395e02d810000003001000000301e080",
      "Main 10 yuv420 10 1366x768 full ?/?/?",
      completed: "420101022000000300900000030000030078a002ac80301d6d96562a49395e02dc04041810000003001000000301e080"),
    EncodedHeader(
      "h265",
      "ffmpeg 320x240 yuv422p10le -c:v libx265 -x265-params temporal-layers=1:hrd=1:vbv-bufsize=900:vbv-maxrate=900:log-level=none:sar=2 -colorspace bt709",
      "4201020408000003009d0800000300003c0000b00a080f13659598acd24995e04d408080410000030001000003001e600c966e000dbb8000dbbae000dbb8000dbba2",
      "Format Range Extensions yuv422 10 320x240 limited ?/?/1",
      completed:
        "4201020408000003009d0800000300003c0000b00a080f13659598acd24995e04dc04041810000030001000003001e600c966e000dbb8000dbbae000dbb8000dbba2"
    ),
    EncodedHeader(
      "h265",
      "ffmpeg 320x240 yuv444p12le -c:v libx265 -x265-params level-idc=4:log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
      "420101240800000300980800000300007890014101e2294b2b349265780b5091009040000003004000000782",
      "Format Range Extensions yuv444 12 320x240 limited 9/16/9",
      completed: "420101240800000300980800000300007890014101e2294b2b349265780b7010106040000003004000000782"),
    EncodedHeader(
      "h265", "ffmpeg 320x240 gray -c:v libx265 -x265-params log-level=none:no-info=1:no-vui-timing-info=1",
      "4201010408000003009fc800000300003cc028203c596566924caf016c0080",
      "Format Range Extensions gray 8 320x240 full ?/?/?"),
    EncodedHeader(
      "av1", "gst 320x240 I420 1:4:5:1 av1enc cpu-used=8 usage-profile=realtime",
      "0a0c000000043cffbf81b5f20080",
      "Main yuv420 8 320x240 limited ?/?/?",
      completed: "0a0f000000043cffbf81b5f2202020d080"),
    EncodedHeader(
      "av1", "gst 1280x720 I420 2:3:5:1 av1enc cpu-used=8",
      "0a0c0000002d4cffb3f8195f2008",
      "Main yuv420 8 1280x720 limited ?/?/?",
      completed: "0a0f0000002d4cffb3f8195f2202020d08"),
    EncodedHeader(
      "av1", "gst 320x240 Y444 2:3:5:1 av1enc cpu-used=8",
      "0a0b200000043cffbf81b5f204",
      "High yuv444 8 320x240 limited ?/?/?",
      completed: "0a0e200000043cffbf81b5f2404041a4"),
    EncodedHeader(
      "av1",
      "ffmpeg 320x240 yuv420p10le -c:v libaom-av1 -cpu-used 8 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv",
      "0a0e000000043cffbcdaf95091009040",
      "Main yuv420 10 320x240 limited 9/16/9",
      completed: "0a0e000000043cffbcdaf95010106840"),
    EncodedHeader(
      "av1",
      "ffmpeg 322x242 yuv422p12le -c:v libaom-av1 -cpu-used 8 -still-picture 0 -colorspace bt709 -color_range pc -color_primaries bt709 -color_trc bt709",
      "0a0e400000043d07c4daf96808080e20",
      "Professional yuv422 12 322x242 full 1/1/1",
      completed: "0a0e400000043d07c4daf96808083620"),
    EncodedHeader(
      "av1", "ffmpeg 320x240 gbrp -c:v libaom-av1 -cpu-used 8",
      "0a0d200000043cffbcdaf92021a004",
      "High rgb 8 320x240 full 1/13/0"),
    EncodedHeader(
      "av1", "ffmpeg 320x240 gray -c:v libaom-av1 -cpu-used 8 -color_range pc",
      "0a0a000000043cffbcdaf92a",
      "Main gray 8 320x240 full ?/?/?",
      completed: "0a0d000000043cffbcdaf93010106a"),
    EncodedHeader(
      "av1", "ffmpeg 320x240 yuv420p -c:v libsvtav1 -preset 12",
      "0a0b000000043cffbcfbf90040",
      "Main yuv420 8 320x240 limited ?/?/?",
      completed: "0a0e000000043cffbcfbf91010106840"),
    EncodedHeader(
      "vp9", "gst 320x240 I420 1:4:5:1 vp9enc deadline=1 cpu-used=8",
      "824983421013f00ef60638241c1842000c305fcdf7fbfc9f",
      "Profile 0 yuv420 8 320x240 full ?/?/?",
      completed: "824983427013f00ef60638241c1842000c305fcdf7fbfc9f"),
    EncodedHeader(
      "vp9", "gst 320x240 I420 2:3:5:1 vp9enc deadline=1 cpu-used=8",
      "824983424013f00ef60638241c1842000bd05fcdf7fbfd1f",
      "Profile 0 yuv420 8 320x240 limited ?/?/1",
      completed: "824983427013f00ef60638241c1842000bd05fcdf7fbfd1f"),
    EncodedHeader(
      "vp9", "gst 320x240 I420 2:4:16:4 vp9enc deadline=1 cpu-used=8",
      "824983422013f00ef60638241c1842000c305fcdf7fbfc9f",
      "Profile 0 yuv420 8 320x240 limited ?/?/5",
      completed: "824983427013f00ef60638241c1842000c305fcdf7fbfc9f"),
    EncodedHeader(
      "vp9", "gst 322x240 Y444 2:3:5:1 vp9enc deadline=1 cpu-used=8",
      "a249834240028201dec0c7048383084001f45fcdf7fbfcdf",
      "Profile 1 yuv444 8 322x240 limited ?/?/1",
      completed: "a249834270028201dec0c7048383084001f45fcdf7fbfcdf"),
    EncodedHeader(
      "vp9", "ffmpeg 320x240 yuv420p10le -c:v libvpx-vp9 -cpu-used 8 -colorspace bt2020nc -color_range pc",
      "924983425809f8077b031c120e0c2c0006d06fb17e4f9ff8",
      "Profile 2 yuv420 10 320x240 full ?/?/9",
      completed: "924983423809f8077b031c120e0c2c0006d06fb17e4f9ff8"),
    EncodedHeader(
      "vp9", "ffmpeg 320x240 yuv422p -c:v libvpx-vp9 -cpu-used 8 -colorspace smpte170m",
      "a249834268027e01dec0c7048383094001b46fbfc7f37deb",
      "Profile 1 yuv422 8 320x240 limited ?/?/6",
      completed: "a249834278027e01dec0c7048383094001b46fbfc7f37deb"),
    EncodedHeader(
      "vp9", "ffmpeg 320x240 gbrp -c:v libvpx-vp9 -cpu-used 8",
      "a2498342e013f00ef60438241c184a0010106fadf4ff6f7f",
      "Profile 1 rgb 8 320x240 full ?/?/0"),
    EncodedHeader(
      "vp8", "gst 320x240 I420 1:4:5:1 vp8enc deadline=1",
      "1060009d012a4001f0000047088585889984880202f54d10",
      "Profile 0 yuv420 8 320x240 ? ?/?/?"),
  ]
}

extension [UInt8] {
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
