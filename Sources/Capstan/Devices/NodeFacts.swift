/// What is known of one V4L2 node before anything is asked of it but its name and its codes.

/// The USB device behind a node, as sysfs tells it.
public struct USBIdentity: Sendable, Hashable {
  /// Four hexadecimal digits each, as `046d`.
  public let vendor: String
  public let product: String
  /// `nil` where the maker gave none; many give every unit the same one.
  public let serial: String?

  public init(vendor: String, product: String, serial: String? = nil) {
    self.vendor = vendor
    self.product = product
    self.serial = serial
  }

  /// Vendor and product, as `046d:085c`.
  public var id: String { "\(vendor):\(product)" }
}

/// One node that can be recorded from.
public struct CameraNode: Sendable, Hashable, Encodable {
  /// As `/dev/video0`.
  public let path: String
  /// Its links below `/dev/v4l`, which udev keeps.
  public let links: [String]
  /// The driver's codes, as `MJPG`; empty where it could not be asked.
  public let codes: [String]

  public init(path: String, links: [String] = [], codes: [String] = []) {
    self.path = path
    self.links = links
    self.codes = codes
  }

  /// How good a picture it can give: lower is better.
  var rank: CameraRank {
    let payloads = codes.compactMap { Payload(fourCC: FourCC($0)) }.filter { $0.refusal == nil }
    if payloads.contains(where: \.isColor) { return .color }
    return payloads.isEmpty && !codes.isEmpty ? .unusable : codes.isEmpty ? .unknown : .grey
  }
}

/// The order in which cameras are offered: an infrared or depth node is never "the camera" while there is a colour one.
enum CameraRank: Int, Sendable, Hashable, Comparable {
  case color
  /// It could not be asked.
  case unknown
  case grey
  /// Depth, Bayer, nothing that can be recorded.
  case unusable

  static func < (left: CameraRank, right: CameraRank) -> Bool { left.rawValue < right.rawValue }
}

struct NodeFacts: Sendable, Hashable {
  var path: String
  /// The driver's name for people.
  var card: String
  var driver = ""
  var bus = ""
  var codes: [String] = []
  var links: [String] = []
  var usb: USBIdentity?
  /// The device's folder in sysfs: the same for all nodes of a camera.
  var folder: String?
  /// Why it cannot be asked.
  var problem: CaptureError?

  var node: CameraNode { CameraNode(path: path, links: links, codes: codes) }

  /// N of `/dev/videoN`.
  var number: Int { Int(path.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined()) ?? .max }
}
