/// Reads what an element reports as a cause that a person understands.

import Foundation
import GStreamer

extension CaptureError {
  /// - Parameters:
  ///   - failure: the first error of a chain; those after it are its echo.
  ///   - device: the camera's name for people.
  init(_ failure: ElementFailure, device: String) {
    let details = "\(failure.message) \(failure.debug)"
    let said = "\(failure.factory) says: \(CaptureError.sentence(failure.message))"
    switch failure.factory {
    case "filesink", "mp4mux", "qtmux", "matroskamux", "webmmux":
      if failure.code == "no-space-left" {
        self.init(.diskFull, "The disk is full.", remedy: "Make room, or record to another disk.")
      } else if let cause = CaptureError(ofWriting: details) {
        self = cause
      } else {
        self.init(
          .notWritable, "The file cannot be written: \(said)", remedy: "Check the disk and the folder's rights.")
      }
    case "v4l2src": self = CaptureError.camera(failure, details: details, device: device)
    case _ where CaptureError.isMisfit(details):
      self.init(
        .pipelineFailed, "A step of the pipeline does not take the pictures of \(device).", remedy: CaptureError.misfit)
    default:
      let isEncoder = failure.element == NodeName.encoder
      self.init(
        isEncoder ? .encoderFailed : .pipelineFailed, "\(failure.element): \(said)",
        remedy: isEncoder ? "Try another encoder; `capstan encoders` lists them." : "")
    }
  }

  private static func camera(_ failure: ElementFailure, details: String, device: String) -> CaptureError {
    if failure.code == "busy" || details.contains("resource busy") { return busy(device) }
    if failure.code == "read" || details.contains("No such device") {
      return unplugged(device)
    }
    if details.contains("ermission denied") { return permission(device) }
    if isMisfit(details) {
      return CaptureError(
        .deviceFailed, "\(device) sends pictures that a step of the pipeline does not take.",
        remedy: "\(misfit) Or try another mode; `capstan formats` lists them.")
    }
    return CaptureError(
      .deviceFailed, "\(device) failed: \(sentence(failure.message))",
      remedy: "Try another mode; `capstan formats` lists them.")
  }

  /// What a source says when anything after it refuses its caps (`GST_FLOW_NOT_NEGOTIATED`).
  private static func isMisfit(_ details: String) -> Bool { details.contains("reason not-negotiated") }

  private static let misfit =
    "Leave out what the preset says of filters, profile and encoderOptions; `capstan plan` prints the steps."

  /// GStreamer ends some of its messages with a full stop.
  private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : "\(text)." }

  static func unplugged(_ device: String) -> CaptureError {
    CaptureError(
      .deviceLost, "\(device) was unplugged or stopped answering.", remedy: "Plug it in again and check the cable.")
  }

  static func bandwidth(_ device: String) -> CaptureError {
    CaptureError(
      .usbBandwidth, "\(device) cannot start: the USB bus has no bandwidth left for this mode.",
      remedy: "Plug it into another port or hub, or ask for a smaller size, a lower rate or --input-format mjpeg.")
  }

  static func permission(_ device: String) -> CaptureError {
    CaptureError(
      .permissionDenied, "You may not open \(device).",
      remedy: "Join the group that owns it (usually `sudo usermod -aG video $USER`), log in again and try once more.")
  }
}

extension CaptureError {
  init(_ error: PlanningError, preset: String) {
    switch error {
    case .noMode(let request, let reason, let nearest):
      let offers = nearest.isEmpty ? "" : "Nearest are: \(nearest.map(\.description).joined(separator: "; "))."
      self.init(.requestImpossible, "The camera cannot give \(request): \(reason).", remedy: offers)
    case .encoderMissing(let names, _):
      self.init(.elementMissing, "\(error).", remedy: CaptureError.packages(for: names))
    case .parserMissing(let name, _):
      let remedy = CaptureError.packages(for: [name])
      self.init(.elementMissing, "\(error).", remedy: remedy.isEmpty ? "Check the spelling." : remedy)
    case .elementsMissing(let names):
      self.init(.elementMissing, "\(error).", remedy: CaptureError.packages(for: names))
    case .unknownCodec(_, let file, _): self.init(.configuration, "\(file): codec: \(error).")
    case .encoderUnfit:
      self.init(
        .encoderUnfit, "Preset \(preset): \(error).",
        remedy: "Take another one; `capstan encoders --probe` says which work here.")
    default:
      let place = error.presetPath.map { "Preset \(preset), \($0.joined(separator: ".")): " } ?? ""
      self.init(.configuration, "\(place)\(error).")
    }
  }

  init(_ error: ConfigurationError) { self.init(.configuration, "\(error).") }

  private static func packages(for elements: [String]) -> String {
    let packages = Set(elements.compactMap { ElementCatalog.debianPackage(of: $0) }).sorted()
    return packages.isEmpty ? "" : "Install it with `sudo apt install \(packages.joined(separator: " "))`."
  }
}

extension CaptureError {
  init(_ error: V4L2Error) {
    switch error {
    case .missing(let path):
      self.init(
        .deviceNotFound, "There is no device \(path).",
        remedy: "Check that the camera is plugged in; `capstan devices` lists what is there.")
    case .permissionDenied(let path, let group?, _):
      self.init(
        .permissionDenied, "You may not open \(path): it belongs to the group \(group).",
        remedy: "Join it with `sudo usermod -aG \(group) $USER`, then log in again.")
    case .permissionDenied: self.init(.permissionDenied, "\(error)")
    case .busy(let path): self = .busy(path)
    case .notCharacterDevice, .notVideo:
      self.init(.notACaptureDevice, "\(error)", remedy: "`capstan devices` lists the cameras.")
    case .gone(let path):
      self.init(
        .deviceLost, "\(path) was unplugged or its driver left.", remedy: "Plug it in again and check the cable.")
    case .noBandwidth(let path): self = .bandwidth(path)
    case .controlRefused, .other: self.init(.deviceFailed, "\(error)")
    }
  }

  /// Said where nobody can be named; see `namingHolders(of:)`.
  static let unknownHolder = "another program is using it."

  fileprivate static func busy(_ device: String) -> CaptureError {
    CaptureError(
      .deviceBusy, "\(device) is busy: \(unknownHolder)",
      remedy: "Close that program (`fuser -v` on the device names it) and try again.")
  }
}
