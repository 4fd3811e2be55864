/// Every source with every wish by every encoder into every container: the samples are those of the chart in the wished
/// range, and stream, container and samples tell the same. What fails is listed in one table.

import Foundation
import TestSupport
import Testing

/// One recording of the matrix.
struct MatrixCell: Sendable {
  var source: ChartCamera
  /// As `--color-range` takes it.
  var wish: String
  var encoder: String
  var container: String
  /// Further options of the command.
  var options: [String] = []

  var isFullRange: Bool { wish == "source" ? source.isFullRange : wish == "full" }
  var title: String { [source.name, wish, encoder, container].joined(separator: " | ") }

  static let frames = 6

  static func all(encoder: String, containers: [String]) -> [MatrixCell] {
    ChartCamera.all.flatMap { source in
      ["full", "limited", "source"].flatMap { wish in
        containers.map { MatrixCell(source: source, wish: wish, encoder: encoder, container: $0) }
      }
    }
  }

  /// Records; the outcome is that of the command.
  func record(to file: URL, environment: [String: String]) async throws -> Outcome {
    let arguments =
      [
        "record", "--device", "/dev/video0", "--size", "320x240", "--framerate", "60", "--frames",
        "\(MatrixCell.frames)", "--color-range", wish, "--encoder", encoder, "--output",
        file.path(percentEncoded: false), "--json",
      ] + source.options + options
    return try await RunningProgram("capstan", arguments, camera: source.camera(), environment: environment).finish()
  }
}

extension ColorWork {
  @Suite struct ColorMatrixTests {
    @Test(arguments: [
      ("x264enc", "h264"), ("openh264enc", "h264"), ("x265enc", "h265"), ("vp9enc", "vp9"), ("av1enc", "av1"),
      ("vp8enc", "vp8"),
    ])
    func everySourceWishAndContainer(_ encoder: String, _ codec: String) async throws {
      let containers = try Self.containers(of: codec)
      try #require(containers.contains("mkv"))
      try await judge(MatrixCell.all(encoder: encoder, containers: containers)) { chart in
        [
          above(2, chart.levels?.mean, "the levels' mean error"),
          above(4, chart.patches?.max, "the patches' error", chart.patches?.worst),
        ]
      }
    }

    /// What the encoder gets, seen through one that loses nothing: each sample of each level within one code.
    @Test(arguments: ["I420", "NV12"]) func beforeEncoding(_ layout: String) async throws {
      let folder = try TemporaryFolder()
      try losslessEncoder(of: layout, in: folder)
      let environment = ["XDG_CONFIG_HOME": folder.url.path(percentEncoded: false)]
      try await judge(MatrixCell.all(encoder: "x264enc", containers: ["mkv"]), environment: environment) { chart in
        [
          above(1, chart.samples?.max, "a sample's error", chart.samples?.worst),
          above(1.5, chart.patches?.max, "the patches' error", chart.patches?.worst),
        ]
      }
    }

    // MARK: Steps

