/// Joins the stages of a recording: camera, decode, colour, encode, mux, file.

import MediaFormats

struct PipelineAssembler: Sendable {
  typealias Node = PipelineDescription.Node
  typealias Stage = PipelineDescription.Stage
  typealias Property = PipelineDescription.Property

  let mode: CaptureMode
  let color: ColorPlan
  let encoder: EncoderProfile
  var speed: String?
  /// What holds the stream's headers equal where the speed may change.
  var pins: [String: String]
  var preset: Preset
  let container: ContainerProfile
  /// GStreamer's own preset of the encoder.
  var layer: ElementPresetLayer?
  /// Comes before the names of what is there for a second file.
  var role = ""
  var recovery = RecoveryPlan(asked: .seconds(1))

  /// - Parameter proxy: of a second file: what is decoded and of the right colour goes to both.
  func assemble(
    source: CaptureSource, location: String, proxy: PipelineAssembler? = nil
  ) -> PipelineDescription {
    var pipeline = PipelineDescription()
    var last = pipeline.append(sourceStage(source), after: nil)
    if encoder.isCopy {
      last = pipeline.append(Stage("encode", copyNodes), after: last)
      appendFile(location, after: last, to: &pipeline)
      return pipeline
    }
    last = pipeline.append(Stage("decode", decodeNodes), after: last)
    last = pipeline.append(Stage("filter", filterNodes), after: last)
    last = pipeline.append(Stage("scale", scaleNodes), after: last)
    last = pipeline.append(Stage("color", color.steps.enumerated().flatMap(colorNodes)), after: last)
    let queue = pipeline.stages.count > 1 ? [encodeQueue] : []
    let fork = proxy == nil ? [] : [Node("tee", name: NodeName.fork), encodeQueue(named: "file-branch")]
    last = pipeline.append(Stage("encode", queue + [gate] + fork + [encoderNode] + outputNodes), after: last)
    appendFile(location, after: last, to: &pipeline)
    proxy?.appendProxy(of: location, from: color.format, to: &pipeline)
    return pipeline
  }

  private func appendFile(_ location: String, after feeder: String?, to pipeline: inout PipelineDescription) {
    let last = pipeline.append(Stage(name("mux"), muxNodes), after: feeder)
    _ = pipeline.append(Stage(name("file"), [fileNode(location)]), after: last)
  }

  private func appendProxy(of location: String, from format: PixelFormat, to pipeline: inout PipelineDescription) {
    let nodes =
      [encodeQueue(named: name("queue"))] + scaleNodes + layoutNodes(from: format) + [encoderNode] + outputNodes
    let stage = Stage(name("encode"), nodes)
    pipeline.stages.append(stage)
    pipeline.links.append(.init(from: "encode", to: stage.name, node: NodeName.fork))
    appendFile(location.namingProxy(role, container.fileExtension), after: stage.name, to: &pipeline)
  }

  /// The same samples in the order that the second encoder takes.
  private func layoutNodes(from format: PixelFormat) -> [Node] {
    guard color.format != format else { return [] }
    let caps = Caps([CapsStructure("video/x-raw", fields: [CapsField("format", .string(color.format.name))])])
    return [
      Node("videoconvert", name: name("convert")), Node("capsfilter", name: name("layout"), ["caps": .caps(caps)]),
    ]
  }

  private func name(_ base: String) -> String { NodeName.named(base, of: role) }

  // MARK: Camera

  private func sourceStage(_ source: CaptureSource) -> Stage {
    let capsfilter = Node("capsfilter", name: "mode", ["caps": .caps(mode.caps)])
    let head: [Node] =
      switch source {
      // Left to itself v4l2src exports its buffers, which are then mapped anew for each frame: that costs time, and av1enc
      // reads frames that are mapped no more.
      case .v4l2(let path):
        [
          Node("v4l2src", name: NodeName.source, ["device": .string(path), "io-mode": .string("mmap")]), capsfilter,
        ]
      case .launch(let text): [Node(.launch(text), name: NodeName.source), capsfilter]
      case .application: applicationNodes + [capsfilter]
      }
    return Stage("camera", head + [captureQueue])
  }

