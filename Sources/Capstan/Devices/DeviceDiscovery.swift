/// Finds cameras: V4L2 nodes by asking each one what it is, with or without udev (containers have none).

import Foundation
import GStreamer

struct DeviceDiscovery: Sendable {
  static let folder = "/dev"

  func devices() -> [CaptureDevice] {
    nodes() + foreignDevices()
  }

  func preferred() throws(CaptureError) -> CaptureDevice {
    let nodes = nodes()
    if let first = nodes.first(where: { $0.problem == nil }) ?? foreignDevices().first { return first }
    if let problem = nodes.first?.problem { throw problem }
    throw CaptureError(
      .noCamera, "No camera was found.",
      remedy: "Plug one in and run `capstan devices`, or use the built-in one: --device synthetic.")
  }

  func device(named text: String) throws(CaptureError) -> CaptureDevice {
    if text == CaptureDevice.synthetic.id { return .synthetic }
    if text.hasPrefix("element:") { return try element(String(text.dropFirst("element:".count))) }
    if text.contains("/") { return try usable(try node(at: text, isExpected: true)) }
    if text.allSatisfy(\.isNumber), !text.isEmpty {
      return try usable(try node(at: "\(DeviceDiscovery.folder)/video\(text)", isExpected: true))
    }
    return try usable(try byName(text))
  }

  // MARK: By what the user typed

  private func usable(_ device: CaptureDevice?) throws(CaptureError) -> CaptureDevice {
    guard let device else { throw CaptureError(.deviceNotFound, "There is no such device.") }
    if let problem = device.problem { throw problem }
    return device
  }

  private func element(_ launch: String) throws(CaptureError) -> CaptureDevice {
    let trimmed = launch.trimmingCharacters(in: .whitespaces)
    guard !trimmed.isEmpty else {
      throw CaptureError(
        .deviceNotFound, "element: names no element.", remedy: "Write it as in --device 'element:libcamerasrc'.")
    }
    return CaptureDevice(id: "element:\(trimmed)", name: trimmed, kind: .element(trimmed))
  }

  private func byName(_ text: String) throws(CaptureError) -> CaptureDevice {
    let all = devices()
    let matches = all.filter { $0.name.lowercased() == text.lowercased() || $0.id == text }
    if matches.count == 1 { return matches[0] }
    guard matches.isEmpty else {
      throw CaptureError(
        .ambiguousDevice, "Several cameras are called \(text): \(matches.map(\.id).joined(separator: ", ")).",
        remedy: "Choose one by its path.")
    }
    let known = all.map { "\($0.id) (\($0.name))" } + ["synthetic"]
    throw CaptureError(
      .deviceNotFound, "There is no camera called \(text).", remedy: "There are: \(known.joined(separator: ", ")).")
  }

  // MARK: V4L2

  private func nodes() -> [CaptureDevice] {
    nodePaths().compactMap { try? node(at: $0, isExpected: false) }
  }

  private func nodePaths() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: DeviceDiscovery.folder)) ?? []
    let numbers = names.filter { $0.hasPrefix("video") }.compactMap { Int($0.dropFirst("video".count)) }
    return numbers.sorted().map { "\(DeviceDiscovery.folder)/video\($0)" }
  }

  /// - Parameter isExpected: true where the user named this node, so that "it is no camera" is an error; `nil` is
  ///   returned for one that turned up by itself.
  private func node(at path: String, isExpected: Bool) throws(CaptureError) -> CaptureDevice? {
    do {
      let node = try V4L2Node(path: path)
      let identity = try node.identity
      if identity.isCamera {
        return CaptureDevice(
          id: path, name: identity.card,
          kind: .v4l2(path: path, driver: identity.driver, bus: identity.busInfo))
      }
      guard isExpected else { return nil }
      throw CaptureError(
        .notACaptureDevice, "\(path) (\(identity.card)) is not a camera: it is \(identity.purpose).",
        remedy: "`capstan devices` lists the nodes that are.")
    } catch let error as V4L2Error {
      let problem = CaptureError(error)
      if isExpected { throw problem }
      guard problem.code == .permissionDenied || problem.code == .deviceBusy else { return nil }
      return CaptureDevice(id: path, name: path, kind: .v4l2(path: path, driver: "", bus: ""), problem: problem)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.deviceFailed, "\(path): \(error)")
    }
  }

  // MARK: Others

  /// Cameras that GStreamer's own monitor knows and that are no V4L2 nodes, as libcamera's.
  private func foreignDevices() -> [CaptureDevice] {
    guard let monitor = try? DeviceMonitor(classes: "Video/Source") else { return [] }
    return monitor.devices.filter { $0.isForeign }.map { device in
      let launch = device.launch
      return CaptureDevice(id: "element:\(launch)", name: device.displayName, kind: .element(launch))
    }
  }
}

extension MonitoredDevice {
  /// Neither a V4L2 node nor another program's view of one.
  fileprivate var isForeign: Bool {
    let isNode = ["device.path", "api.v4l2.path"].contains { properties[$0] != nil }
    return !factory.isEmpty && factory != "v4l2src" && !isNode
  }

  /// The element with what it has to be told, in gst-launch-1.0's words.
  fileprivate var launch: String {
    let node = PipelineDescription.Node(
      .factory(factory), name: factory,
      properties: launchProperties.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    return "\(LaunchLine(PipelineDescription(stages: [.init("camera", [node])])))"
  }
}

extension V4L2Identity {
  /// What the node is for, in words.
  fileprivate var purpose: String {
    if kinds.contains(.memoryToMemory) { return "a converter (memory to memory)" }
    if kinds.contains(.metadataCapture) { return "a camera's metadata node" }
    if kinds.contains(.videoOutput) { return "a video output" }
    return kinds.isEmpty
      ? "a node without a known use" : "a node for \(kinds.map(\.rawValue).sorted().joined(separator: ", "))"
  }
}
