/// Cuts the pipeline of a recording where the encoded stream is, between the encoder and its file: what is captured
/// goes on while files come and go.

import MediaFormats

extension PipelineDescription {
  /// From the camera to the encoded streams, which the program takes (`appsink`).
  /// - Parameter codecs: of each stream, by its role.
  func upToStreams(_ codecs: KeyValuePairs<String, String>) -> PipelineDescription {
    let cut = codecs.flatMap { PipelineDescription.fileStages(of: $0.key) }
    var part = PipelineDescription(stages: stages.filter { !cut.contains($0.name) })
    part.links = links.filter { link in part.stages.contains { $0.name == link.to } }
    for (role, codec) in codecs {
      let stage = Stage(NodeName.named(NodeName.stream, of: role), format(of: codec, role) + [sink(role)])
      let feeder = links.first { $0.to == PipelineDescription.fileStages(of: role)[0] }?.from
      _ = part.append(stage, after: feeder)
    }
    return part
  }

  /// From an encoded stream, which the program hands over (`appsrc`), to its file. As much may wait there as in the
  /// queue that stands at the cut.
  /// - Parameter location: of the file.
  func fromStream(_ role: String, to location: String) -> PipelineDescription {
    var part = PipelineDescription()
    let queue = nodes.first { $0.name == NodeName.named(NodeName.fileQueue, of: role) }
    var last = part.append(Stage(NodeName.stream, [source(in: queue)]), after: nil)
    for name in PipelineDescription.fileStages(of: role) {
      guard let stage = stages.first(where: { $0.name == name }) else { continue }
      let nodes = stage.nodes.filter { $0 != queue }.map { $0.writing(to: location) }
      last = part.append(Stage(name, nodes), after: last)
    }
    return part
  }

  private static func fileStages(of role: String) -> [String] {
    ["mux", "file"].map { NodeName.named($0, of: role) }
  }

  /// Not asynchronous: a sink that waits for its first buffer keeps the pipeline from playing, and where the camera
  /// fails in its first frames, the end of the stream then never arrives.
  private func sink(_ role: String) -> Node {
    Node(
      "appsink", name: NodeName.named(NodeName.stream, of: role),
      ["sync": .bool(false), "async": .bool(false), "enable-last-sample": .bool(false)])
  }

  private func source(in queue: Node?) -> Node {
    let limits = queue?.properties.filter { $0.name.hasPrefix("max-size-") } ?? []
    let own = Node("appsrc", name: NodeName.stream, ["format": .string("time"), "block": .bool(true)])
    let bounds = limits.map { Property(name: $0.name.replacing("max-size-", with: "max-"), value: $0.value) }
    return Node(own.element, name: own.name, properties: own.properties + bounds)
  }

  /// The framing that muxers take: a parser with nothing behind it that wants one would keep the encoder's.
  private func format(of codec: String, _ role: String) -> [Node] {
    guard let fields = PipelineDescription.framings[codec] else { return [] }
    let values = fields.map { CapsField($0.key, .string($0.value)) }
    let caps = Caps([CapsStructure("video/x-\(codec)", fields: values)])
    return [Node("capsfilter", name: NodeName.named("stream-format", of: role), ["caps": .caps(caps)])]
  }

  private static let framings: [String: KeyValuePairs<String, String>] = [
    "h264": ["stream-format": "avc", "alignment": "au"], "h265": ["stream-format": "hvc1", "alignment": "au"],
    "av1": ["stream-format": "obu-stream", "alignment": "tu"],
  ]
}

extension RecordingPlan {
  /// From the camera to the encoded streams.
  public var capturePipeline: PipelineDescription {
    guard let proxy else { return pipeline.upToStreams(["": encoder.codec]) }
    return pipeline.upToStreams(["": encoder.codec, proxy.name: proxy.encoder.codec])
  }

  /// From the encoded stream to a file.
  /// - Parameter role: the name of the proxy; empty for the main file.
  public func filePipeline(of role: String = "", to location: String) -> PipelineDescription {
    pipeline.fromStream(role, to: location)
  }
}

extension PipelineDescription.Node {
  /// Another file, where it is one that writes a file.
  fileprivate func writing(to location: String) -> PipelineDescription.Node {
    var node = self
    for place in node.properties.indices where node.properties[place].name == "location" {
      node.properties[place].value = .string(location)
    }
    return node
  }
}