  /// The program hands over raw pictures; a coded mode is coded by the element that a camera has in hardware.
  private var applicationNodes: [Node] {
    let source = Node(
      "appsrc", name: NodeName.source, ["is-live": .bool(true), "format": .string("time"), "block": .bool(false)])
    guard mode.format.payload == .jpeg else { return [source] }
    return [source, Node("jpegenc", ["quality": .int(95), "idct-method": .string("islow")])]
  }

  /// Between capture and everything slower: v4l2src asks drivers for 3 or 4 buffers, so a pause of 50 ms behind it
  /// would already cost a frame. Ten seconds may wait, of large raw pictures what fits into 256 MiB. When it is full, new
  /// frames are dropped here and counted, so that memory stays bounded. Coded pictures that build on one another must
  /// not be dropped: there the camera has to wait.
  private var captureQueue: Node {
    let leaky = Property(name: "leaky", value: .string(mode.format.payload.standsAlone ? "upstream" : "no"))
    let silent = Property(name: "silent", value: .bool(true))
    let bounds = bounds(seconds: 10, bytes: 256 << 20)
    return Node(.factory("queue"), name: NodeName.captureQueue, properties: bounds + [leaky, silent])
  }

  /// In frames where the rate is known. A queue that is full by time takes one frame where one leaves, and with frames
  /// missing before it that one makes it fuller than it was: the next has to wait for several to leave, and so on, until
  /// seconds are lost at a stretch. By number each that leaves makes room for one, so that the loss is spread evenly.
  private func bounds(seconds: Double, bytes: Int) -> [Property] {
    let frames = mode.frameRate.map { Int(($0.value * seconds).rounded(.up)) }
    let time = frames == nil ? Int(seconds * 1e9) : 0
    return [
      Property(name: "max-size-time", value: .int(time)), Property(name: "max-size-bytes", value: .int(bytes)),
      Property(name: "max-size-buffers", value: .int(frames ?? 0)),
    ]
  }

  // MARK: Decode and colour

  private var decodeNodes: [Node] {
    switch mode.format.payload {
    // Chroma as it is in the picture; jpegdec always gives 4:2:0.
    case .jpeg where preset.color.chroma != .yuv420:
      [Node("jpegparse", name: "camera-parser"), Node("avdec_mjpeg", name: NodeName.decoder)]
    // The default inverse transform gives 254 for 255; this one is exact.
    case .jpeg: [Node("jpegdec", ["idct-method": .string("islow")])]
    case .h264: [Node("h264parse", name: "camera-parser"), Node("avdec_h264", name: NodeName.decoder)]
    case .h265: [Node("h265parse", name: "camera-parser"), Node("avdec_h265", name: NodeName.decoder)]
    case .vp8: [Node("vp8dec", name: NodeName.decoder)]
    case .vp9: [Node("vp9dec", name: NodeName.decoder)]
    case .mpeg4: [Node("mpeg4videoparse", name: "camera-parser"), Node("avdec_mpeg4", name: NodeName.decoder)]
    case .raw, .bayer, .unsupported, .mpeg2, .dv: []
    }
  }

  /// Each pixel of a smaller picture is made of all that it stands for.
  private var scaleNodes: [Node] {
    guard let size = preset.scale, size != mode.dimensions else { return [] }
    let caps = Caps([
      CapsStructure(
        "video/x-raw",
        fields: [
          CapsField("width", .int(size.width)), CapsField("height", .int(size.height)),
          CapsField("pixel-aspect-ratio", .fraction(Fraction(1))),
        ])
    ])
    return [
      Node("videoscale", name: name("scale"), ["method": .string("bilinear2"), "n-threads": .int(2)]),
      Node("capsfilter", name: name("scaled"), ["caps": .caps(caps)]),
    ]
  }

