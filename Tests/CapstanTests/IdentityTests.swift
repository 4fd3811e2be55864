/// Who a camera is: ids, grouping of nodes, choice by name, and what changed between two looks, all without a device.

import Foundation
import GStreamer
import Testing

@testable import Capstan

@Suite struct IdentityTests {
  private static let usb = "usb-0000:00:14.0-3"

  private func node(
    _ number: Int, _ card: String = "C922", bus: String = usb, codes: [String] = ["MJPG"], usb: USBIdentity? = nil,
    links: [String] = [], folder: String? = nil, problem: CaptureError? = nil
  ) -> NodeFacts {
    NodeFacts(
      path: "/dev/video\(number)", card: card, driver: "uvcvideo", bus: bus, codes: codes, links: links, usb: usb,
      folder: folder, problem: problem)
  }

  private func cameras(_ nodes: NodeFacts...) -> [CaptureDevice] { CameraGrouper().cameras(of: nodes) }

  // MARK: Ids

  struct Naming: Sendable {
    let usb: USBIdentity?
    let links: [String]
    let id: String
  }

  @Test(arguments: [
    Naming(usb: nil, links: [], id: "C922-Pro@usb-0000:00:14.0-3"),
    Naming(usb: USBIdentity(vendor: "046d", product: "085c"), links: [], id: "046d:085c@usb-0000:00:14.0-3"),
    Naming(usb: USBIdentity(vendor: "046d", product: "085c", serial: "A1"), links: [], id: "046d:085c-A1"),
    Naming(
      usb: USBIdentity(vendor: "046d", product: "085c", serial: "A1"),
      links: ["/dev/v4l/by-id/usb-046d_C922_A1-video-index0", "/dev/v4l/by-path/pci-0-usb-0:3:1.0-video-index0"],
      id: "usb-046d_C922_A1"),
    // Without a serial number, udev's name is that of every such camera.
    Naming(
      usb: USBIdentity(vendor: "046d", product: "085c"), links: ["/dev/v4l/by-id/usb-046d_C922-video-index0"],
      id: "046d:085c@usb-0000:00:14.0-3"),
  ]) func id(_ naming: Naming) {
    #expect(cameras(node(0, "C922 (Pro)", usb: naming.usb, links: naming.links)).map(\.id) == [naming.id])
  }

  @Test func aSerialNumberThatTwoShareIsNoIdentity() throws {
    let usb = USBIdentity(vendor: "32e4", product: "9230", serial: "2009")
    let two = cameras(node(0, usb: usb), node(4, bus: "usb-0000:00:14.0-4", usb: usb))
    #expect(two.map(\.id) == ["32e4:9230@usb-0000:00:14.0-3", "32e4:9230@usb-0000:00:14.0-4"])
    #expect(throws: CaptureError.self) { try DeviceChooser(devices: two).device(called: "32e4:9230-2009") }
  }

  /// case 21: a node number says nothing.
  @Test func case21_idsStayWhenNumbersSwap() {
    let (first, second) = (USBIdentity(vendor: "1", product: "2", serial: "A"), USBIdentity(vendor: "1", product: "2"))
    let before = cameras(node(0, usb: first), node(4, bus: "usb-1", usb: second))
    let after = cameras(node(4, usb: first), node(0, bus: "usb-1", usb: second))
    #expect(Set(before.map(\.id)) == Set(after.map(\.id)))
    #expect(after.first { $0.id == "1:2-A" }?.path == "/dev/video4")
  }

  // MARK: Grouping

  /// case 56: a second capture node belongs to the same camera.
  @Test func case56_nodesOfOneCamera() {
    let all = cameras(node(0), node(1, codes: ["H264"]), node(2, "Other", bus: "usb-9"))
    #expect(all.map { $0.nodes.map(\.path) } == [["/dev/video0", "/dev/video1"], ["/dev/video2"]])
  }

  /// case 36: infrared and depth are never the camera while there is colour, whatever the numbers.
  @Test func case36_colourFirst() {
    let mixed = cameras(node(0, codes: ["GREY"]), node(2, codes: ["MJPG", "YUYV"]))
    #expect(mixed.map(\.path) == ["/dev/video2"])
    let apart = cameras(
      node(0, "Depth", bus: "usb-1", codes: ["Z16 "]), node(1, "Infrared", bus: "usb-2", codes: ["GREY"]),
      node(2, "Colour", bus: "usb-3", codes: ["YUYV"]))
    #expect(apart.map(\.name) == ["Colour", "Infrared", "Depth"])
  }

