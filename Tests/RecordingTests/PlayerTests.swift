/// Real players show the camera's own colours: each pixel of the chart within four codes of the RGB that the camera saw.

import Foundation
import TestSupport
import Testing

extension ColorWork {
  @Suite struct PlayerTests {
    /// A recording for players; large enough for the filters by which they blow up the chroma planes.
    struct Take: Sendable {
      var source: ChartCamera
      var wish: String
      var encoder: String
      var container: String

      var isFullRange: Bool { wish == "source" ? source.isFullRange : wish == "full" }
      var title: String { "\(source.name) | \(wish) | \(encoder) | \(container)" }

      static let all = ChartCamera.all.flatMap { source in
        ["full", "limited", "source"].flatMap { wish in
          [("x264enc", "mp4"), ("vp9enc", "webm")].map {
            Take(source: source, wish: wish, encoder: $0.0, container: $0.1)
          }
        }
      }

      func record(to file: URL) async throws {
        let arguments =
          [
            "record", "--device", "/dev/video0", "--size", "640x480", "--framerate", "60", "--frames", "12",
            "--color-range", wish, "--encoder", encoder, "--output", file.path(percentEncoded: false),
          ] + source.options
        let camera = source.camera(width: 640, height: 480)
        let outcome = try await RunningProgram("capstan", arguments, camera: camera).finish()
        guard outcome.status == 0 else { throw RecordingFailure(outcome: outcome) }
      }
    }

    @Test(.enabled(if: PlayerCheck.isInstalled("chromium"), "chromium is not installed; .ci/setup installs it"))
    func chromium() async throws {
      let folder = try TemporaryFolder()
      let (takes, files) = try await recordings(in: folder)
      try await check("chromium", files, takes.map(\.title))
      // Without a GPU its converter is 12 off in the blue of limited BT.709, whoever made the file.
      let others = takes.indices.filter { takes[$0].isFullRange || takes[$0].source.matrix == 601 }
      try await check("chromium-software", others.map { files[$0] }, others.map { takes[$0].title })
    }

    @Test(.enabled(if: PlayerCheck.isInstalled("firefox-esr"), "firefox-esr is not installed; .ci/setup installs it"))
    func firefox() async throws { try await checkPresets("firefox") }

    @Test(.enabled(if: PlayerCheck.isInstalled("mpv"), "mpv is not installed; .ci/setup installs it"))
    func mpv() async throws { try await checkPresets("mpv") }

    // MARK: Steps

    private func recordings(in folder: TemporaryFolder) async throws -> ([Take], [URL]) {
      let takes = Take.all
      let files = takes.indices.map { folder.file("\($0).\(takes[$0].container)") }
      _ = try await concurrently(Array(takes.indices)) { try await takes[$0].record(to: files[$0]) }
      return (takes, files)
    }

    /// The presets that come with Capstan, from a webcam.
    private func checkPresets(_ player: String) async throws {
      let folder = try TemporaryFolder()
      let camera = FakeCamera("logitech_c922").showing("ramp")
      let presets = ["720p60", "720p30", "1080p30", "640x480"]
      let files = presets.map { folder.file("\($0).mp4") }
      for (preset, file) in zip(presets, files) {
        let outcome = try await capstan(
          "record", "-d", "/dev/video0", "-p", preset, "--frames", "30", "-o", file.path(percentEncoded: false),
          camera: camera)
        guard outcome.status == 0 else { throw RecordingFailure(outcome: outcome) }
      }
      try await check(player, files, presets)
    }

    private func check(_ player: String, _ files: [URL], _ titles: [String]) async throws {
      let shown = try await PlayerCheck(player, files)
      let table = zip(titles, shown.files).map { "\($0) | \($1.worst) | \($1.place)" }
      Figures.tell([shown.version] + table)
      let faults = zip(table, shown.files).filter { $1.worst > 4 }.map(\.0)
      #expect(shown.files.count == files.count)
      #expect(faults.isEmpty, "\(shown.version):\n\(faults.joined(separator: "\n"))")
    }
  }
}
