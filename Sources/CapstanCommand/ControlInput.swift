/// Commands for a running recording, one a line, from standard input: `--commands`.

import Capstan
import Dispatch
import Foundation

/// What can be said to a recording while it runs.
enum ControlWord: String, Sendable, Hashable, CaseIterable {
  case quit, pause, resume, split, status
  case saveReplay = "save-replay"
}

struct ControlInput: Sendable {
  /// Each line as it comes; ends with the input.
  let lines: AsyncStream<String>

  /// Reads on a thread of its own: nothing waits for what is not typed.
  init(_ input: FileHandle = .standardInput) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    Thread.detachNewThread {
      var rest = Data()
      while let data = try? input.read(upToCount: 1), !data.isEmpty {
        guard data[data.startIndex] == UInt8(ascii: "\n") else {
          rest.append(data)
          continue
        }
        continuation.yield(String(decoding: rest, as: UTF8.self).trimmingCharacters(in: .whitespaces))
        rest.removeAll()
      }
      continuation.finish()
    }
  }
}
