/// The one owner of a C reference: it came by `adopting:` (C gave it to us) or `retaining:` (we took one), and it goes
/// with the value.

import CGStreamer

/// A C type with counted references that any thread may take and give back.
protocol CountedReference {
  static func retain(_ pointer: UnsafeMutablePointer<Self>)
  static func release(_ pointer: UnsafeMutablePointer<Self>)
}

/// Unchecked, because the compiler cannot see that the counts are atomic and that what is behind the pointer has locks
/// of its own (objects) or is only read (caps, events, buffers).
@safe struct Owned<Pointee: CountedReference>: ~Copyable, @unchecked Sendable {
  @unsafe let pointer: UnsafeMutablePointer<Pointee>

  /// Transfer full: the call that returned the pointer gave the reference away.
  init(adopting pointer: UnsafeMutablePointer<Pointee>) {
    unsafe self.pointer = pointer
  }

  /// Transfer full, where the call can also return nothing.
  init?(adopting pointer: UnsafeMutablePointer<Pointee>?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(adopting: pointer)
  }

  /// Transfer none: the pointer is someone else's, so a reference of our own is taken.
  init(retaining pointer: UnsafeMutablePointer<Pointee>) {
    unsafe Pointee.retain(pointer)
    unsafe self.pointer = pointer
  }

  /// Gives the reference on to a call that takes it.
  consuming func release() -> UnsafeMutablePointer<Pointee> {
    let pointer = unsafe self.pointer
    discard self
    return unsafe pointer
  }

  deinit {
    unsafe Pointee.release(pointer)
  }
}

/// `g_object_ref`, `g_object_unref`.
extension GObject: CountedReference {
  static func retain(_ pointer: UnsafeMutablePointer<GObject>) { unsafe g_object_ref(pointer) }
  static func release(_ pointer: UnsafeMutablePointer<GObject>) { unsafe g_object_unref(pointer) }
}

/// `gst_object_ref`, `gst_object_unref`.
protocol ObjectReference: CountedReference {}

extension ObjectReference {
  static func retain(_ pointer: UnsafeMutablePointer<Self>) { unsafe gst_object_ref(pointer) }
  static func release(_ pointer: UnsafeMutablePointer<Self>) { unsafe gst_object_unref(pointer) }

  /// Takes over a floating reference, as those of new elements and pads are: `gst_object_ref_sink`.
  static func sinking(_ pointer: UnsafeMutablePointer<Self>) -> Owned<Self> {
    unsafe gst_object_ref_sink(pointer)
    return unsafe Owned(adopting: pointer)
  }
}

/// `gst_mini_object_ref`, `gst_mini_object_unref`.
protocol MiniObjectReference: CountedReference {}

extension MiniObjectReference {
  static func retain(_ pointer: UnsafeMutablePointer<Self>) { unsafe gst_mini_object_ref(recast(pointer)) }
  static func release(_ pointer: UnsafeMutablePointer<Self>) { unsafe gst_mini_object_unref(recast(pointer)) }
}

extension GstObject: ObjectReference {}
extension GstElement: ObjectReference {}
extension GstPad: ObjectReference {}
extension GstPadTemplate: ObjectReference {}
extension GstBus: ObjectReference {}
extension GstClock: ObjectReference {}
extension GstDevice: ObjectReference {}
extension GstDeviceMonitor: ObjectReference {}
extension GstCaps: MiniObjectReference {}
extension GstMessage: MiniObjectReference {}
extension GstBuffer: MiniObjectReference {}
extension GstEvent: MiniObjectReference {}

/// GObject's inheritance: an instance begins with its parent's struct.
func recast<From, To>(_ pointer: UnsafeMutablePointer<From>) -> UnsafeMutablePointer<To> {
  unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}
