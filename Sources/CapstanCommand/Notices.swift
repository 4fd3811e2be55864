/// What people see while a recording runs: notes, and the status as one line that is redrawn or as a line now and then.

import Capstan
import Foundation
import Synchronization

final class Notices: Sendable {
  enum Style: Sendable, Hashable { case redrawn, lines, none }

  /// Between two lines where they cannot be redrawn.
  private static let interval = Duration.seconds(10)

  private struct State {
    /// Columns of the line that stands on the terminal.
    var drawn = 0
    var nextLine = Notices.interval
    var latest: StatusLine?
  }

  private let output: TextOutput
  private let style: Style
  private let isQuiet: Bool
  private let state = Mutex(State())

  init(output: TextOutput, progress: ProgressChoice, isQuiet: Bool) {
    self.output = output
    self.isQuiet = isQuiet
    style =
      switch progress {
      case _ where isQuiet: .none
      case .auto: output.isTerminal ? .redrawn : .lines
      case .tty: .redrawn
      case .plain: .lines
      case .none: .none
      }
  }

  func note(_ text: String) { if !isQuiet { say("note: \(text)") } }

  func tell(_ line: String) { if !isQuiet { say(line) } }

  /// Errors are told to everyone.
  func complain(_ text: String) { say("capstan: \(text)") }

  func show(_ line: StatusLine) {
    state.withLock { $0.latest = line }
    switch style {
    case .none: break
    case .lines:
      let isDue = state.withLock { state in
        guard line.time >= state.nextLine else { return false }
        while state.nextLine <= line.time { state.nextLine += Notices.interval }
        return true
      }
      if isDue { output.post(line.text() + "\n") }
    case .redrawn:
      // One still waiting to be drawn is drawn late, not twice.
      guard output.isIdle else { return }
      // The last column is left free: some terminals go on to the next line once it is written.
      let text = line.text(width: max(1, output.width - 1))
      state.withLock { state in
        let width = DisplayWidth.of(text)
        output.post("\r" + text + String(repeating: " ", count: max(0, state.drawn - width)))
        state.drawn = width
      }
    }
  }

  /// The latest status, for somebody who asks.
  func showAgain() {
    guard let line = state.withLock(\.latest) else { return tell("no frame has come yet.") }
    say(line.text())
  }

  /// Leaves the last status standing.
  func endStatus() {
    state.withLock { state in
      if state.drawn > 0 { output.post("\n") }
      state.drawn = 0
    }
  }

  /// A status line makes room and comes back with its next redraw.
  private func say(_ line: String) {
    state.withLock { state in
      let clear = state.drawn > 0 ? "\r\(String(repeating: " ", count: state.drawn))\r" : ""
      output.post(clear + line + "\n")
      state.drawn = 0
    }
  }
}
