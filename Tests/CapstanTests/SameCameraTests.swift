/// Which camera is the one that was there before, by table.

import Testing

@testable import Capstan

@Suite struct SameCameraTests {
  private static func camera(
    _ path: String = "/dev/video0", name: String = "C922", serial: String? = "A", bus: String = "usb-1"
  ) -> CaptureDevice {
    CaptureDevice(
      id: path, name: name, kind: .v4l2(path: path, driver: "uvcvideo", bus: bus),
      usb: USBIdentity(vendor: "046d", product: "085c", serial: serial))
  }

  @Test func bySerialNumberAnywhere() {
    let same = SameCamera(camera: Self.camera())
    let moved = Self.camera("/dev/video6", bus: "usb-7")
    #expect(same.found(among: [Self.camera(serial: "B"), moved]) == moved)
    #expect(same.found(among: [Self.camera("/dev/video2")])?.path == "/dev/video2")
  }

  @Test func neverAnother() {
    let same = SameCamera(camera: Self.camera())
    #expect(same.found(among: []) == nil)
    #expect(same.found(among: [Self.camera(serial: "B")]) == nil, "in the same port")
    #expect(same.found(among: [Self.camera(serial: nil)]) == nil)
    #expect(same.found(among: [Self.camera(name: "Brio")]) == nil)
  }

  @Test func byPortWithoutASerialNumber() {
    let same = SameCamera(camera: Self.camera(serial: nil))
    #expect(same.found(among: [Self.camera("/dev/video4", serial: nil)])?.path == "/dev/video4")
    #expect(same.found(among: [Self.camera(serial: nil, bus: "usb-2")]) == nil)
  }

  /// A maker who prints one number on every unit: a twin that was there all along is another camera.
  @Test func twinsWithOneNumber() {
    let twin = Self.camera("/dev/video4", bus: "usb-2")
    let same = SameCamera(camera: Self.camera(), others: [twin])
    #expect(same.found(among: [twin]) == nil)
    #expect(same.found(among: [twin, Self.camera("/dev/video8")])?.path == "/dev/video8")
    #expect(same.found(among: [twin, Self.camera("/dev/video8", bus: "usb-3")])?.path == "/dev/video8")
  }
}
