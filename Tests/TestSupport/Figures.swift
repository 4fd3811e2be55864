/// Figures that a test has measured, for whoever wants to see more than that they are within their bounds.

import Foundation

public enum Figures {
  /// Prints them where `CAPSTAN_FIGURES` is in the environment.
  public static func tell(_ lines: [String]) {
    guard ProcessInfo.processInfo.environment["CAPSTAN_FIGURES"] != nil else { return }
    print(lines.joined(separator: "\n"))
  }
}