  /// The user's own elements.
  private var filterNodes: [Node] {
    preset.filters.enumerated().map { Node(.launch(Preset.standingAlone(filter: $1)), name: "filter-\($0 + 1)") }
  }

  private func colorNodes(_ place: Int, _ step: ColorStep) -> [Node] {
    let name = "color-\(place + 1)"
    switch step {
    case .tag(let colorimetry):
      let caps = Caps([CapsStructure("video/x-raw", fields: [PipelineAssembler.field(colorimetry)])])
      return [Node("capssetter", name: name, ["join": .bool(true), "caps": .caps(caps)])]
    case .convert(let format, let colorimetry):
      let fields = [CapsField("format", .string(format.name)), PipelineAssembler.field(colorimetry)]
      return [
        Node("videoconvert", name: name, ["n-threads": .int(2)]),
        Node("capsfilter", name: "\(name)-caps", ["caps": .caps(Caps([CapsStructure("video/x-raw", fields: fields)]))]),
      ]
    case .convertRange(let conversion): return [rangeNode(conversion, name)]
    case .crop(let right, let bottom):
      return [Node("videocrop", name: name, ["right": .int(right), "bottom": .int(bottom)])]
    }
  }

  /// Capstan converts the range itself, at a third of the cost; the figures are for the launch line, where videobalance
  /// stands: y' = 16 + (y - 16) * contrast + 255 * brightness, c' = 128 + (c - 128) * saturation.
  private func rangeNode(_ conversion: RangeConversion, _ name: String) -> Node {
    let figures: KeyValuePairs<String, Double> =
      switch conversion {
      case .expand: ["contrast": 255.0 / 219, "brightness": -16.0 / 255, "saturation": 255.0 / 224]
      case .compress: ["contrast": 219.0 / 255, "brightness": 16.0 * 219 / 255 / 255, "saturation": 224.0 / 255]
      }
    let properties = figures.map { PipelineDescription.Property(name: $0.key, value: .double($0.value)) }
    return Node(.rangeConversion(conversion), name: name, properties: properties)
  }

  private static func field(_ colorimetry: Colorimetry) -> CapsField {
    CapsField("colorimetry", .string("\(colorimetry)"))
  }

  // MARK: Encode, mux

  /// Decoding and encoding each get a thread where there is both, and so does each of two encoders.
  private var encodeQueue: Node { encodeQueue(named: "encode-queue") }

  private func encodeQueue(named name: String) -> Node {
    let silent = Property(name: "silent", value: .bool(true))
    return Node(.factory("queue"), name: name, properties: bounds(seconds: 0.5, bytes: 128 << 20) + [silent])
  }

  /// A stream that the camera codes: its frames are told apart and marked, and its colour is known.
  private var copyNodes: [Node] {
    let parser = encoder.parser.map { [Node($0, name: name("parser"))] } ?? []
    guard mode.format.payload == .jpeg else { return parser + [gate] }
    let caps = Caps([CapsStructure("image/jpeg", fields: [PipelineAssembler.field(color.target)])])
    return parser + [gate, Node("capssetter", name: "color-1", ["join": .bool(true), "caps": .caps(caps)])]
  }

  private var gate: Node { Node(PipelineDescription.passage, name: NodeName.gate, ["silent": .bool(true)]) }

  private var encoderNode: Node {
    let rate = (mode.frameRate ?? Fraction(30)).value
    let distance = max(1, Int((preset.keyFrameInterval.inSeconds * rate).rounded()))
    let properties = encoder.properties(for: preset, speed: speed, keyFrameDistance: distance, pins: pins)
    return Node(
      .factory(encoder.element), name: name(NodeName.encoder), properties: layer?.laid(under: properties) ?? properties)
  }

  /// The encoder at each speed of a ladder.
  func rungs(_ ladder: [EncoderProfile.Speed]) -> [SpeedRung] {
    ladder.map { speed in
      var other = self
      (other.speed, other.pins) = (speed.value, speed.pins ?? [:])
      return SpeedRung(speed: speed.value, node: other.encoderNode)
    }
  }

