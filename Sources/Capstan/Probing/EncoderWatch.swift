/// Watches both pads of an encoder: what goes in, when, and what comes out.

import GStreamer
import Synchronization

final class EncoderWatch: Sendable {
  struct Seen: Sendable {
    var entered = 0
    /// How many had gone in when the first came out, that one not counted.
    var latency: Int?
    var firstEntry: ContinuousClock.Instant?
    var lastExit: ContinuousClock.Instant?
    var left = 0
    var bytes = 0
    /// The codec's record and the first key frame, as the encoder gave them.
    var record: [UInt8]?
    var keyFrame: [UInt8]?
  }

  private let state = Mutex(Seen())

  var seen: Seen { state.withLock { $0 } }

  /// - Throws: `TrialStop` for an element without one way in and one way out.
  init(_ encoder: Element) throws {
    guard let entry = encoder.pad("sink"), let exit = encoder.pad("src") else {
      throw TrialStop("is no encoder: it has not one way in and one way out")
    }
    entry.observeBuffers { [self] _ in enter() }
    exit.rewriteCodecData { [self] record in
      state.withLock { $0.record = record }
      return nil
    }
    let isFirst: @Sendable (Bool) -> Bool = { [self] in $0 && state.withLock { $0.keyFrame == nil } }
    exit.rewriteBuffers(where: isFirst) { [self] frame in
      state.withLock { $0.keyFrame = frame }
      return nil
    }
    exit.observeBuffers { [self] in leave($0.size) }
  }

  private func enter() -> BufferVerdict {
    let now = ContinuousClock.now
    state.withLock { seen in
      seen.entered += 1
      seen.firstEntry = seen.firstEntry ?? now
    }
    return .pass
  }

  private func leave(_ size: Int) -> BufferVerdict {
    let now = ContinuousClock.now
    state.withLock { seen in
      seen.left += 1
      seen.bytes += size
      seen.lastExit = now
      seen.latency = seen.latency ?? max(0, seen.entered - 1)
    }
    return .pass
  }
}
