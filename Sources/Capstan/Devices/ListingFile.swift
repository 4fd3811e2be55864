/// A listing of formats in a file as a device: what could be recorded is planned without the camera.

import Foundation

struct ListingFile: Sendable {
  static let prefix = "listing:"

  let path: String

  /// - Throws: `deviceNotFound` where there is no such file.
  func device() throws(CaptureError) -> CaptureDevice {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CaptureError(
        .deviceNotFound, "There is no listing \(path.isEmpty ? "''" : path).",
        remedy: "Write one with `capstan formats > FILE` and name it as in --device listing:FILE.")
    }
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return CaptureDevice(id: "\(ListingFile.prefix)\(path)", name: name, kind: .listing(path: path))
  }

  /// - Throws: `deviceNotFound` where the file cannot be read, `configuration` for a line that is no format.
  func listing() throws(CaptureError) -> FormatListing {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw CaptureError(
        .deviceNotFound, "The listing \(path) cannot be read.",
        remedy: "Check that it is there and that you may read it.")
    }
    do {
      return try FormatListing(parsing: String(decoding: data, as: UTF8.self))
    } catch {
      throw CaptureError(
        .configuration, "\(path), \(error).", remedy: "Compare the line with those that `capstan formats` prints.")
    }
  }

  /// What recording it ends with.
  var refusal: CaptureError {
    CaptureError(
      .notACaptureDevice, "\(path) is a listing of formats: it can be planned with, not recorded.",
      remedy: "Name a camera with --device; `capstan devices` lists them.")
  }
}
