/// Messages of a pipeline as an asynchronous stream, without a main loop or a polling thread.

import CGStreamer

@safe package final class Bus: Sendable {
  private let owned: Owned<GstBus>
  private let mailbox = Mailbox<BusMessage>()

  /// For one reader, from the pipeline's beginning on; ends after `close()` or when the pipeline goes.
  package var messages: AsyncStream<BusMessage> { mailbox.letters }

  /// `gst_bus_set_sync_handler`.
  init(adopting bus: UnsafeMutablePointer<GstBus>) {
    unsafe owned = Owned(adopting: bus)
    let mailbox = mailbox
    unsafe BusHandler.install(on: owned.pointer) { message in
      unsafe mailbox.post(BusMessage(copying: message), merge: BusMessage.merge)
    }
  }

  /// Adds a message of the program's own, behind those that the pipeline has posted.
  package func post(_ message: BusMessage) { mailbox.post(message) }

  /// Ends the stream; later messages are dropped.
  package func close() {
    mailbox.close()
    unsafe BusHandler.remove(from: owned.pointer)
  }

  /// The oldest error still unread, for callers that have no reader.
  package var firstFailure: ElementFailure? {
    mailbox.firstUnread {
      guard case .error(let failure) = $0 else { return nil }
      return failure
    }
  }

  deinit { close() }
}