  /// What the encoder is tried at, as this recording would set it.
  var trial: EncoderTrial {
    var other = self
    let (rate, size) = (mode.frameRate ?? Fraction(30), color.encodedSize(of: mode.scaled(to: preset.scale)))
    let shortest = max(EncoderTrial.leastDistance, Int((rate.value * EncoderTrial.keyFrameInterval).rounded()))
    let distance = min(shortest, max(1, Int((preset.keyFrameInterval.inSeconds * rate.value).rounded())))
    other.preset.keyFrameInterval = .seconds(Double(distance) / rate.value)
    let least = Int(Double(size.pixels) * rate.value * EncoderTrial.leastBits)
    other.preset.bitRate.bitsPerSecond = max(least, preset.bitRate.bitsPerSecond)
    let isHeld = encoder.holdsBitRate(of: preset) && layer?.replacedKeys.contains("bitrate") != true
    return EncoderTrial(
      subject: EncoderSubject(element: encoder.element, speed: speed, dimensions: size, format: color.format),
      codec: encoder.codec, frameRate: rate, colorimetry: color.target,
      bitRate: isHeld ? other.preset.bitRate.bitsPerSecond : nil,
      keyFrameDistance: layer?.keyFrameDistance(of: encoder)
        ?? encoder.keyFrameDistance(of: preset, planned: distance),
      nodes: [other.encoderNode] + other.outputNodes)
  }

  private var outputNodes: [Node] {
    var nodes: [Node] = []
    if let caps = encoder.outputCaps(for: preset), layer == nil || preset.profile != nil || preset.lossless {
      nodes.append(Node("capsfilter", name: name("profile"), ["caps": .string(caps)]))
    }
    if let parser = encoder.parser { nodes.append(Node(parser, name: name("parser"))) }
    if let caps = encoder.streamCaps {
      nodes.append(Node("capssetter", name: name("stream-caps"), ["join": .bool(true), "caps": .string(caps)]))
    }
    // mp4mux and qtmux 1.22 read the chroma site of VP9 without looking whether there is one. Of what `vpcC` can say,
    // this one is nearest to every camera's.
    if encoder.codec == "vp9", ["mp4mux", "qtmux"].contains(container.muxer) {
      let site = Caps([CapsStructure("video/x-vp9", fields: [CapsField("chroma-site", .string("mpeg2"))])])
      nodes.append(Node("capssetter", name: name("chroma-site"), ["join": .bool(true), "caps": .caps(site)]))
    }
    return nodes
  }

  /// Unbuffered, because what lies in a buffer is lost with a kill: of an easy picture 64 KiB are seconds.
  private func fileNode(_ location: String) -> Node {
    Node(
      "filesink", name: name(NodeName.file),
      ["location": .string(location), "buffer-mode": .string("unbuffered"), "async": .bool(false)])
  }

  /// Four seconds of encoded video between encoder and disk, so that a slow write does not reach the camera.
  private var muxNodes: [Node] {
    let queue = Node(
      "queue", name: name(NodeName.fileQueue),
      [
        "max-size-time": .int(4_000_000_000), "max-size-bytes": .int(64 << 20), "max-size-buffers": .int(0),
        "silent": .bool(true),
      ])
    let settings = container.settings(fragment: recovery.fragment, rate: mode.frameRate)
    return [queue, Node(.factory(container.muxer), name: name(NodeName.muxer), properties: settings)]
  }
}

extension String {
  /// The path of a file, with what a proxy's has more: `a.mp4` and `a-proxy.mp4`.
  func namingProxy(_ name: String, _ fileExtension: String) -> String {
    let folder = lastIndex(of: "/").map { self[...$0] } ?? ""
    let file = self[folder.endIndex...]
    let stem = file.lastIndex(of: ".").map { $0 == file.startIndex ? file : file[..<$0] } ?? file
    return "\(folder)\(stem)-\(name).\(fileExtension)"
  }
}
