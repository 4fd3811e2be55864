/// Dates in the words of strftime(3) (`g_date_time_format`).

import CGStreamer

package enum DateText {
  /// The local time now.
  /// - Returns: `nil` for words that GLib does not know.
  package static func now(_ format: String) -> String? {
    guard let date = unsafe g_date_time_new_now_local() else { return nil }
    defer { unsafe g_date_time_unref(date) }
    return unsafe adopted(g_date_time_format(date, format))
  }
}
