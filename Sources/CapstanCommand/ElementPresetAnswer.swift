/// GStreamer's presets of an encoder, for people and for programs.

import Capstan
import GStreamer

struct ElementPresetAnswer: Encodable, Sendable {
  var name: String
  var comment: String
  /// In the words of gst-launch-1.0.
  var settings: [String: String]

  init(_ name: String, _ comment: String, _ settings: [PipelineDescription.Property]) {
    (self.name, self.comment) = (name, comment)
    self.settings = Dictionary(settings.map { ($0.name, "\($0.value)") }) { $1 }
  }
}

extension ElementPresetLayer {
  /// As a line of a plan has it.
  var text: String { "\(name): \(settings.map(\.text).joined(separator: " "))" }
}

extension PipelineDescription.Property {
  /// As gst-launch-1.0 takes it.
  var text: String { "\(name)=\(value)" }
}

/// `capstan encoders --presets`: which element presets there are, and what each sets.
struct ElementPresetList: Encodable, Sendable {
  var encoder: String
  var presets: [ElementPresetAnswer]

  init(_ profile: EncoderProfile) {
    encoder = profile.element
    presets = ElementPreset.all(of: encoder).map { ElementPresetAnswer($0.name, $0.comment, $0.settings) }
  }

  var rows: [[String]] {
    presets.map { preset in
      let settings = preset.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return [encoder, "\"\(preset.name)\"", settings.joined(separator: " "), preset.comment]
    }
  }

  static func show(_ encoders: [EncoderProfile], asJSON: Bool, _ console: Console) throws -> ExitCode {
    let lists = encoders.map(ElementPresetList.init).filter { !$0.presets.isEmpty }
    if asJSON {
      console.answer(try JSONText.answer(lists))
    } else if lists.isEmpty {
      console.say("GStreamer has no presets (.prs) here for \(encoders.map(\.element).joined(separator: ", ")).")
    } else {
      console.answer(TextTable(rows: lists.flatMap(\.rows)).text)
    }
    return .done
  }
}
