/// What the files of encoders that are not installed say, against the documented properties of their elements: a name
/// that is misspelt, a word that is none and a number out of range fail here.

import Foundation
import MediaFormats
import PipelinePlanning
import TestSupport
import Testing

/// The properties of one element, as `Tests/Fixtures/elements` has them.
struct DocumentedElement {
  private let properties: [String: String]

  init(_ name: String) throws {
    let file = Places.fixtures.appending(path: "elements/\(name).json")
    properties = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
  }

  /// - Returns: what is wrong; `nil` for what the element takes.
  func fault(_ property: PipelineDescription.Property) -> String? {
    guard let domain = properties[property.name] else { return "no property \(property.name)" }
    let text = "\(property.value)"
    let words = domain.split(separator: " ").map(String.init)
    if words.first == "options" { return optionFault(text, Set(words)) }
    if domain == "boolean" { return ["true", "false"].contains(text) ? nil : "\(property.name)=\(text) is no boolean" }
    if let range = DocumentedElement.range(domain) {
      let isInside = Double(text).map(range.contains) ?? false
      return isInside ? nil : "\(property.name)=\(text) is not in \(domain)"
    }
    return words.contains(text) ? nil : "\(property.name)=\(text) is none of \(domain)"
  }

  /// A structure's name, and then its fields.
  private func optionFault(_ text: String, _ known: Set<String>) -> String? {
    let pieces = text.split(separator: ",").map(String.init)
    guard let head = pieces.first, !head.contains("=") else { return "\(text) has no name in front" }
    let options = pieces.dropFirst().map { $0.split(separator: "=").map(String.init) }
    let wrong = options.first { $0.count != 2 || !known.contains($0[0]) || Int($0[1]) == nil }
    return wrong.map { "the option \($0.joined(separator: "="))" }
  }

  private static func range(_ domain: String) -> ClosedRange<Double>? {
    let ends = domain.components(separatedBy: "..").compactMap(Double.init)
    return ends.count == 2 ? ends[0]...ends[1] : nil
  }
}

@Suite struct DocumentedElementTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])
  private static let documented = [
    "nvh264enc", "nvh265enc", "qsvh264enc", "svtav1enc", "v4l2h264enc", "vaapih264enc", "vah264enc", "vah264lpenc",
    "vah265enc",
  ]

  @Test(arguments: documented) func profilesFitTheirElements(_ name: String) throws {
    let element = try DocumentedElement(name)
    let encoder = try #require(try Self.library.encoders().first { $0.element == name })
    let samples = try EncoderSamples(encoder, Self.library).all()
    #expect(samples.count >= 8)
    for sample in samples {
      let faults = sample.node.properties.compactMap(element.fault)
      #expect(faults.isEmpty, "\(sample.name): \(faults.joined(separator: "; "))")
    }
  }

  @Test(arguments: [
    ("vah264enc", "bitrat", "1", "no property bitrat"), ("vah264enc", "bitrate", "2048001", "is not in 0..2048000"),
    ("vah264enc", "rate-control", "cbrr", "is none of cbr vbr vcm cqp"), ("vah264enc", "cabac", "1", "is no boolean"),
    ("v4l2h264enc", "extra-controls", "controls,video_bitrat=1", "the option video_bitrat=1"),
    ("v4l2h264enc", "extra-controls", "video_bitrate=1", "has no name in front"),
  ])
  func mistakesAreSeen(_ name: String, _ property: String, _ value: String, _ fault: String) throws {
    let found = try DocumentedElement(name).fault(.init(name: property, value: .string(value)))
    #expect(found?.contains(fault) == true, "\(found ?? "nothing")")
  }
}
