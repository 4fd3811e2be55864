/// Prints a pipeline description as a line for gst-launch-1.0: for dry runs, documentation and tests.

import MediaFormats

public struct LaunchLine: Sendable, CustomStringConvertible {
  private let pipeline: PipelineDescription

  public init(_ pipeline: PipelineDescription) { self.pipeline = pipeline }

  /// Everything after `gst-launch-1.0 -e`, quoted for a shell.
  public var description: String {
    chains.map { chain in
      (branchPoint(of: chain) + chain.flatMap { $0.nodes.map(words) }).joined(separator: " ! ")
    }.joined(separator: " ")
  }

  /// Stages that follow one another; where the graph branches, a new chain begins.
  private var chains: [[PipelineDescription.Stage]] {
    var chains: [[PipelineDescription.Stage]] = []
    for stage in pipeline.stages {
      if let last = chains.last?.last, pipeline.links.contains(.init(from: last.name, to: stage.name)) {
        chains[chains.count - 1].append(stage)
      } else {
        chains.append([stage])
      }
    }
    return chains
  }

  /// Where a chain is a branch: the element that feeds it, as gst-launch-1.0 refers to one.
  private func branchPoint(of chain: [PipelineDescription.Stage]) -> [String] {
    guard let first = chain.first, let link = pipeline.links.first(where: { $0.to == first.name }) else { return [] }
    let feeder = link.node ?? pipeline.stages.first { $0.name == link.from }?.nodes.last?.name
    return feeder.map { ["\($0)."] } ?? []
  }

  private func words(_ node: PipelineDescription.Node) -> String {
    switch node.element {
    case .launch(let text): return text
    case .factory("capsfilter"):
      return node.properties.first { $0.name == "caps" }.map { LaunchLine.quoted("\($0.value)") } ?? "identity"
    case .rangeConversion: return words(node, of: "videobalance")
    case .factory(let factory): return words(node, of: factory)
    }
  }

  private func words(_ node: PipelineDescription.Node, of factory: String) -> String {
    let name = node.name == factory ? [] : ["name=\(LaunchLine.quoted(node.name))"]
    let properties = node.properties.map { "\($0.name)=\(LaunchLine.quoted("\($0.value)"))" }
    return ([factory] + name + properties).joined(separator: " ")
  }

  /// Quoted for a POSIX shell, and only where it must be.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "="),
        UInt8(ascii: "@"):
        true
      default: false
      }
    }
    return plain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
