/// What elements tell the program, copied out of `GstMessage`.

import CGStreamer
package import MediaFormats

package enum BusMessage: Sendable, Hashable {
  /// The first one is the cause; "Internal data stream error" is its echo.
  case error(ElementFailure)
  case warning(ElementFailure)
  /// Every sink has written its last buffer.
  case endOfStream
  case stateChanged(source: String, from: PipelineState, to: PipelineState, isPipeline: Bool)
  /// To be answered by `Pipeline.recalculateLatency()`.
  case latency
  /// Frames came too late or were lost. The totals are `nil` where the element keeps none, as v4l2src does; waiting
  /// messages of one source are merged, and `count` says how many there were.
  case qos(source: String, processed: UInt64?, dropped: UInt64?, count: Int)
  /// An element's own message, as those of level and splitmuxsink.
  case element(source: String, CapsStructure)
  case asyncDone
  /// The program's own, behind whatever the pipeline has said before: a stream has ended where the program takes it.
  case streamEnded(sink: String)
  /// The program's own: a source has negotiated anew, for whatever reason.
  case negotiatedAgain
  /// By GStreamer's name for the type, as `stream-start`.
  case other(type: String)
}

extension BusMessage {
  init(copying message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ERROR: self = unsafe .error(BusMessage.failure(message, gst_message_parse_error))
    case GST_MESSAGE_WARNING: self = unsafe .warning(BusMessage.failure(message, gst_message_parse_warning))
    case GST_MESSAGE_EOS: self = .endOfStream
    case GST_MESSAGE_STATE_CHANGED: self = unsafe BusMessage(stateChange: message)
    case GST_MESSAGE_LATENCY: self = .latency
    case GST_MESSAGE_QOS: self = unsafe BusMessage(qos: message)
    case GST_MESSAGE_ELEMENT: self = unsafe BusMessage(element: message)
    case GST_MESSAGE_ASYNC_DONE: self = .asyncDone
    default: self = unsafe .other(type: copied(gst_message_type_get_name(message.pointee.type)) ?? "unknown")
    }
  }

  private typealias FailureParser = (
    UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> Void

  private static func failure(_ message: UnsafeMutablePointer<GstMessage>, _ parse: FailureParser) -> ElementFailure {
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<CChar>?
    unsafe parse(message, &error, &debug)
    return unsafe ElementFailure(message, error, debug)
  }

  private init(stateChange message: UnsafeMutablePointer<GstMessage>) {
    var (from, to) = (GST_STATE_NULL, GST_STATE_NULL)
    unsafe gst_message_parse_state_changed(message, &from, &to, nil)
    let source = unsafe MessageSource(message)
    self = .stateChanged(
      source: source.name, from: PipelineState(from), to: PipelineState(to), isPipeline: source.isPipeline)
  }

  private init(qos message: UnsafeMutablePointer<GstMessage>) {
    var format = GST_FORMAT_UNDEFINED
    var (processed, dropped): (guint64, guint64) = (0, 0)
    unsafe gst_message_parse_qos_stats(message, &format, &processed, &dropped)
    let known = format != GST_FORMAT_UNDEFINED
    self = unsafe .qos(
      source: MessageSource(message).name, processed: known && processed != .max ? UInt64(processed) : nil,
      dropped: known && dropped != .max ? UInt64(dropped) : nil, count: 1)
  }

  private init(element message: UnsafeMutablePointer<GstMessage>) {
    let source = unsafe MessageSource(message).name
    guard let structure = unsafe gst_message_get_structure(message) else {
      self = .element(source: source, CapsStructure(""))
      return
    }
    self = unsafe .element(source: source, CapsStructure(copying: structure))
  }

  /// Totals are replaced by newer ones, messages counted: a slow reader must not make the queue grow.
  static func merge(_ older: BusMessage, _ newer: BusMessage) -> BusMessage? {
    guard case .qos(let source, let processed, let dropped, let count) = older,
      case .qos(source, let newProcessed, let newDropped, let more) = newer
    else { return nil }
    return .qos(
      source: source, processed: newProcessed ?? processed, dropped: newDropped ?? dropped, count: count + more)
  }
}