    /// By the files that say what each container holds.
    private static func containers(of codec: String) throws -> [String] {
      struct Container: Decodable { let codecs: [String] }
      let folder = Places.tests.deletingLastPathComponent().appending(path: "pipelines/containers")
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { try decoder.decode(Container.self, from: Data(contentsOf: $0)).codecs.contains(codec) }
        .map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    private func losslessEncoder(of layout: String, in folder: TemporaryFolder) throws {
      let encoders = folder.url.appending(path: "capstan/pipelines/encoders")
      try FileManager.default.createDirectory(at: encoders, withIntermediateDirectories: true)
      try Data(
        """
        {
          element: "x264enc", summary: "lossless", codec: "h264", inputs: ["\(layout)"],
          bitrate: { property: "bitrate", bitsPerUnit: 1000 }, keyFrameInterval: "key-int-max",
          properties: { pass: "quant", quantizer: 0, bframes: 0 }, parser: "h264parse",
        }
        """.utf8
      ).write(to: encoders.appending(path: "x264enc.json5"))
    }

    /// Records all cells, several at once for nothing of this needs real time, and judges them together.
    private func judge(
      _ cells: [MatrixCell], environment: [String: String] = [:],
      bounds: (ColorJudgement.Chart) -> [String?]
    ) async throws {
      let folder = try TemporaryFolder()
      let files = cells.indices.map { folder.file("\($0).\(cells[$0].container)") }
      let outcomes = try await concurrently(cells.indices.map { $0 }) {
        try await cells[$0].record(to: files[$0], environment: environment)
      }
      let judgements = try await ColorJudgement.of(
        zip(cells, files).map { JudgedRecording($1, fullRange: $0.isFullRange, matrix: $0.source.matrix) })
      var table: [String] = []
      for (index, cell) in cells.enumerated() {
        var faults = recordingFaults(cell, outcomes[index], judgements[index])
        if faults.isEmpty { faults = colorFaults(cell, judgements[index], bounds: bounds) }
        table += faults.map { "\(cell.title) | \($0)" }
      }
      Figures.tell(zip(cells, judgements).map { "\($0.title) | \($1.chart?.figures ?? "-")" })
      let comment = "\(table.count) faults in \(cells.count) recordings:\n\(table.joined(separator: "\n"))"
      #expect(table.isEmpty, Comment(rawValue: comment))
    }

    /// A QuickTime file has no place for the range: the user has to hear of it. A machine that is busy may cost a frame,
    /// which the report tells.
    private func recordingFaults(_ cell: MatrixCell, _ outcome: Outcome, _ judgement: ColorJudgement) -> [String] {
      guard outcome.status == 0, !outcome.wasKilled else {
        let cause = outcome.errors.split(separator: "\n").first ?? ""
        return ["\(outcome.wasKilled ? "ended by signal" : "ended with") \(outcome.status): \(cause)"]
      }
      let written = (try? outcome.json()["framesWritten"] as? Int) ?? 0
      if let frames = judgement.chart?.frames, frames != written || frames < MatrixCell.frames / 2 {
        return ["\(frames) frames in the file, \(written) in the report"]
      }
      let isWarned = outcome.errors.contains("mov has no place for full range")
      let isDue = cell.container == "mov" && cell.isFullRange
      return isWarned == isDue ? [] : [isDue ? "no warning that mov cannot say the range" : "a warning without cause"]
    }

    private func colorFaults(
      _ cell: MatrixCell, _ judgement: ColorJudgement, bounds: (ColorJudgement.Chart) -> [String?]
    ) -> [String] {
      guard let signals = judgement.signals, let chart = judgement.chart else {
        return [judgement.error ?? "not judged"]
      }
      // VP8 has no place for colour in its stream, VP9 none for curve and primaries.
      let isVP9 = signals.codec == "vp9"
      var faults = signals.disagreements
      if signals.codec != "vp8" {
        faults += fieldFaults(cell, signals.stream, "stream", saysRange: true, saysAll: !isVP9)
      }
      if let container = signals.container {
        faults += fieldFaults(cell, container, "container", saysRange: container.kind != "nclc", saysAll: true)
        if container.kind == "nclc", cell.container != "mov" { faults.append("nclc in \(cell.container)") }
      } else {
        faults.append("the container says nothing")
      }
      faults += fieldFaults(cell, signals.probe, "ffprobe", saysRange: true, saysAll: true)
      return faults + bounds(chart).compactMap { $0 }
    }

    /// Range and matrix as wished, curve and primaries known. 5 and 6 are two numbers of BT.601's one matrix.
    private func fieldFaults(
      _ cell: MatrixCell, _ said: ColorJudgement.Said, _ place: String, saysRange: Bool, saysAll: Bool
    ) -> [String] {
      var faults: [String] = []
      if saysRange, said.fullRange != cell.isFullRange {
        faults.append("\(place): range \(said.fullRange.map { $0 ? "full" : "limited" } ?? "unknown")")
      }
      let matrices = cell.source.matrix == 709 ? [1] : [5, 6]
      if !matrices.contains(said.matrix ?? 2) { faults.append("\(place): matrix \(said.matrix ?? 2)") }
      if saysAll, said.transfer ?? 2 == 2 { faults.append("\(place): transfer unknown") }
      if saysAll, said.primaries ?? 2 == 2 { faults.append("\(place): primaries unknown") }
      return faults
    }

    private func above(_ bound: Double, _ error: Double?, _ what: String, _ place: String? = nil) -> String? {
      guard let error else { return "no picture" }
      return error <= bound ? nil : "\(what) is \(error), above \(bound)\(place.map { " (\($0))" } ?? "")"
    }
  }
}
