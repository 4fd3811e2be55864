/// Terminals that are closed, pipes that nobody reads, descriptors that are not there: none of it costs a recording.

import Foundation
import TestSupport
import Testing

/// False where the file system of pseudo-terminals (devpts) is not mounted, as in a bare chroot.
private let hasTerminals = FileHandle(forUpdatingAtPath: "/dev/ptmx") != nil

extension LightTests {
  @Suite struct ReaderTests {
    private let folder: TemporaryFolder
    private let camera = FakeCamera(format: "YUYV", width: 320, height: 240, rate: (30, 1))

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.file("a.mp4") }

    /// A command line that records into the file.
    private func recording(_ arguments: String...) -> [String] {
      [
        Places.programs.appending(path: "capstan").path(percentEncoded: false), "record", "-d", "/dev/video0", "-o",
        file.path(percentEncoded: false),
      ] + arguments
    }

    /// - Returns: the exit code of a program that `Tests/Tools/at-terminal` ran.
    private func status(of words: [String]) async throws -> Int32 {
      let tool = Places.tests.appending(path: "Tools/at-terminal").path(percentEncoded: false)
      let outcome = try await RunningProgram("/usr/bin/env", ["python3", tool] + words, camera: camera).finish()
      return try #require(Int32(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(outcome.errors)")
    }

    private func checkWhole(frames: Int? = nil) async throws {
      #expect(try folder.names == ["a.mp4"])
      let check = try await RecordingCheck(file)
      #expect(check.isOrdinaryMP4 && check.faultyFrames == 0)
      if let frames { #expect(check.frames?.count == frames) } else { #expect(check.frames?.count ?? 0 >= 30) }
    }

    /// The kernel then sends SIGHUP, and whatever is written to the terminal fails.
    @Test(.enabled("needs pseudo-terminals") { hasTerminals }, arguments: [[], ["--events"]])
    func theTerminalIsClosed(_ more: [String]) async throws {
      #expect(try await status(of: ["closing", "REC 00:00:01"] + recording() + more) == 0)
      try await checkWhole()
    }

    /// As with `nohup`, the recording goes on.
    @Test(.enabled("needs pseudo-terminals") { hasTerminals }) func theTerminalIsClosedAndTheSignalIgnored()
      async throws
    {
      let words = ["closing", "REC 00:00:01", "ignoring"] + recording("--frames", "120")
      #expect(try await status(of: words) == 0)
      try await checkWhole(frames: 120)
    }

    /// One that reads nothing holds up neither the recording nor, for more than a while, the program's end.
    @Test func nobodyReadsTheEvents() async throws {
      #expect(try await status(of: ["unread"] + recording("--events", "--frames", "150")) == 0)
      try await checkWhole(frames: 150)
    }

    /// Files that are opened later must not take the place of what is missing, or messages would end in them.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]) func descriptorsAreMissing(_ closed: String) async throws {
      let words = recording("--frames", "60", "--events")
      let outcome = try await RunningProgram("/bin/sh", ["-c", "exec \"$0\" \"$@\" \(closed)"] + words, camera: camera)
        .finish()
      #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.errors)")
      try await checkWhole(frames: 60)
      let bytes = try Data(contentsOf: file)
      #expect(bytes.range(of: Data("\"event\"".utf8)) == nil && bytes.range(of: Data("lost".utf8)) == nil)
    }
  }
}
