/// A camera, or anything else that can stand in for one.

import GStreamer

public struct CaptureDevice: Sendable, Hashable, Identifiable {
  public enum Kind: Sendable, Hashable {
    /// A V4L2 capture node.
    case v4l2(path: String, driver: String, bus: String)
    /// Any source element, in gst-launch-1.0's words.
    case element(String)
    /// The built-in camera.
    case synthetic
  }

  /// What `--device` takes: a path, `element:...` or `synthetic`.
  public let id: String
  /// For people.
  public let name: String
  public let kind: Kind
  /// What keeps it from being used, as far as is known without streaming.
  public let problem: CaptureError?

  public init(id: String, name: String, kind: Kind, problem: CaptureError? = nil) {
    self.id = id
    self.name = name
    self.kind = kind
    self.problem = problem
  }

  /// The built-in camera: live, numbered frames of known samples, in several formats.
  public static let synthetic = CaptureDevice(id: "synthetic", name: "Synthetic camera", kind: .synthetic)

  /// What stands at the head of the pipeline.
  public var source: CaptureSource {
    switch kind {
    case .v4l2(let path, _, _): .v4l2(path: path)
    case .element(let launch): .launch(launch)
    case .synthetic: .application
    }
  }

  /// The cameras of this machine, in the order of their node numbers; metadata and output nodes are left out. One that
  /// may not be opened is listed with its `problem`. Blocks while nodes are asked, a few milliseconds each.
  public static func discover() -> [CaptureDevice] {
    DeviceDiscovery().devices()
  }

  /// The first camera that can be used.
  /// - Throws: `noCamera`, or the problem of the only ones there are.
  public static func preferred() throws(CaptureError) -> CaptureDevice {
    try DeviceDiscovery().preferred()
  }

  /// The device for what a user typed: `synthetic`, `element:...`, a path, a node number, or a name as `discover()`
  /// gives it.
  /// - Throws: `deviceNotFound`, `ambiguousDevice`, `permissionDenied`, `notACaptureDevice`.
  public static func named(_ text: String) throws(CaptureError) -> CaptureDevice {
    try DeviceDiscovery().device(named: text)
  }

  /// Everything that it can do, in the device's own order. Opens the device for it, and blocks meanwhile; cameras take
  /// up to a second.
  /// - Throws: `permissionDenied`, `deviceBusy`, `deviceNotFound`, `notACaptureDevice`, `deviceFailed`.
  public func formats() throws(CaptureError) -> [DeviceFormat] {
    switch kind {
    case .synthetic: SyntheticCamera.formats
    case .element(let launch): try FormatReader(name: name).formats(ofElement: launch)
    case .v4l2(let path, _, _): try FormatReader(name: name).formats(ofNode: path)
    }
  }

  /// Why the driver will not stream a mode, asked of the driver itself: v4l2src says the same for a busy camera and a
  /// full bus. `nil` where the driver has no objection.
  func obstacle(to mode: CaptureMode) -> CaptureError? {
    guard case .v4l2(let path, _, _) = kind else { return nil }
    do {
      return try V4L2Node(path: path).streamingObstacle(mode.format.fourCC, mode.dimensions).map { CaptureError($0) }
    } catch {
      return CaptureError(error)
    }
  }
}

extension CaptureDevice: Encodable {
  private enum CodingKeys: CodingKey { case id, name, kind, path, driver, bus, element, problem }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    switch kind {
    case .v4l2(let path, let driver, let bus):
      try container.encode("v4l2", forKey: .kind)
      try container.encode(path, forKey: .path)
      try container.encode(driver, forKey: .driver)
      try container.encode(bus, forKey: .bus)
    case .element(let launch):
      try container.encode("element", forKey: .kind)
      try container.encode(launch, forKey: .element)
    case .synthetic: try container.encode("synthetic", forKey: .kind)
    }
    try container.encodeIfPresent(problem, forKey: .problem)
  }
}
