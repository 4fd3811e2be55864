/// Finds cameras: V4L2 nodes by asking each one what it is, with or without udev (containers have none).

import Foundation
import GStreamer

struct DeviceDiscovery: Sendable {
  func devices() -> [CaptureDevice] { cameras() + foreignDevices() }

  func preferred() throws(CaptureError) -> CaptureDevice {
    let cameras = DeviceChooser(devices: cameras()).preferred
    if let cameras, cameras.problem == nil { return cameras }
    if let foreign = foreignDevices().first { return foreign }
    if let problem = cameras?.problem { throw problem }
    throw CaptureError(
      .noCamera, "No camera was found.",
      remedy: "Plug one in and run `capstan devices`, or use the built-in one: --device synthetic.")
  }

  func device(named text: String) throws(CaptureError) -> CaptureDevice {
    let wishes = DeviceChooser.wishes(in: text)
    if wishes.count > 1, let whole = try? DeviceChooser(devices: cameras()).device(called: text) {
      return try usable(whole)
    }
    guard wishes.count < 2 else { return try first(of: wishes) }
    guard let found = try find(wishes.first ?? text) else { throw notFound(wishes.first ?? text) }
    return try usable(found)
  }

  /// The first that is there and can be used; a wish that nothing answers to is passed over, one that several answer to
  /// is an error.
  func first(of wishes: [String]) throws(CaptureError) -> CaptureDevice {
    var problem: CaptureError?
    for wish in wishes {
      do throws(CaptureError) {
        if let found = try find(wish) { return try usable(found) }
      } catch {
        guard [.deviceNotFound, .noCamera, .permissionDenied, .deviceBusy, .deviceLost].contains(error.code) else {
          throw error
        }
        // What is there but closed to this user says more than what is not there.
        if error.code != .deviceNotFound { problem = problem ?? error }
      }
    }
    throw problem ?? notFound(wishes.joined(separator: ", nor "))
  }

  // MARK: By what the user typed

  private func find(_ text: String) throws(CaptureError) -> CaptureDevice? {
    if text == CaptureDevice.synthetic.id { return .synthetic }
    if text == DeviceChooser.anyWord { return try preferred() }
    if text.hasPrefix(ListingFile.prefix) {
      return try ListingFile(path: String(text.dropFirst(ListingFile.prefix.count))).device()
    }
    if text.hasPrefix("element:") { return try element(String(text.dropFirst("element:".count))) }
    if text.contains("/") { return try node(at: text) }
    if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      return try node(at: "\(NodeSurroundings.deviceFolder)/video\(text)")
    }
    if let camera = try DeviceChooser(devices: cameras()).device(called: text) { return camera }
    return try DeviceChooser(devices: foreignDevices()).device(called: text)
  }

  private func usable(_ device: CaptureDevice) throws(CaptureError) -> CaptureDevice {
    if let problem = device.problem { throw problem }
    return device
  }

  private func notFound(_ text: String) -> CaptureError {
    let known = devices().map(DeviceChooser.label) + [CaptureDevice.synthetic.id]
    return CaptureError(
      .deviceNotFound, "There is no camera called \(text).", remedy: "There are: \(known.joined(separator: ", ")).")
  }

  private func element(_ launch: String) throws(CaptureError) -> CaptureDevice {
    let trimmed = launch.trimmingCharacters(in: .whitespaces)
    guard !trimmed.isEmpty else {
      throw CaptureError(
        .deviceNotFound, "element: names no element.", remedy: "Write it as in --device 'element:libcamerasrc'.")
    }
    return CaptureDevice(id: "element:\(trimmed)", name: trimmed, kind: .element(trimmed))
  }

  /// The one node that was named, by its path or a link to it.
  private func node(at path: String) throws(CaptureError) -> CaptureDevice {
    guard let resolved = NodeSurroundings.resolved(path) else { throw CaptureError(V4L2Error.missing(path: path)) }
    do {
      let facts = try NodeScan(links: NodeSurroundings.links()).facts(at: resolved)
      return CameraGrouper().pinned(facts)
    } catch V4L2Error.missing {
      throw CaptureError(V4L2Error.missing(path: path))
    } catch let error as V4L2Error {
      throw CaptureError(error).namingHolders(of: [resolved])
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.deviceFailed, "\(path): \(error)")
    }
  }

  // MARK: All there are

  func cameras() -> [CaptureDevice] {
    let scan = NodeScan(links: NodeSurroundings.links())
    return CameraGrouper().cameras(of: NodeScan.paths().compactMap(scan.look(at:)))
  }

  /// Cameras that GStreamer's own monitor knows and that are no V4L2 nodes, as libcamera's.
  private func foreignDevices() -> [CaptureDevice] {
    DeviceFeed.cameras.devices.compactMap(CaptureDevice.init(foreign:))
  }
}

extension CaptureDevice {
  /// `nil` for a V4L2 node and for another program's view of one.
  init?(foreign device: MonitoredDevice) {
    let isNode = ["device.path", "api.v4l2.path"].contains { device.properties[$0] != nil }
    guard !device.factory.isEmpty, device.factory != "v4l2src", !isNode else { return nil }
    let launch = device.launch
    self.init(id: "element:\(launch)", name: device.displayName, kind: .element(launch))
  }
}

extension MonitoredDevice {
  /// The element with what it has to be told, in gst-launch-1.0's words.
  fileprivate var launch: String {
    let node = PipelineDescription.Node(
      .factory(factory), name: factory,
      properties: launchProperties.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    return "\(LaunchLine(PipelineDescription(stages: [.init("camera", [node])])))"
  }
}
