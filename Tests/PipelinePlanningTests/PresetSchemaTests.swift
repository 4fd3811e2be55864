/// The JSON Schema of presets accepts what the reader accepts and nothing else: judged by Python's jsonschema.

import Foundation
import TestSupport
import Testing

@testable import PipelinePlanning

@Suite struct PresetSchemaTests {
  /// Values of every kind and many forms, to be put at every key.
  private static let values: [String] = [
    "null", "true", "false", "0", "-1", "1", "8", "10", "9", "2.5", "60", "100", "101", "1000", "999", "1e12", "1e16",
    "0.0005", "59.94", "-100", "''", "'any'", "'auto'", "'raw'", "'mjpeg'", "'h264'", "'jpeg'", "'YUYV'", "'Y16 '",
    "'MJPGX'",
    "'full'", "'Full'", "'limited'", "'source'", "'pc'", "'bt709'", "'bt601'", "'bt2020'", "'4:2:0'", "'420'",
    "'4:4:4'",
    "'1:3:5:1'", "'1:3:5'", "'1:3:5:1:2'", "'1280x720'", "'0x720'", "'65535x1'", "'65536x1'", "'1280X720'", "'12x'",
    "'60'",
    "'0'", "'59.94'", "'60000/1001'", "'0/1'", "'1/0'", "'1e3'", "'8M'", "'800k'", "'0.5M'", "'.001M'", "'0.0001M'",
    "'8'",
    "'1k'", "'0.9k'", "'9G'", "'10G'", "'9999M'", "'10000M'", "'8m'", "'8 M'", "'2s'", "'500ms'", "'0s'", "'0.0s'",
    "'1:30'",
    "'1:60'", "'1:02:03.5'", "'1:2:3:4'", "'2min'", "'2 min'", "'1h'", "'5d'", "'exact'", "'nearest'", "'lower'",
    "'x264enc'", "'x264 enc'", "'main'", "'high-4:4:4'", "'videoflip video-direction=identity'", "'=1'", "'\\u0000'",
    "'é'",
    "[]", "['x264enc']", "['x264enc', 'openh264enc']", "[1]", "[null]", "['']", "[[]]", "[{}]", "[{ size: '640x480' }]",
    "[{ sise: 1 }]", "{}", "{ a: 1 }", "{ a: true, b: 'x', c: 2.5, d: null }", "{ a: [] }", "{ a: {} }",
    "{ size: '640x480', framerate: 30, range: 'full', inputFormat: 'auto', fallback: 'exact' }", "{ strict: true }",
    "{ strict: true, fallback: 'exact' }", "{ strict: null, fallback: 'exact' }", "{ duration: '10s', frames: 600 }",
    "{ frames: 0 }", "{ frames: 1.5 }", "{ frames: 2.0 }", "{ duration: 0 }", "{ finished: ['echo', '{file}'] }",
    "{ finished: 'echo' }", "{ finished: [] }", "{ finished: ['a', ''] }", "{ started: ['a'] }",
  ]

  private static var samples: [String] {
    let keys = PresetKey.all.map(\.path) + ["nothing", "request.nothing", "limits.nothing"]
    let single = keys.flatMap { key in
      values.map { value in key.split(separator: ".").reversed().reduce(value) { "{ '\($1)': \($0) }" } }
    }
    let pairs = [
      "{ bitrate: '8M', quality: 50 }", "{ bitrate: null, quality: 50 }", "{ bitrate: '8M', quality: null }",
      "{ bitrate: null, quality: null }", "{}", "[]", "null", "7", "'x'",
      "{ summary: 'a', encoder: 'b', container: 'c' }",
    ]
    return single + pairs
  }

  @Test func schemaAndReaderAgree() async throws {
    let folder = try TemporaryFolder()
    var texts: [String] = []
    var verdicts: [Bool] = []
    for sample in Self.samples {
      let root = try JSON5Parser.parse(Data(sample.utf8), file: "sample")
      texts.append(JSON5Printer(style: .json).text(root).replacing("\n", with: " "))
      verdicts.append(Self.isRead(root))
    }
    try Data(PresetSchema.text.utf8).write(to: folder.file("schema.json"))
    try Data(texts.joined(separator: "\n").utf8).write(to: folder.file("values.jsonl"))
    let tool = Places.tests.appending(path: "Tools/validate-schema").path(percentEncoded: false)
    let files = ["schema.json", "values.jsonl"].map { folder.file($0).path(percentEncoded: false) }
    let outcome = try await RunningProgram("/usr/bin/env", ["python3", tool] + files).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let answers = outcome.output.split(separator: "\n").map { $0 == "true" }
    #expect(answers.count == texts.count)
    for (text, (verdict, answer)) in zip(texts, zip(verdicts, answers)) {
      #expect(verdict == answer, "\(text) is \(verdict ? "read" : "refused"), the schema says \(answer)")
    }
    #expect(verdicts.filter { $0 }.count > 200 && verdicts.filter { !$0 }.count > 1000)
  }

  /// What is of the right shape is understood as well: a shape that lets too much through would show here. Where `extends`
  /// leads is no matter of the shape.
  private static func isRead(_ root: JSON5Value) -> Bool {
    guard (try? Preset.table.shape.check(root, at: "")) != nil else { return false }
    var preset = Preset(name: "sample")
    do {
      try Preset.table.read(CheckedValue(value: root, keyPath: ""), into: &preset)
      return true
    } catch {
      Issue.record("of the right shape, and yet: \(error)")
      return false
    }
  }

  /// What stands for a key that is left out is what the type has.
  @Test func initialValuesAreTrue() throws {
    let text = PresetKey.all.filter { !$0.path.contains(".") }.compactMap { key in
      key.initial.map { "'\(key.path)': \($0)" }
    }.joined(separator: ", ")
    let request = PresetKey.all.compactMap { key in
      key.path.hasPrefix("request.") ? key.initial.map { "'\(key.path.dropFirst(8))': \($0)" } : nil
    }.joined(separator: ", ")
    let said = try Preset(name: "p", file: "p.json5", json5: Data("{ \(text), request: { \(request) } }".utf8))
    let silent = try Preset(name: "p", file: "p.json5", json5: Data("{}".utf8))
    #expect(said == silent)
  }
}