  /// One address of a PCI bus carries all inputs of a capture card.
  @Test func inputsOfACaptureCardAreApart() {
    #expect(cameras(node(0, bus: "PCI:0000:05:00.0"), node(1, bus: "PCI:0000:05:00.0")).count == 2)
  }

  /// case 15: nodes that may not be opened are one camera, by their folder in sysfs.
  @Test func case15_closedNodesAreOneCamera() {
    let problem = CaptureError.permission("C922")
    func closed(_ number: Int, _ folder: String) -> NodeFacts {
      node(number, bus: "", codes: [], folder: folder, problem: problem)
    }
    let all = cameras(closed(0, "/sys/a"), closed(1, "/sys/a"), closed(2, "/sys/b"))
    #expect(all.map(\.nodes.count) == [2, 1])
    #expect(all.allSatisfy { $0.problem == problem })
  }

  // MARK: Choice

  private var three: DeviceChooser {
    DeviceChooser(
      devices: cameras(
        node(0, "HD Pro Webcam C920"), node(2, "C922 Pro Stream Webcam", bus: "usb-2"),
        node(4, "Logitech BRIO", bus: "usb-4")))
  }

  @Test(arguments: [
    ("C920", "HD Pro Webcam C920"), ("brio", "Logitech BRIO"), ("c922 pro", "C922 Pro Stream Webcam"),
    ("Logitech-BRIO@usb-4", "Logitech BRIO"), ("hd pro webcam c920", "HD Pro Webcam C920"),
  ]) func called(_ text: String, _ name: String) throws {
    #expect(try three.device(called: text)?.name == name)
  }

  /// Parts of words, other words and nothing at all are no name.
  @Test(arguments: ["C92", "BRIO Logitech", "", "--", "922"]) func notCalled(_ text: String) throws {
    #expect(try three.device(called: text) == nil)
  }

  @Test(arguments: ["webcam", "Pro"]) func ambiguous(_ text: String) throws {
    let error = try #require(throws: CaptureError.self) { try three.device(called: text) }
    #expect(error.code == .ambiguousDevice)
    #expect(error.message.contains("/dev/video0") && error.message.contains("C922-Pro-Stream-Webcam@usb-2"))
  }

  @Test(arguments: [
    ("Brio,C922,any", ["Brio", "C922", "any"]), (" a , b,, ", ["a", "b"]), ("/dev/video0", ["/dev/video0"]),
    ("Brio,element:a ! video/x-raw,width=2", ["Brio", "element:a ! video/x-raw,width=2"]),
    ("listing:a,b.txt", ["listing:a,b.txt"]), ("", []),
  ]) func wishes(_ text: String, _ wishes: [String]) {
    #expect(DeviceChooser.wishes(in: text) == wishes)
  }

  // MARK: Changes

  @Test func differencesAreToldOnce() {
    let (one, two) = (cameras(node(0)), cameras(node(0), node(4, "Other", bus: "usb-9")))
    #expect(CameraLedger.differences(from: one, to: one).isEmpty)
    #expect(CameraLedger.differences(from: one, to: two).map(\.name) == ["added"])
    #expect(CameraLedger.differences(from: two, to: one).map(\.device.name) == ["Other"])
    // Back under another number: it went and came, and is the same.
    let moved = CameraLedger.differences(from: one, to: cameras(node(8)))
    #expect(moved.map(\.name) == ["removed", "added"] && Set(moved.map(\.device.id)).count == 1)
  }

  // MARK: Errors

  /// case 14: an error that names nobody stays as it is, and this process is never named.
  @Test func case14_noHolderNoName() {
    let error = CaptureError(V4L2Busy.error)
    #expect(error.namingHolders(of: ["/dev/video-that-nobody-has"]) == error)
    #expect(error.namingHolders(of: ["/dev/null"]).description.contains("(process \(V4L2Busy.own))") == false)
  }
}

private enum V4L2Busy {
  static let error = V4L2Error.busy(path: "/dev/video0")
  static let own = ProcessInfo.processInfo.processIdentifier
}
