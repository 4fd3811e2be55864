/// The two places that text goes to: stdout for data, stderr for people.

import Foundation
import GStreamer

struct Console: Sendable {
  let output = TextOutput(.standardOutput, descriptor: 1)
  let errors = TextOutput(.standardError, descriptor: 2)

  /// One line for people.
  func say(_ line: String) { errors.post(line + "\n") }

  /// The answer of a command.
  func answer(_ text: String) { output.post(text.hasSuffix("\n") ? text : text + "\n") }

  /// Waits until readers have taken everything.
  func settle() async {
    for text in [errors, output] { await text.outlast(Task.detached { await text.flush() }) }
  }
}
