/// A camera, or anything else that can stand in for one.

import Foundation
import GStreamer

public struct CaptureDevice: Sendable, Hashable, Identifiable {
  public enum Kind: Sendable, Hashable {
    /// A V4L2 capture node.
    case v4l2(path: String, driver: String, bus: String)
    /// Any source element, in gst-launch-1.0's words.
    case element(String)
    /// The built-in camera.
    case synthetic
    /// A list of formats in a file, as `capstan formats` prints it: to plan with, not to record.
    case listing(path: String)
  }

  /// What `--device` takes. For a V4L2 camera a name that outlasts replugging and reboots: the one that udev makes of its
  /// serial number, as `usb-046d_C922_1A2B`, else vendor, product and serial number, else model and port, as
  /// `046d:085c@usb-0000:00:14.0-3`. For a node that was chosen by its path that path; else `element:...` or
  /// `synthetic`.
  public let id: String
  /// For people.
  public let name: String
  public let kind: Kind
  /// What keeps it from being used, as far as is known without streaming.
  public let problem: CaptureError?
  /// The nodes that it can be recorded from, those with a colour picture first; metadata nodes are left out. One alone
  /// where the device was chosen by a path, none where it is no V4L2 camera.
  public let nodes: [CameraNode]
  /// `nil` for what is not on USB, or where sysfs is not there to be read.
  public let usb: USBIdentity?
  /// Further names that it answers to: the vendor and product, the serial number, the stem of its links.
  public let aliases: [String]

  public init(
    id: String, name: String, kind: Kind, problem: CaptureError? = nil, nodes: [CameraNode] = [],
    usb: USBIdentity? = nil, aliases: [String] = []
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.problem = problem
    self.nodes = nodes
    self.usb = usb
    self.aliases = aliases
  }

  /// The node that is recorded from where the chosen mode names no other; `nil` for what is no V4L2 camera.
  public var path: String? {
    if case .v4l2(let path, _, _) = kind { path } else { nil }
  }

  /// The built-in camera: live, numbered frames of known samples, in several formats.
  public static let synthetic = CaptureDevice(id: "synthetic", name: "Synthetic camera", kind: .synthetic)

  /// What stands at the head of the pipeline.
  public var source: CaptureSource {
    switch kind {
    case .v4l2(let path, _, _): .v4l2(path: path)
    case .element(let launch): .launch(launch)
    case .synthetic: .application
    // Whichever camera has this list.
    case .listing: .launch("v4l2src")
    }
  }

  /// The cameras of this machine: those with a colour picture first, infrared and depth cameras last, else in the order
  /// of their node numbers. The nodes of a USB device are one camera; metadata and output nodes are left out. One that
  /// may not be opened is listed with its `problem`. Blocks while nodes are asked, a few milliseconds each.
  public static func discover() -> [CaptureDevice] {
    DeviceDiscovery().devices()
  }

  /// The first camera of `discover()` that can be used.
  /// - Throws: `noCamera`, or the problem of the only ones there are.
  public static func preferred() throws(CaptureError) -> CaptureDevice {
    try DeviceDiscovery().preferred()
  }

  /// The device for what a user typed: `synthetic`, `any` for the preferred one, `element:...`, an id or alias, the name
  /// or whole words of it, as `C922`; a path below `/dev`, a `/dev/v4l/...` link or a node number, each for that one node
  /// alone; `listing:` and a file of formats, to plan with; or several of these in order of preference, with commas
  /// between them. Blocks as `discover()` does.
  /// - Throws: `deviceNotFound`, `ambiguousDevice`, `permissionDenied`, `deviceBusy`, `notACaptureDevice`.
  public static func named(_ text: String) throws(CaptureError) -> CaptureDevice {
    try DeviceDiscovery().device(named: text)
  }

  /// The first of several wishes that is there and can be used, each as `named(_:)` takes it. No camera is taken that
  /// was not wished for: end the list with `any` to allow it.
  /// - Throws: `deviceNotFound` where none is there, `ambiguousDevice` where a name fits two, and the problem of the
  ///   first one where all that are there have one.
  public static func first(of wishes: [String]) throws(CaptureError) -> CaptureDevice {
    try DeviceDiscovery().first(of: wishes)
  }

  /// Everything that it can do, in the device's own order, node by node. Opens each node once for it, and blocks
  /// meanwhile; cameras take up to a second.
  /// - Throws: `permissionDenied`, `deviceBusy`, `deviceNotFound`, `notACaptureDevice`, `deviceFailed`.
  public func formats() throws(CaptureError) -> [DeviceFormat] {
    switch kind {
    case .synthetic: SyntheticCamera.formats
    case .element(let launch): try FormatReader(name: name).formats(ofElement: launch)
    case .listing(let path): try ListingFile(path: path).listing().formats
    case .v4l2(let path, _, let bus):
      try FormatReader(name: name, bus: bus, usb: usb).formats(ofNodes: nodes.isEmpty ? [path] : nodes.map(\.path))
    }
  }

  /// `formats()` as text: a listing in a file comes back as it is written there, but for its remarks.
  /// - Throws: as `formats()`; `configuration` for a line of a file that is no format.
  public func listing() throws(CaptureError) -> FormatListing {
    if case .listing(let path) = kind { return try ListingFile(path: path).listing() }
    return FormatListing(try formats())
  }

  /// Why the driver will not stream a mode, asked of the driver itself: v4l2src says the same for a busy camera and a
  /// full bus. `nil` where the driver has no objection.
  func obstacle(to mode: CaptureMode) -> CaptureError? {
    guard let path = mode.format.node ?? path else { return nil }
    do {
      return try V4L2Node(path: path).streamingObstacle(mode.format.fourCC, mode.dimensions).map { CaptureError($0) }
    } catch {
      return CaptureError(error)
    }
  }

  /// An error of this camera as a look at its node shows it: whichever of its calls fails first, what is not there any
  /// more was unplugged.
  func seen(_ error: CaptureError) -> CaptureError {
    guard error.code == .deviceFailed, let path, !FileManager.default.fileExists(atPath: path) else { return error }
    return CaptureError.unplugged(name)
  }

  /// An error of this camera with what can be found out about its cause: who keeps it busy.
  func explained(_ error: CaptureError) -> CaptureError { error.namingHolders(of: nodes.map(\.path)) }
}

extension CaptureDevice: Encodable {
  private enum CodingKeys: CodingKey {
    case id, aliases, name, kind, path, links, driver, bus, usb, serial, nodes, element, problem
  }

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
      try container.encode(aliases, forKey: .aliases)
      try container.encode(nodes.first { $0.path == path }?.links ?? [], forKey: .links)
      try container.encode(usb?.id, forKey: .usb)
      try container.encode(usb?.serial, forKey: .serial)
      try container.encode(nodes, forKey: .nodes)
    case .element(let launch):
      try container.encode("element", forKey: .kind)
      try container.encode(launch, forKey: .element)
    case .synthetic: try container.encode("synthetic", forKey: .kind)
    case .listing(let path):
      try container.encode("listing", forKey: .kind)
      try container.encode(path, forKey: .path)
    }
    try container.encodeIfPresent(problem, forKey: .problem)
  }
}
