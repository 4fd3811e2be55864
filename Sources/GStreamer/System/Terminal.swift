/// Whether a descriptor is a terminal, and how wide it is.

import CGStreamer
import Glibc

package enum Terminal {
  /// `isatty`.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns (`ioctl` with `TIOCGWINSZ`); `nil` where it is no terminal, or one that does not know.
  package static func width(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
