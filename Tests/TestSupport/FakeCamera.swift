/// Cameras for a program under test: tables of real ones, with colours and faults.

public import Foundation

public struct FakeCamera: @unchecked Sendable {
  private let devices: [[String: Any]]
  /// True for a machine on which udev runs: links below /dev/v4l, and events.
  private var hasUdev = false

  /// - Parameters:
  ///   - table: a file of Tests/Fixtures/cameras, without its extension.
  ///   - settings: further fields as Tests/FakeCamera/README.md has them, as `faults` and `color`.
  public init(_ table: String, _ settings: [String: Any] = [:]) {
    let path = Places.cameras.appending(path: "\(table).json").path(percentEncoded: false)
    devices = [["node": 0, "table": path].merging(settings) { $1 }]
  }

  public init(_ table: String, faults: [String: Any]) { self.init(table, ["faults": faults]) }

  /// A camera of one mode.
  public init(
    format: String, width: Int = 1280, height: Int = 720, rate: (numerator: Int, denominator: Int) = (60, 1),
    color: [String: String] = [:], faults: [String: Any] = [:]
  ) {
    self.init(
      formats: [FakeCamera.format(format, width: width, height: height, rate: rate)], color: color, faults: faults)
  }

  /// A camera of the formats that `format(_:...)` gives.
  public init(formats: [[String: Any]], color: [String: String] = [:], faults: [String: Any] = [:]) {
    let table: [String: Any] = [
      "card": "Test camera", "driver": "uvcvideo", "bus_info": "usb-0000:00:14.0-1", "color": color,
      "formats": formats,
    ]
    devices = [["node": 0, "table": table, "faults": faults]]
  }

  /// A format of one mode, for a camera made of several.
  public static func format(
    _ code: String, width: Int = 1280, height: Int = 720, rate: (numerator: Int, denominator: Int) = (60, 1),
    emulated: Bool = false
  ) -> [String: Any] {
    let interval = ["num": rate.denominator, "den": rate.numerator]
    let size: [String: Any] = ["type": "discrete", "width": width, "height": height, "intervals": [interval]]
    return [
      "fourcc": code, "description": code, "compressed": ["MJPG", "H264"].contains(code), "emulated": emulated,
      "sizes": [size],
    ]
  }

  private init(devices: [[String: Any]], hasUdev: Bool = false) {
    self.devices = devices
    self.hasUdev = hasUdev
  }

  /// The same camera with its first node elsewhere.
  public func at(_ node: Int) -> FakeCamera { with(["node": node]) }

  /// All of them, each where it is.
  public func beside(_ others: FakeCamera...) -> FakeCamera {
    FakeCamera(
      devices: others.reduce(devices) { $0 + $1.devices }, hasUdev: hasUdev || others.contains(where: \.hasUdev))
  }

  public var underUdev: FakeCamera { FakeCamera(devices: devices, hasUdev: true) }

  /// The same with fields of Tests/FakeCamera/README.md.
  public func with(_ settings: [String: Any]) -> FakeCamera {
    FakeCamera(devices: devices.map { $0.merging(settings) { $1 } }, hasUdev: hasUdev)
  }

  /// The same with another picture below the counter strip: `bars`, `noise`, `ramp`.
  public func showing(_ picture: String) -> FakeCamera { with(["picture": picture]) }

  /// Plugged in while the file is there.
  public func present(while file: URL) -> FakeCamera { with(["presentWhile": file.path(percentEncoded: false)]) }

  /// Both, the second one at node 4.
  public func and(_ other: FakeCamera) -> FakeCamera {
    FakeCamera(devices: devices + other.devices.map { $0.merging(["node": 4]) { $1 } }, hasUdev: hasUdev)
  }

  /// A file to which each opening, start and stop is written.
  public func logging(to file: URL) -> FakeCamera { with(["log": file.path(percentEncoded: false)]) }

  func environment(in folder: TemporaryFolder) throws -> [String: String] {
    let configuration = folder.file("camera.json")
    try JSONSerialization.data(withJSONObject: ["devices": devices, "udev": hasUdev]).write(to: configuration)
    return [
      "FAKE_CAMERA": configuration.path(percentEncoded: false),
      "LD_PRELOAD": FakeCamera.library.path(percentEncoded: false),
    ]
  }

  /// Built once a test run, by make.
  private static let library: URL = {
    let folder = Places.programs.appending(path: "fakecamera", directoryHint: .isDirectory)
    let make = Process()
    make.executableURL = URL(filePath: "/usr/bin/make")
    make.arguments = [
      "-s", "-C", Places.tests.appending(path: "FakeCamera").path(percentEncoded: false),
      "OUT=\(folder.path(percentEncoded: false))",
    ]
    do {
      try make.run()
      make.waitUntilExit()
      guard make.terminationStatus == 0 else { preconditionFailure("FakeCamera cannot be built; run .ci/setup") }
    } catch {
      preconditionFailure("make is missing (\(error)); run .ci/setup")
    }
    return folder.appending(path: "libfakecamera.so")
  }()
}
