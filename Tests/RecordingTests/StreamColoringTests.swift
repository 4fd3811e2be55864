/// Colour written into the streams of real encoders: read back by ffmpeg, and nothing else changed, picture by picture.

import Foundation
import GStreamer
import MediaFormats
import MediaInspection
import Synchronization
import Testing

@testable import Capstan

extension LightTests {
  @Suite struct StreamColoringTests {
    struct Encoder: Sendable, CustomTestStringConvertible {
      let codec: String
      /// Of the element, to the caps that its stream is held to.
      let chain: String
      /// As ffmpeg names the format of the bare stream.
      let format: String
      /// For a stream that does not stand alone.
      var muxer = "identity"
      /// As ffprobe names what such a stream can say of the truth.
      var signals = "color_range=pc color_space=smpte170m color_transfer=bt709 color_primaries=bt709"

      var testDescription: String { chain }
    }

    private static let encoders = [
      Encoder(codec: "h264", chain: "openh264enc gop-size=15", format: "h264"),
      Encoder(
        codec: "h264", chain: "x264enc key-int-max=15 ! video/x-h264,stream-format=byte-stream,profile=high",
        format: "h264"),
      Encoder(codec: "h265", chain: "x265enc key-int-max=15", format: "hevc"),
      Encoder(codec: "av1", chain: "av1enc cpu-used=8 usage-profile=realtime keyframe-max-dist=15", format: "obu"),
      Encoder(
        codec: "vp9", chain: "vp9enc deadline=1 cpu-used=8 keyframe-max-dist=15", format: "ivf", muxer: "matroskamux",
        signals: "color_range=pc color_space=smpte170m color_transfer=unknown color_primaries=unknown"),
    ]

    private static let truth = CodedColor(range: .full, matrix: 6, transfer: 1, primaries: 1)

    /// The encoder knows of no colour, or of another one. What a second branch of the pipeline holds of the same buffers
    /// must not change.
    @Test(arguments: encoders.filter { installed($0) }, ["", ",colorimetry=(string)2:3:5:1"])
    func streamSaysItAndPicturesStay(encoder: Encoder, told: String) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "coloring-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (plain, colored) = (folder.appending(path: "plain"), folder.appending(path: "colored"))
      try await Self.encode(encoder, told, plain: plain, colored: colored)
      let streams = try [plain, colored].map { try Self.stream(of: $0, encoder) }
      #expect(try Self.signals(streams[1], encoder.format) == encoder.signals)
      #expect(try Self.signals(streams[0], encoder.format) != encoder.signals)
      let pictures = try Self.pictures(streams[1], encoder.format)
      #expect(pictures.count == Self.frames)
      #expect(try Self.pictures(streams[0], encoder.format) == pictures)
    }

    private static let frames = 40

    private static func installed(_ encoder: Encoder) -> Bool {
      (try? Element(factory: String(encoder.chain.prefix { $0 != " " }))) != nil
    }

    private static func encode(_ encoder: Encoder, _ told: String, plain: URL, colored: URL) async throws {
      let end = "\(encoder.muxer) ! filesink async=false location="
      let bin = try Element(
        launch: """
          videotestsrc num-buffers=\(frames) pattern=ball ! \(picture)\(told) ! \(encoder.chain) ! tee name=both \
          both. ! queue ! \(end)\(plain.path(percentEncoded: false)) \
          both. ! queue ! identity name=colored ! \(end)\(colored.path(percentEncoded: false))
          """, isWhole: true)
      try await run(bin, encoder.codec)
    }

    private static let picture = "video/x-raw,format=I420,width=320,height=240,framerate=30/1"

    /// To its end, coloured at the element of that name.
    private static func run(_ bin: Element, _ codec: String) async throws {
      let pipeline = try Pipeline()
      try pipeline.add(bin)
      let pad = try #require(bin.child(named: "colored")?.pad("sink"))
      let warnings = Mutex<[String]>([])
      StreamColoring.attach(to: pad, codec: codec, color: truth) { text in warnings.withLock { $0.append(text) } }
      try pipeline.setState(.playing)
      for await message in pipeline.bus.messages {
        if case .endOfStream = message { break }
        guard case .error(let failure) = message else { continue }
        Issue.record("\(failure)")
        break
      }
      try pipeline.setState(.null)
      #expect(warnings.withLock { $0 } == [])
    }

    /// An encoder that puts its headers into the caps, and frames behind their lengths.
    @Test(.enabled(if: installed(encoders[1]), "x264enc is not installed")) func recordInCaps() async throws {
      let bin = try Element(
        launch: """
          videotestsrc num-buffers=3 ! \(Self.picture),colorimetry=(string)2:3:5:1 ! x264enc \
          ! video/x-h264,stream-format=avc ! identity name=colored ! fakesink name=end
          """, isWhole: true)
      let taken = Mutex<[Caps]>([])
      try #require(bin.child(named: "end")?.pad("sink")).observeEvents { event in
        if case .caps(let caps) = event { taken.withLock { $0.append(caps) } }
      }
      try await Self.run(bin, "h264")
      let caps = try #require(taken.withLock { $0.last?.structures.first })
      guard case .other("buffer", let record) = caps["codec_data"] else {
        Issue.record("no record in \(caps)")
        return
      }
      #expect(StreamHeader(codec: "h264", inConfiguration: Self.bytes(record))?.color == Self.truth)
      #expect(caps["profile"] != nil && caps["framerate"] != nil)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
      let digits = hex.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The stream alone: what a container says of colour does not count here.
    private static func stream(of file: URL, _ encoder: Encoder) throws -> URL {
      guard encoder.muxer != "identity" else { return file }
      let bare = file.appendingPathExtension(encoder.format)
      _ = try run(
        "ffmpeg", "-v", "error", "-i", file.path(percentEncoded: false), "-c", "copy", "-f", encoder.format,
        bare.path(percentEncoded: false))
      return bare
    }

    private static func signals(_ file: URL, _ format: String) throws -> String {
      try run(
        "ffprobe", "-v", "error", "-f", format, "-show_entries",
        "stream=color_range,color_space,color_transfer,color_primaries", "-of", "default=nk=0:nw=1",
        file.path(percentEncoded: false)
      ).split(separator: "\n").joined(separator: " ")
    }

    /// A digest of each decoded picture, in the samples as they are coded.
    private static func pictures(_ file: URL, _ format: String) throws -> [Substring] {
      let lines = try run(
        "ffmpeg", "-v", "error", "-f", format, "-i", file.path(percentEncoded: false), "-f", "framemd5", "-"
      ).split(separator: "\n")
      return lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    private static func run(_ program: String, _ arguments: String...) throws -> String {
      let process = Process()
      let output = Foundation.Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [program] + arguments
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return text
    }
  }
}
