/// An encoder with one fault, as Tests/FakeEncoder makes it, for a program under test.

public import Foundation

public struct FakeEncoder: Sendable {
  /// The element's name.
  public static let element = "fakeenc"

  private let folder: TemporaryFolder
  /// What makes a program see it, with a folder of configuration and a cache of the test's own.
  public let environment: [String: String]

  /// - Parameters:
  ///   - fault: as fakeencoder.c lists them.
  ///   - isHardware: what its file says of it.
  public init(fault: String, isHardware: Bool = true) throws {
    folder = try TemporaryFolder()
    let encoders = folder.file("capstan/pipelines/encoders")
    try FileManager.default.createDirectory(at: encoders, withIntermediateDirectories: true)
    let text = """
      { element: "\(FakeEncoder.element)", summary: "an encoder with a fault", hardware: \(isHardware), codec: "h264",
        inputs: ["I420"], bitrate: { property: "bitrate", bitsPerUnit: 1000 }, keyFrameInterval: "key-int-max",
        properties: { fault: "\(fault)" }, parser: "h264parse" }
      """
    try Data(text.utf8).write(to: encoders.appending(path: "\(FakeEncoder.element).json5"))
    environment = [
      "XDG_CONFIG_HOME": folder.url.path(), "XDG_CACHE_HOME": folder.url.path(),
      "GST_PLUGIN_PATH": FakeEncoder.library.deletingLastPathComponent().path(percentEncoded: false),
      "GST_REGISTRY": Places.programs.appending(path: "fakeencoder/registry.bin").path(percentEncoded: false),
    ]
  }

  /// Where the program keeps what it finds.
  public var cache: URL { folder.file("capstan/encoders.json") }

  /// Built once a test run, by make.
  private static let library: URL = {
    let folder = Places.programs.appending(path: "fakeencoder", directoryHint: .isDirectory)
    let make = Process()
    make.executableURL = URL(filePath: "/usr/bin/make")
    make.arguments = [
      "-s", "-C", Places.tests.appending(path: "FakeEncoder").path(percentEncoded: false),
      "OUT=\(folder.path(percentEncoded: false))",
    ]
    do {
      try make.run()
      make.waitUntilExit()
      guard make.terminationStatus == 0 else { preconditionFailure("FakeEncoder cannot be built; run .ci/setup") }
    } catch {
      preconditionFailure("make is missing (\(error)); run .ci/setup")
    }
    return folder.appending(path: "libfakeencoder.so")
  }()
}
