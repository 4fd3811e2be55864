/// Watching what passes a pad (`gst_pad_add_probe`), buffer by buffer, on the thread that carries it.

import CGStreamer
package import MediaFormats
import Synchronization

/// A buffer's particulars, without its bytes.
package struct BufferInfo: Sendable, Hashable {
  /// Nanoseconds of the stream's own time.
  package let pts: Int64?
  package let dts: Int64?
  package let duration: Int64?
  /// For a camera the driver's sequence number.
  package let offset: UInt64?
  /// In bytes.
  package let size: Int
  /// Cannot be decoded by itself.
  package let isDelta: Bool
  package let isCorrupted: Bool
  /// The first after a gap.
  package let isDiscont: Bool
  /// The same number for equal pictures in a row; only where it was asked for.
  package let pictureNumber: UInt64?
  /// Whether a JPEG is there to its end; only where it was asked for.
  package let hasJPEGEnd: Bool?

  package init(
    pts: Int64?, dts: Int64? = nil, duration: Int64? = nil, offset: UInt64?, size: Int, isDelta: Bool = false,
    isCorrupted: Bool = false, isDiscont: Bool = false, pictureNumber: UInt64? = nil,
    hasJPEGEnd: Bool? = nil
  ) {
    self.pts = pts
    self.dts = dts
    self.duration = duration
    self.offset = offset
    self.size = size
    self.isDelta = isDelta
    self.isCorrupted = isCorrupted
    self.isDiscont = isDiscont
    self.pictureNumber = pictureNumber
    self.hasJPEGEnd = hasJPEGEnd
  }
}

/// What is read out of a buffer's bytes, beside its particulars.
package struct BufferInspection: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let repetition = BufferInspection(rawValue: 1)
  package static let jpegEnd = BufferInspection(rawValue: 2)
}

package enum BufferVerdict: Sendable, Hashable { case pass, drop }

package enum PadEvent: Sendable, Hashable {
  /// No buffer follows.
  case endOfStream
  /// The buffers that follow are of these caps.
  case caps(Caps)
}

/// A watch on a pad. It lasts until it is removed or the pad goes, whether this is kept or not.
@safe package final class PadObservation: Sendable {
  private let pad: Pad
  private let id: Mutex<gulong>

  init(_ pad: Pad, _ id: gulong) {
    self.pad = pad
    self.id = Mutex(id)
  }

  /// Ends the watch (`gst_pad_remove_probe`); a call that is under way on another thread may still finish.
  package func remove() {
    let id = id.withLock { id in
      defer { id = 0 }
      return id
    }
    guard id != 0 else { return }
    unsafe gst_pad_remove_probe(pad.pointer, id)
  }
}

extension Pad {
  /// Calls `body` for every buffer, before it goes on. `body` holds up the stream for as long as it takes.
  /// - Parameter inspection: what to read out of each buffer's bytes.
  @discardableResult
  package func observeBuffers(
    inspecting inspection: BufferInspection = [], _ body: @escaping @Sendable (BufferInfo) -> BufferVerdict
  ) -> PadObservation {
    let mask = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
    let inspector = BufferInspector(inspection)
    return unsafe observe(mask) { info in
      if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
        return unsafe Pad.filterList(info, inspector, body)
      }
      guard let buffer = unsafe gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
      return unsafe body(inspector.read(buffer)) == .pass ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
  }

  /// Calls `body` for the end of the stream and for new caps, before they go on.
  @discardableResult
  package func observeEvents(_ body: @escaping @Sendable (PadEvent) -> Void) -> PadObservation {
    unsafe observe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue) { info in
      guard let event = unsafe gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      switch unsafe event.pointee.type {
      case GST_EVENT_EOS: body(.endOfStream)
      case GST_EVENT_CAPS:
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_event_parse_caps(event, &caps)
        if let caps = unsafe caps { unsafe body(.caps(Caps(copying: caps))) }
      default: break
      }
      return GST_PAD_PROBE_OK
    }
  }

  typealias ProbeBody = @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

  /// The closure goes in a box that the probe's destroy notification frees.
  func observe(_ mask: GstPadProbeType.RawValue, _ body: @escaping ProbeBody) -> PadObservation {
    let box = unsafe Unmanaged.passRetained(ProbeBox(body)).toOpaque()
    let id = unsafe gst_pad_add_probe(
      pointer, GstPadProbeType(rawValue: mask),
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box else { return GST_PAD_PROBE_OK }
        return unsafe Unmanaged<ProbeBox>.fromOpaque(box).takeUnretainedValue().body(info)
      }, box,
      { box in
        guard let box = unsafe box else { return }
        unsafe Unmanaged<ProbeBox>.fromOpaque(box).release()
      })
    return PadObservation(self, id)
  }

  /// Takes the dropped ones out of a list, and the list out of the stream where none is left.
  private static func filterList(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ inspector: BufferInspector, _ body: (BufferInfo) -> BufferVerdict
  ) -> GstPadProbeReturn {
    guard let list = unsafe gst_pad_probe_info_get_buffer_list(info) else { return GST_PAD_PROBE_OK }
    let count = unsafe gst_buffer_list_length(list)
    let dropped = (0..<count).filter { index in
      guard let buffer = unsafe gst_buffer_list_get(list, index) else { return false }
      return unsafe body(inspector.read(buffer)) == .drop
    }
    if dropped.isEmpty { return GST_PAD_PROBE_OK }
    if dropped.count == Int(count) { return GST_PAD_PROBE_DROP }
    let writable = unsafe gst_mini_object_make_writable(UnsafeMutablePointer<GstMiniObject>(list))
    for index in dropped.reversed() { unsafe gst_buffer_list_remove(OpaquePointer(writable), index, 1) }
    unsafe capstan_set_probe_data(info, writable)
    return GST_PAD_PROBE_OK
  }
}

@safe private final class ProbeBox: Sendable {
  let body: Pad.ProbeBody
  init(_ body: @escaping Pad.ProbeBody) { unsafe self.body = body }
}

/// Reads a buffer's particulars, and of its bytes what was asked for.
private struct BufferInspector: Sendable {
  private let looksAtJPEGEnd: Bool
  private let comparer: PictureComparer?

  init(_ inspection: BufferInspection) {
    looksAtJPEGEnd = inspection.contains(.jpegEnd)
    comparer = inspection.contains(.repetition) ? PictureComparer() : nil
  }

  func read(_ buffer: UnsafeMutablePointer<GstBuffer>) -> BufferInfo {
    let raw = unsafe buffer.pointee
    let flags = unsafe raw.mini_object.flags
    return BufferInfo(
      pts: unsafe BufferInspector.time(raw.pts), dts: unsafe BufferInspector.time(raw.dts),
      duration: unsafe BufferInspector.time(raw.duration),
      offset: unsafe raw.offset == capstan_no_offset() ? nil : UInt64(raw.offset),
      size: unsafe Int(gst_buffer_get_size(buffer)),
      isDelta: flags & guint(GST_BUFFER_FLAG_DELTA_UNIT.rawValue) != 0,
      isCorrupted: flags & guint(GST_BUFFER_FLAG_CORRUPTED.rawValue) != 0,
      isDiscont: flags & guint(GST_BUFFER_FLAG_DISCONT.rawValue) != 0,
      pictureNumber: unsafe comparer?.number(of: buffer),
      hasJPEGEnd: looksAtJPEGEnd ? unsafe JPEGEnd.isThere(in: buffer) : nil)
  }

  private static func time(_ time: GstClockTime) -> Int64? { Int64(exactly: time) }
}
