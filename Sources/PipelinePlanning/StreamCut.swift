/// Cuts the pipeline of a recording where the encoded stream is, between the encoder and its file: what is captured
/// goes on while files come and go.

import MediaFormats

extension PipelineDescription {
  /// The name of the stage that ends the first part and begins the second.
  static let cut = "stream"

  /// From the camera to the encoded stream, which the program takes (`appsink`).
  /// - Parameter codec: of the stream.
  func upToStream(_ codec: String) -> PipelineDescription {
    var part = PipelineDescription(stages: stages.filter { !PipelineDescription.fileStages.contains($0.name) })
    part.links = links.filter { link in part.stages.contains { $0.name == link.to } }
    _ = part.append(Stage(PipelineDescription.cut, format(of: codec) + [sink]), after: part.stages.last?.name)
    return part
  }

  /// From the encoded stream, which the program hands over (`appsrc`), to the file. As much may wait there as in the
  /// queue that stands at the cut.
  func fromStream() -> PipelineDescription {
    var part = PipelineDescription()
    var last = part.append(Stage(PipelineDescription.cut, [source]), after: nil)
    for stage in stages where PipelineDescription.fileStages.contains(stage.name) {
      last = part.append(Stage(stage.name, stage.nodes.filter { $0.name != NodeName.fileQueue }), after: last)
    }
    return part
  }

  private static let fileStages = ["mux", "file"]

  /// Not asynchronous: a sink that waits for its first buffer keeps the pipeline from playing, and where the camera
  /// fails in its first frames, the end of the stream then never arrives.
  private var sink: Node {
    Node(
      "appsink", name: NodeName.stream,
      ["sync": .bool(false), "async": .bool(false), "enable-last-sample": .bool(false)])
  }

  private var source: Node {
    let limits = nodes.first { $0.name == NodeName.fileQueue }?.properties.filter { $0.name.hasPrefix("max-size-") }
    let own = Node("appsrc", name: NodeName.stream, ["format": .string("time"), "block": .bool(true)])
    let bounds = (limits ?? []).map { Property(name: $0.name.replacing("max-size-", with: "max-"), value: $0.value) }
    return Node(own.element, name: own.name, properties: own.properties + bounds)
  }

  /// The framing that muxers take: a parser with nothing behind it that wants one would keep the encoder's.
  private func format(of codec: String) -> [Node] {
    guard let fields = PipelineDescription.framings[codec] else { return [] }
    let values = fields.map { CapsField($0.key, .string($0.value)) }
    let caps = Caps([CapsStructure("video/x-\(codec)", fields: values)])
    return [Node("capsfilter", name: "stream-format", ["caps": .caps(caps)])]
  }

  private static let framings: [String: KeyValuePairs<String, String>] = [
    "h264": ["stream-format": "avc", "alignment": "au"], "h265": ["stream-format": "hvc1", "alignment": "au"],
    "av1": ["stream-format": "obu-stream", "alignment": "tu"],
  ]
}

extension RecordingPlan {
  /// From the camera to the encoded stream.
  public var capturePipeline: PipelineDescription { pipeline.upToStream(encoder.codec) }

  /// From the encoded stream to the file.
  public var filePipeline: PipelineDescription { pipeline.fromStream() }
}
