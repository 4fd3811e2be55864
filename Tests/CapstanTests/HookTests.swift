/// Programs that are run with a finished file: what they are given, and what is said when they fail or take long.

import Foundation
import Testing

@testable import Capstan

@Suite struct HookTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "capstan-hook-\(UUID().uuidString)", directoryHint: .isDirectory)

  private func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  private func finished(_ file: URL) -> Hook.Finished {
    Hook.Finished(
      ReplayReport(file: file, start: .zero, duration: .milliseconds(2500), frames: 150, bytes: 1000))
  }

  /// Each place is filled once, whatever a name looks like.
  @Test func placesAreFilled() {
    let odd = finished(URL(filePath: "/tmp/{report}.mp4"))
    #expect(odd.filled(into: "{file}") == "/tmp/{report}.mp4")
    #expect(odd.filled(into: "-t{duration}:{file} {other}") == "-t2.500:/tmp/{report}.mp4 {other}")
    let report = #"{"bytes":1000,"duration":2500000000,"file":"/tmp/{report}.mp4","frames":150,"start":0}"#
    #expect(odd.filled(into: "{report}") == report)
  }

  @Test func nothingIsNoHook() { #expect(Hook([]) == nil) }

  /// No shell reads the words: whatever is in a name stays in it.
  @Test func wordsArriveAsTheyAre() async throws {
    try await inFolder { folder in
      let odd = folder.appending(path: "it's $HOME \"; touch x\n*.mp4")
      let copy = folder.appending(path: "copy")
      try Data("picture".utf8).write(to: odd)
      let hook = try #require(Hook(["cp", "--", "{file}", copy.path(percentEncoded: false)]))
      #expect(await hook.run(for: finished(odd)) == nil)
      #expect(try Data(contentsOf: copy) == Data("picture".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).count == 2)
    }
  }

  @Test func thePathStandsInsideOfWordsToo() async throws {
    try await inFolder { folder in
      let file = folder.appending(path: "a.mp4")
      try Data("1".utf8).write(to: file)
      let hook = try #require(Hook(["dd", "status=none", "if={file}", "of={file}.bak"]))
      #expect(await hook.run(for: finished(file)) == nil)
      #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false) + ".bak"))
    }
  }

  @Test(arguments: [
    (["false"], "The hook false failed with exit code 1."),
    (["sh", "-c", "exit 7"], "The hook sh failed with exit code 7."),
    (["sh", "-c", "kill -9 $$"], "The hook sh was ended by signal 9."),
    (["no-such-program"], "The hook no-such-program was not run: there is no such program; check its name and PATH."),
    (["/etc/passwd"], "The hook /etc/passwd was not run: there is no such program; check its name and PATH."),
  ])
  func failuresAreTold(_ words: [String], _ message: String) async throws {
    #expect(await Hook(words)?.run(for: finished(URL(filePath: "/tmp/a.mp4"))) == message)
  }

  /// The program goes on: it is not this one's to end.
  @Test func aSlowOneIsLeftToItself() async throws {
    try await inFolder { folder in
      let file = folder.appending(path: "late")
      let words = ["sh", "-c", "until [ -e \"$0.go\" ]; do sleep 0.05; done; : > \"$0\"", "{file}"]
      let hook = try #require(Hook(words))
      let told = await hook.run(for: finished(file), patience: .milliseconds(50))
      #expect(told == "The hook sh still runs after 0 s; it is left to itself.")
      try Data().write(to: folder.appending(path: "late.go"))
      let deadline = ContinuousClock.now + .seconds(30)
      while !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)), ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    }
  }

  /// A recording whose task was cancelled still runs its hook, and waits for it.
  @Test func cancellationDoesNotHurryIt() async throws {
    let task = Task { await Hook(["sleep", "0.3"])?.run(for: finished(URL(filePath: "/tmp/a.mp4"))) }
    task.cancel()
    let begin = ContinuousClock.now
    #expect(await task.value == nil)
    #expect(ContinuousClock.now - begin >= .milliseconds(200))
  }
}
