/// Which of the cameras that are there now is the one that was there before: the same piece of hardware, never another
/// in its place.

struct SameCamera: Sendable {
  let camera: CaptureDevice
  /// Those that were there while it was not: none of them is it, unless it is where it was.
  var others: [CaptureDevice] = []

  /// By its serial number, also in another port; by port and model where it has none, or shares it with another.
  func found(among cameras: [CaptureDevice]) -> CaptureDevice? {
    let alike = cameras.filter(isAlike)
    if let there = alike.first(where: { $0.bus == camera.bus && $0.bus?.isEmpty == false }) { return there }
    guard camera.usb?.serial != nil else { return nil }
    let moved = alike.filter { candidate in !others.contains { $0.bus == candidate.bus } }
    return moved.count == 1 ? moved[0] : nil
  }

  /// The same model, and the same unit as far as the maker tells units apart.
  private func isAlike(_ other: CaptureDevice) -> Bool { other.name == camera.name && other.usb == camera.usb }
}

extension CaptureDevice {
  /// Where it is plugged in, as the driver says.
  fileprivate var bus: String? {
    if case .v4l2(_, _, let bus) = kind { bus } else { nil }
  }
}
