/// A closure as a bus's sync handler (`gst_bus_set_sync_handler`): called on the thread that posts, and the message is
/// gone when it returns.

import CGStreamer

@safe final class BusHandler: Sendable {
  typealias Body = @Sendable (UnsafeMutablePointer<GstMessage>) -> Void

  private let body: Body

  private init(_ body: @escaping Body) { unsafe self.body = body }

  /// The handler's box is freed by its destroy notification.
  static func install(on bus: UnsafeMutablePointer<GstBus>, _ body: @escaping Body) {
    let box = unsafe Unmanaged.passRetained(BusHandler(body)).toOpaque()
    unsafe gst_bus_set_sync_handler(
      bus,
      { _, message, box in
        guard let message = unsafe message, let box = unsafe box else { return GST_BUS_DROP }
        let owned = unsafe Owned(adopting: message)  // A handler that drops owns the message.
        unsafe Unmanaged<BusHandler>.fromOpaque(box).takeUnretainedValue().body(owned.pointer)
        return GST_BUS_DROP
      }, box,
      { box in
        guard let box = unsafe box else { return }
        unsafe Unmanaged<BusHandler>.fromOpaque(box).release()
      })
  }

  /// Takes the handler off; later messages are dropped (`gst_bus_set_flushing`).
  static func remove(from bus: UnsafeMutablePointer<GstBus>) {
    unsafe gst_bus_set_sync_handler(bus, nil, nil, nil)
    unsafe gst_bus_set_flushing(bus, 1)
  }
}
