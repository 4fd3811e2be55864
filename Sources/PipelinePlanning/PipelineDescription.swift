/// A pipeline as a value: a graph of stages that can be printed, compared and tested without GStreamer, and built.

public import MediaFormats

/// Two interpreters read it: `LaunchLine` prints it for gst-launch-1.0, `PipelineBuilder` makes elements of it.
public struct PipelineDescription: Sendable, Hashable {
  /// In the order of the flow.
  public var stages: [Stage]
  /// Which stage feeds which, by name; a stage may feed several or be fed by several.
  public var links: [Link]

  public init(stages: [Stage] = [], links: [Link] = []) {
    self.stages = stages
    self.links = links
  }

  /// One elementary piece: a factory's name, the element's own name and what it is set to.
  public struct Node: Sendable, Hashable {
    /// Unique in the description.
    public var name: String
    public var element: Element
    public var properties: [Property]

    public init(_ element: Element, name: String, properties: [Property] = []) {
      self.name = name
      self.element = element
      self.properties = properties
    }

    public init(_ factory: String, name: String? = nil, _ properties: KeyValuePairs<String, PropertyValue> = [:]) {
      self.init(
        .factory(factory), name: name ?? factory, properties: properties.map { Property(name: $0.key, value: $0.value) }
      )
    }

    /// The factory, where it is one.
    public var factory: String? {
      switch element {
      case .factory(let name): name
      case .rangeConversion: PipelineDescription.passage
      case .launch: nil
      }
    }
  }

  public enum Element: Sendable, Hashable {
    case factory(String)
    /// A piece in gst-launch-1.0's own words, as a user gives one.
    case launch(String)
    /// Capstan's own conversion of the range; its properties are those of videobalance, which does the same.
    case rangeConversion(RangeConversion)
  }

  public struct Property: Sendable, Hashable {
    public var name: String
    public var value: PropertyValue

    public init(name: String, value: PropertyValue) {
      self.name = name
      self.value = value
    }
  }

  /// Nodes in a row with one job.
  public struct Stage: Sendable, Hashable {
    public var name: String
    public var nodes: [Node]

    public init(_ name: String, _ nodes: [Node]) {
      self.name = name
      self.nodes = nodes
    }
  }

  public struct Link: Sendable, Hashable {
    public var from: String
    public var to: String
    /// Where the second begins in the midst of the first: the node there, by name.
    public var node: String?

    public init(from: String, to: String, node: String? = nil) {
      self.from = from
      self.to = to
      self.node = node
    }
  }

  /// The element that lets everything pass: what Capstan does to frames itself, it does there.
  public static let passage = "identity"

  public var nodes: [Node] { stages.flatMap(\.nodes) }

  /// Every factory that has to be installed for it.
  public var factories: Set<String> { Set(nodes.compactMap(\.factory)) }

  /// Adds a stage, fed by the stages named; an empty one is left out and its feeders feed the next.
  mutating func append(_ stage: Stage, after feeder: String?) -> String? {
    guard !stage.nodes.isEmpty else { return feeder }
    stages.append(stage)
    if let feeder { links.append(Link(from: feeder, to: stage.name)) }
    return stage.name
  }
}

/// Names that the planner gives and the session looks for.
public enum NodeName {
  public static let source = "camera"
  /// Between capture and everything slower.
  public static let captureQueue = "capture-queue"
  /// Where the camera sends coded pictures.
  public static let decoder = "decoder"
  /// Before the encoder: lets as many frames through as were asked for, and stays where the encoder is exchanged.
  public static let gate = "gate"
  /// Where the frames of two files part.
  public static let fork = "fork"
  public static let encoder = "encoder"
  /// Where the encoded stream goes from one pipeline into another.
  public static let stream = "stream"
  public static let muxer = "muxer"
  /// Between the encoder and the disk.
  public static let fileQueue = "file-queue"
  public static let file = "file"

  /// - Parameter role: empty for the main file.
  public static func named(_ base: String, of role: String) -> String { role.isEmpty ? base : "\(role)-\(base)" }
}
