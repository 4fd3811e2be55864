/// Copies of C's strings: those we were given to free, and those we only look at.

import CGStreamer

/// Transfer none: `nil` for a null pointer; what is not UTF-8 is repaired.
func copied(_ text: UnsafePointer<CChar>?) -> String? {
  guard let text = unsafe text else { return nil }
  return unsafe String(cString: text)
}

/// Transfer full: the text is freed with `g_free`.
func adopted(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text = unsafe text else { return nil }
  defer { unsafe g_free(text) }
  return unsafe String(cString: text)
}

/// Transfer full: a `GError`'s message, freed with `g_error_free`.
func adoptedMessage(_ error: UnsafeMutablePointer<GError>?) -> String? {
  guard let error = unsafe error else { return nil }
  defer { unsafe g_error_free(error) }
  return unsafe copied(error.pointee.message)
}
