/// Builds a pipeline description object by object, each property set by a setter that checks it.

import GStreamer
import MediaFormats
import PipelinePlanning

struct PipelineBuilder {
  let description: PipelineDescription

  /// A pipeline in the NULL state, and its elements by the names that the description gives them.
  struct Product: Sendable {
    let pipeline: Pipeline
    let elements: [String: Element]
  }

  /// - Throws: `elementMissing`, `configuration` for a property that an element refuses, `pipelineFailed` for pads that
  ///   cannot be linked.
  func build() throws(CaptureError) -> Product {
    do {
      let pipeline = try Pipeline(name: "capstan")
      var elements: [String: Element] = [:]
      for node in description.nodes {
        let element = try PipelineBuilder.element(for: node)
        elements[node.name] = element
        try pipeline.add(element)
      }
      // In the order of the flow: a muxer chooses its pad by what the chain before it gives.
      for stage in description.stages {
        for link in description.links where link.to == stage.name { try connect(link, elements, in: pipeline) }
        try pipeline.link(chain: stage.nodes.compactMap { elements[$0.name] })
      }
      return Product(pipeline: pipeline, elements: elements)
    } catch let error as CaptureError {
      throw error
    } catch let error as ElementError {
      throw CaptureError(.elementMissing, "\(error)")
    } catch let error as PropertyError {
      throw CaptureError(.configuration, "\(error)")
    } catch {
      throw CaptureError(.pipelineFailed, "\(error)")
    }
  }

  /// An element by itself, set as the node says.
  static func element(for node: PipelineDescription.Node) throws -> Element {
    let element =
      switch node.element {
      case .factory(let factory): try Element(factory: factory, name: node.name)
      case .launch(let text): try Element(launch: text, name: node.name)
      case .rangeConversion(let conversion): try passage(node.name, converting: conversion)
      }
    if case .rangeConversion = node.element { return element }
    for property in node.properties { try element.set(property.name, to: property.value) }
    return element
  }

  /// Behind it the label is set that the samples then have.
  private static func passage(_ name: String, converting conversion: RangeConversion) throws -> Element {
    let element = try Element(factory: PipelineDescription.passage, name: name)
    element.pad("src")?.convertRange(conversion)
    return element
  }

  private func connect(
    _ link: PipelineDescription.Link, _ elements: [String: Element], in pipeline: Pipeline
  ) throws {
    let feeder = link.node.map { elements[$0] } ?? end(of: link.from, \.last, elements)
    guard let from = feeder, let to = end(of: link.to, \.first, elements) else {
      throw CaptureError(.pipelineFailed, "The plan links \(link.from) to \(link.to), and one of them is missing.")
    }
    // A stream that says its caps later fits every pad of a muxer.
    let isOpen = from.factoryName == "appsrc" && to.hasTemplate(.sink, named: PipelineBuilder.pictures)
    try pipeline.link(from, pad: nil, to: to, pad: isOpen ? PipelineBuilder.pictures : nil)
  }

  /// As muxers call their pads for pictures.
  private static let pictures = "video_%u"

  private func end(
    of stage: String, _ place: KeyPath<[PipelineDescription.Node], PipelineDescription.Node?>,
    _ elements: [String: Element]
  ) -> Element? {
    description.stages.first { $0.name == stage }?.nodes[keyPath: place].flatMap { elements[$0.name] }
  }
}
