/// A slow or broken disk for a program under test.

public import Foundation

public enum FakeDisk {
  /// What makes a program see it.
  /// - Parameters:
  ///   - match: stands in the path of the files that are on it.
  ///   - faults: by the words of Tests/FakeDisk/README.md, without `FAKE_DISK_`.
  public static func environment(_ match: String, log: URL? = nil, _ faults: [String: String] = [:]) -> [String: String]
  {
    var variables = ["LD_PRELOAD": library.path(percentEncoded: false), "FAKE_DISK_MATCH": match]
    variables["FAKE_DISK_LOG"] = log?.path(percentEncoded: false)
    for (name, value) in faults { variables["FAKE_DISK_\(name)"] = value }
    return variables
  }

  /// Built once a test run, by make.
  private static let library: URL = {
    let folder = Places.programs.appending(path: "fakedisk", directoryHint: .isDirectory)
    let make = Process()
    make.executableURL = URL(filePath: "/usr/bin/make")
    make.arguments = [
      "-s", "-C", Places.tests.appending(path: "FakeDisk").path(percentEncoded: false),
      "OUT=\(folder.path(percentEncoded: false))",
    ]
    do {
      try make.run()
      make.waitUntilExit()
      guard make.terminationStatus == 0 else { preconditionFailure("FakeDisk cannot be built; run .ci/setup") }
    } catch {
      preconditionFailure("make is missing (\(error)); run .ci/setup")
    }
    return folder.appending(path: "libfakedisk.so")
  }()
}
