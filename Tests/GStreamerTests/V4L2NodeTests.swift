/// Nodes that are no cameras, told apart, and the pure parts of reading those that are.

import Foundation
import GStreamer
import MediaFormats
import Testing

@Suite struct V4L2NodeTests {
  func temporaryFile() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "capstan-node-\(UUID())").path
    try #require(FileManager.default.createFile(atPath: path, contents: Data()))
    return path
  }

  @Test func aMissingNode() {
    #expect(throws: V4L2Error.missing(path: "/dev/nosuchvideo")) { try V4L2Node(path: "/dev/nosuchvideo") }
    #expect(throws: V4L2Error.missing(path: "/dev/null/video0")) { try V4L2Node(path: "/dev/null/video0") }
    #expect(V4L2Error.missing(path: "/dev/video7").description.contains("/dev/video7"))
  }

  @Test func aRegularFile() throws {
    let path = try temporaryFile()
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: V4L2Error.notCharacterDevice(path: path)) { try V4L2Node(path: path) }
  }

  /// Opening a pipe would wait for a writer.
  @Test func aPipe() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "capstan-pipe-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try #require(try Self.run("mkfifo", path) == 0)
    #expect(throws: V4L2Error.notCharacterDevice(path: path)) { try V4L2Node(path: path) }
  }

  @Test func aDeviceOfAnotherKind() {
    #expect(throws: V4L2Error.notVideo(path: "/dev/null")) { try V4L2Node(path: "/dev/null") }
    #expect(throws: V4L2Error.notVideo(path: "/dev/zero")) { try V4L2Node(path: "/dev/zero") }
  }

  /// Where the node lies that a child process is to be refused: the only thing that both know is the parent.
  static func deniedNode(_ parent: Int32) -> String { "/tmp/capstan-denied-\(parent)" }

  /// Root may open everything, so a child gives up its rights and tries a node that is root's.
  @Test(.enabled("needs root, and a / that other users may enter") { try canMakeNodes() })
  func aNodeThatMayNotBeOpened() async throws {
    let node = Self.deniedNode(getpid())
    defer { try? FileManager.default.removeItem(atPath: node) }
    try #require(try Self.run("mknod", "--mode=0600", node, "c", "1", "3") == 0)
    await #expect(processExitsWith: .success) {
      let node = V4L2NodeTests.deniedNode(getppid())
      try #require(seteuid(65534) == 0)
      let error = V4L2Error.permissionDenied(path: node, group: "root", mode: "0600")
      #expect(throws: error) { try V4L2Node(path: node) }
      #expect(error.description.contains("group root with mode 0600"))
      #expect(error.description.contains("usermod -aG root"))
    }
  }

  static func canMakeNodes() throws -> Bool {
    let root = try FileManager.default.attributesOfItem(atPath: "/")
    guard let mode = root[.posixPermissions] as? NSNumber, mode.intValue & 0o001 != 0 else { return false }
    let node = "/tmp/capstan-trial-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: node) }
    return try geteuid() == 0 && run("mknod", node, "c", "1", "3") == 0
  }

  /// The exit status of a command.
  static func run(_ command: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(arguments: [
    ("Exposure, Dynamic Framerate", "exposure_dynamic_framerate"), ("Gain", "gain"),
    ("White Balance Temperature, Auto", "white_balance_temperature_auto"),
    ("Exposure (Absolute)", "exposure_absolute"), ("  Zoom, Absolute ", "zoom_absolute"),
    ("power_line_frequency", "power_line_frequency"), ("LED1 Mode", "led1_mode"),
  ])
  func controlsAreNamedAsV4L2CtlDoes(_ title: String, _ name: String) {
    #expect(V4L2Control.name(ofTitle: title) == name)
  }
}
