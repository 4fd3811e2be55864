/// What trials found, on disk: what still holds, and what does not.

import Foundation
import Testing

@testable import Capstan
@testable import PipelinePlanning

@Suite struct EncoderCacheTests {
  private static func cache() -> EncoderCache {
    let folder = FileManager.default.temporaryDirectory.appending(path: "capstan-cache-\(UUID().uuidString)")
    return EncoderCache(file: folder.appending(path: "capstan/encoders.json"))
  }

  private func remove(_ cache: EncoderCache) {
    let folder = cache.file.deletingLastPathComponent().deletingLastPathComponent()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Of an element that GStreamer itself has.
  private static func trial(speed: String? = "fast", bitRate: Int = 8_000_000, fault: String = "none") -> EncoderTrial {
    let node = PipelineDescription.Node("identity", name: "encoder", ["fault": .string(fault)])
    return EncoderTrial(
      subject: EncoderSubject(
        element: "identity", speed: speed, dimensions: VideoDimensions(width: 64, height: 64), format: .i420),
      codec: "h264", frameRate: Fraction(60), colorimetry: .unknown, bitRate: bitRate, keyFrameDistance: 15,
      nodes: [node])
  }

  private static func finding(failure: String? = nil, date: Date = Date()) -> EncoderFinding {
    var finding = EncoderFinding(failure: failure, date: date)
    if failure == nil { (finding.framesPerSecond, finding.coreSecondsPerFrame) = (100, 0.01) }
    return finding
  }

  @Test func whatWasFoundIsReadAgain() throws {
    let cache = Self.cache()
    defer { remove(cache) }
    try cache.add(Self.finding(), of: Self.trial())
    try cache.add(Self.finding(), of: Self.trial(speed: nil))
    #expect(cache.finding(of: Self.trial(bitRate: 1_000_000))?.framesPerSecond == 100)
    #expect(cache.finding(of: Self.trial(speed: "slow")) == nil)
    #expect(cache.evidence.findings.count == 2 && cache.findings.count == 2)
  }

  @Test func aNewFindingTakesThePlaceOfTheOld() throws {
    let cache = Self.cache()
    defer { remove(cache) }
    try cache.add(Self.finding(failure: "did not start"), of: Self.trial())
    try cache.add(Self.finding(), of: Self.trial())
    #expect(cache.findings.count == 1 && cache.finding(of: Self.trial())?.failure == nil)
  }

  /// A day, and the same settings.
  @Test(arguments: [(0.0, "none", true), (86_000, "none", true), (87_000, "none", false), (0, "other", false)])
  func whatSpeaksAgainstAnEncoderHoldsForAWhile(_ age: Double, _ fault: String, _ holds: Bool) throws {
    let cache = Self.cache()
    defer { remove(cache) }
    let now = Date()
    let found = Self.finding(failure: "did not start", date: now.addingTimeInterval(-age))
    try cache.add(found, of: Self.trial())
    #expect((cache.finding(of: Self.trial(fault: fault), now: now) != nil) == holds)
    #expect(cache.evidence.findings.isEmpty, "it has no figures")
  }

  @Test(arguments: [
    ("\"plugin\"", "\"version\" : \"", "\"version\" : \"0"),
    ("\"processor\"", "\"processor\" : \"", "\"processor\" : \"no "),
  ])
  func anotherPlugInOrProcessorIsAnotherStory(_ key: String, _ from: String, _ to: String) throws {
    let cache = Self.cache()
    defer { remove(cache) }
    try cache.add(Self.finding(), of: Self.trial())
    let text = try String(contentsOf: cache.file, encoding: .utf8)
    #expect(text.contains(key))
    try Data(text.replacing(from, with: to).utf8).write(to: cache.file)
    #expect(cache.finding(of: Self.trial()) == nil)
  }

  @Test(arguments: ["", "{", "[]", "{ \"version\" : 7, \"trials\" : [] }", "{ \"version\" : 1, \"trials\" : [{}] }"])
  func aBrokenFileIsNobodysLoss(_ text: String) throws {
    let cache = Self.cache()
    defer { remove(cache) }
    try cache.add(Self.finding(), of: Self.trial())
    try Data(text.utf8).write(to: cache.file)
    #expect(cache.findings.isEmpty)
    try cache.add(Self.finding(), of: Self.trial())
    #expect(cache.findings.count == 1)
  }

  @Test func withoutACommandNothingIsTried() {
    let cache = Self.cache()
    let prober = EncoderProber(program: nil, cache: cache)
    #expect(prober.prove(Self.trial()) == .untried("there is no capstan command to try it with"))
  }

  /// A program that is none of ours is not mistaken for an encoder that crashes.
  @Test(arguments: ["/bin/false", "/bin/echo", "/nowhere/capstan"])
  func anotherProgramOfTheNameSaysNothing(_ path: String) {
    let prober = EncoderProber(program: URL(filePath: path), cache: Self.cache())
    guard case .untried = prober.probe(Self.trial()) else {
      Issue.record("an answer")
      return
    }
  }
}
