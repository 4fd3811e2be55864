/// The devices that GStreamer's providers list, now and as they come and go (`GstDeviceMonitor`).

import CGStreamer
package import MediaFormats

package struct MonitoredDevice: Sendable, Hashable {
  package let displayName: String
  /// As `Video/Source`.
  package let deviceClass: String
  /// A camera's caps here say nothing about colour: ask the opened source.
  package let caps: Caps
  /// What the provider knows, as `device.path`.
  package let properties: [String: String]
  /// The element that opens it, as `v4l2src`; empty where the provider makes none.
  package let factory: String
  /// What that element has to be told, as `device`.
  package let launchProperties: [String: PropertyValue]
}

package enum DeviceChange: Sendable, Hashable {
  case added(MonitoredDevice)
  case removed(MonitoredDevice)
  case changed(MonitoredDevice)
}

/// One at a time for a class: see `DeviceFeed`.
@safe package final class DeviceMonitor: Sendable {
  private let owned: Owned<GstDeviceMonitor>
  private let bus: Owned<GstBus>
  private let mailbox = Mailbox<DeviceChange>()

  /// For one reader; ends with `stop()`. Nothing comes before `start()`, and without udev nothing comes at all.
  package var changes: AsyncStream<DeviceChange> { mailbox.letters }

  /// For classes such as `Video/Source` or `Audio/Source` (`gst_device_monitor_new`, `gst_device_monitor_add_filter`).
  package init(classes: String) throws(RuntimeError) {
    try GStreamerRuntime.initialize()
    guard let monitor = unsafe gst_device_monitor_new(), let bus = unsafe gst_device_monitor_get_bus(monitor) else {
      throw RuntimeError(reason: "it made no device monitor")
    }
    unsafe owned = Owned(adopting: monitor)
    unsafe self.bus = Owned(adopting: bus)
    unsafe gst_device_monitor_add_filter(monitor, classes, nil)
    let mailbox = mailbox
    unsafe BusHandler.install(on: bus) { message in
      if let change = unsafe DeviceChange(copying: message) { mailbox.post(change) }
    }
  }

  deinit { stop() }

  /// The devices there are now (`gst_device_monitor_get_devices`). Asks the hardware before `start()`, so it can block
  /// for as long as a device does.
  package var devices: [MonitoredDevice] {
    let list = unsafe gst_device_monitor_get_devices(owned.pointer)
    defer { unsafe g_list_free(list) }
    var found: [MonitoredDevice] = []
    var next = unsafe list
    while let node = unsafe next {
      if let device = unsafe Owned(adopting: node.pointee.data?.assumingMemoryBound(to: GstDevice.self)) {
        found.append(unsafe MonitoredDevice(copying: device.pointer))
      }
      unsafe next = node.pointee.next
    }
    return found
  }

  /// The same, once, without a monitor that runs: the only list there is on a machine without udev.
  package static func devices(of classes: String) throws(RuntimeError) -> [MonitoredDevice] {
    try DeviceMonitor(classes: classes).devices
  }

  /// Begins to watch (`gst_device_monitor_start`); false where no provider can.
  @discardableResult
  package func start() -> Bool { unsafe gst_device_monitor_start(owned.pointer) != 0 }

  /// Ends the watch until the next `start()`; the stream goes on (`gst_device_monitor_stop`).
  package func rest() { unsafe gst_device_monitor_stop(owned.pointer) }

  /// Ends the watch and the stream (`gst_device_monitor_stop`).
  package func stop() {
    unsafe gst_device_monitor_stop(owned.pointer)
    unsafe BusHandler.remove(from: bus.pointer)
    mailbox.close()
  }
}

extension DeviceChange {
  /// `nil` for messages about anything else.
  init?(copying message: UnsafeMutablePointer<GstMessage>) {
    var device: UnsafeMutablePointer<GstDevice>?
    switch unsafe message.pointee.type {
    case GST_MESSAGE_DEVICE_ADDED: unsafe gst_message_parse_device_added(message, &device)
    case GST_MESSAGE_DEVICE_REMOVED: unsafe gst_message_parse_device_removed(message, &device)
    case GST_MESSAGE_DEVICE_CHANGED: unsafe gst_message_parse_device_changed(message, &device, nil)
    default: return nil
    }
    guard let owned = unsafe Owned(adopting: device) else { return nil }
    let copy = unsafe MonitoredDevice(copying: owned.pointer)
    switch unsafe message.pointee.type {
    case GST_MESSAGE_DEVICE_ADDED: self = .added(copy)
    case GST_MESSAGE_DEVICE_REMOVED: self = .removed(copy)
    default: self = .changed(copy)
    }
  }
}

extension MonitoredDevice {
  init(copying device: UnsafeMutablePointer<GstDevice>) {
    displayName = unsafe adopted(gst_device_get_display_name(device)) ?? ""
    deviceClass = unsafe adopted(gst_device_get_device_class(device)) ?? ""
    if let caps = unsafe Owned(adopting: gst_device_get_caps(device)) {
      self.caps = unsafe Caps(copying: caps.pointer)
    } else {
      caps = Caps()
    }
    properties = unsafe MonitoredDevice.properties(of: device)
    (factory, launchProperties) = unsafe MonitoredDevice.launch(of: device)
  }

  /// `gst_device_get_properties`.
  private static func properties(of device: UnsafeMutablePointer<GstDevice>) -> [String: String] {
    guard let structure = unsafe gst_device_get_properties(device) else { return [:] }
    defer { unsafe gst_structure_free(structure) }
    let pairs = unsafe CapsStructure(copying: structure).fields.map { field in
      switch field.value {
      case .string(let text): (field.name, text)
      default: (field.name, field.value.description)
      }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// An element is made, never opened, and what differs in it from a fresh one is what it has to be told
  /// (`gst_device_create_element`).
  private static func launch(of device: UnsafeMutablePointer<GstDevice>) -> (String, [String: PropertyValue]) {
    guard let made = unsafe gst_device_create_element(device, nil) else { return ("", [:]) }
    let element = unsafe Element(GstElement.sinking(made))
    let factory = element.factoryName
    guard let fresh = try? Element(factory: factory) else { return (factory, [:]) }
    var told: [String: PropertyValue] = [:]
    for property in ElementCatalog.properties(of: factory)
    where property.isReadable && property.isWritable && !["name", "parent"].contains(property.name) {
      guard let value = try? element.get(property.name) else { continue }
      // Which device is always told: the one that is the default today may be another tomorrow.
      guard property.name == "device" || value != (try? fresh.get(property.name)) else { continue }
      told[property.name] = value
    }
    return (factory, told)
  }
}
