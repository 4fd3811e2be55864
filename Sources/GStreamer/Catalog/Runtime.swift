/// GStreamer's start, once in a process.

import CGStreamer

package enum GStreamerRuntime {
  /// Starts GStreamer (`gst_init_check`); any thread may call it any number of times.
  package static func initialize() throws(RuntimeError) {
    if let failure = started { throw failure }
  }

  /// As `GStreamer 1.22.0` (`gst_version_string`).
  package static var version: String { unsafe adopted(gst_version_string()) ?? "GStreamer" }

  /// Leaves SIGSEGV to the program: GStreamer would put a handler of its own in while it loads plug-ins
  /// (`gst_segtrap_set_enabled`).
  static func keepSignals() { gst_segtrap_set_enabled(0) }

  /// A static is made once, whoever asks first. The program's arguments are none of GStreamer's business here.
  private static let started: RuntimeError? = {
    keepSignals()
    var error: UnsafeMutablePointer<GError>?
    if unsafe gst_init_check(nil, nil, &error) != 0 { return nil }
    return unsafe RuntimeError(reason: adoptedMessage(error) ?? "it gave no reason")
  }()
}

/// GStreamer did not start.
package struct RuntimeError: Error, Hashable, CustomStringConvertible {
  package let reason: String

  package var description: String {
    "GStreamer could not start: \(reason). Check that libgstreamer1.0-0 is installed whole."
  }
}
