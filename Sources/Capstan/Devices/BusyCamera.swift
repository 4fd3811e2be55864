/// Patience with a camera that is busy for a moment only: another program looks who is there, or has just been ended.

import Foundation

package enum BusyCamera {
  private static let patience = Duration.seconds(2)
  private static let pause = 0.1

  /// Tries again for as long as the camera is busy, two seconds at most. Blocks meanwhile.
  /// - Parameter tell: called with a sentence's end that says how long it was, where it was and is no more.
  package static func outlast<Value>(
    _ body: () throws(CaptureError) -> Value, tell: (String) -> Void
  ) throws(CaptureError) -> Value {
    let clock = ContinuousClock()
    let start = clock.now
    var wasBusy = false
    while true {
      do throws(CaptureError) {
        let value = try body()
        if wasBusy { tell("the camera was busy for \((clock.now - start).inWords), and waited for") }
        return value
      } catch {
        guard error.code == .deviceBusy, clock.now - start < patience else { throw error }
        wasBusy = true
        Thread.sleep(forTimeInterval: pause)
      }
    }
  }
}
