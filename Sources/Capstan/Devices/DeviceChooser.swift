/// Finds the camera that a user means among those there are, as a pure function.

struct DeviceChooser: Sendable {
  /// The word for "whichever there is".
  static let anyWord = "any"

  let devices: [CaptureDevice]

  /// By stable id or another name of the same kind; else by its name, in full; else by words of it that stand together,
  /// as `C922` for `C922 Pro Stream Webcam`. `nil` where nothing is called that.
  /// - Throws: `ambiguousDevice` where several are.
  func device(called text: String) throws(CaptureError) -> CaptureDevice? {
    let wanted = DeviceChooser.words(of: text)
    let tests: [(CaptureDevice) -> Bool] = [
      { $0.id == text || $0.aliases.contains(text) },
      { $0.name.lowercased() == text.lowercased() },
      { !wanted.isEmpty && DeviceChooser.words(of: $0.name).contains(wanted) },
    ]
    for test in tests {
      let found = devices.filter(test)
      if found.count > 1 { throw ambiguous(text, found) }
      if let found = found.first { return found }
    }
    return nil
  }

  /// The first that can be used; else the first there is, with its problem.
  var preferred: CaptureDevice? { devices.first { $0.problem == nil } ?? devices.first }

  /// What a comma-separated list wishes, in order. A source in gst-launch-1.0's words, and a file, take the rest of the
  /// text: both may hold commas.
  static func wishes(in text: String) -> [String] {
    var (wishes, rest) = ([String](), Substring(text))
    while let comma = rest.firstIndex(of: ","), !takesRest(rest) {
      wishes.append(trimmed(rest[..<comma]))
      rest = rest[rest.index(after: comma)...]
    }
    return (wishes + [trimmed(rest)]).filter { !$0.isEmpty }
  }

  private static func takesRest(_ text: Substring) -> Bool {
    ["element:", "listing:"].contains { trimmed(text).hasPrefix($0) }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func words(of text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { Substring(String($0)) }
  }

  private func ambiguous(_ text: String, _ found: [CaptureDevice]) -> CaptureError {
    let ids = found.map(DeviceChooser.label).joined(separator: " and ")
    return CaptureError(
      .ambiguousDevice, "\(found.count == 2 ? "Two" : "Several") cameras are called \(text): \(ids).",
      remedy: "Choose one by its id or its path.")
  }

  /// `046d:085c@usb-0000:00:14.0-3 (C922 Pro Stream Webcam, /dev/video0)`.
  static func label(_ device: CaptureDevice) -> String {
    let facts = [device.name, device.path].compactMap { $0 }.filter { $0 != device.id }
    return facts.isEmpty ? device.id : "\(device.id) (\(facts.joined(separator: ", ")))"
  }
}
