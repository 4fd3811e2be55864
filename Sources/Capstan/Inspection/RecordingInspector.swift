/// Finds out whether a file speaks the truth: its container, its stream and its pictures, each read by itself.

public import Foundation
import GStreamer
public import MediaInspection
import Synchronization

/// ```swift
/// let inspection = try await RecordingInspector(file: url).inspect()
/// print(inspection.range, inspection.findings)
/// ```
public struct RecordingInspector: Sendable {
  public let file: URL
  private let decodesPictures: Bool

  /// Any MP4, QuickTime, Matroska or WebM file, whoever made it.
  /// - Parameter decodesPictures: `false` reads index and headers only, and tells nothing of what the pictures are.
  public init(file: URL, decodesPictures: Bool = true) {
    self.file = file
    self.decodesPictures = decodesPictures
  }

  /// Reads the whole index and the headers, and decodes key frames that are spread over the file. Cancelling the task
  /// ends it early with what was seen by then.
  /// - Throws: `notReadable` for a file that is not there, is no such container, or has no pictures or no index.
  public func inspect() async throws(CaptureError) -> RecordingInspection {
    let media: MediaFile
    do { media = try MediaFile(contentsOf: file) } catch { throw failure(error) }
    let first = media.frames.first { $0.isKey } ?? media.frames.first
    let bytes: [UInt8]
    let holes: (found: Int, looked: Int)
    do {
      holes = try media.holes(in: file)
      bytes = try first.map { frame throws(InspectionError) in try MediaFile.bytes(of: frame, in: file) } ?? []
    } catch { throw failure(error) }
    let record = media.configuration.flatMap { StreamHeader(codec: media.codec, inConfiguration: $0) }
    let stream = StreamHeader(codec: media.codec, configuration: media.configuration, frame: bytes)
    let levels = decodesPictures ? try await PictureSampler(file: file, media: media).levels() : nil
    return RecordingInspection(
      file: file, FileFindings(file: media, stream: stream, record: record, levels: levels), holes: holes,
      hasDecoded: decodesPictures)
  }

  private func failure(_ error: InspectionError) -> CaptureError {
    let name = file.lastPathComponent
    let remedy =
      switch error {
      case .unreadable: ""
      case .unknownContainer: "Give a recording in one of these containers."
      case .noRecording: "Give a recording with pictures."
      case .noVideo: "An unfinished recording can often still be completed; a copy may have been cut short."
      }
    let text = "\(error)"
    return CaptureError(.notReadable, text.hasPrefix("/") ? "\(text)." : "\(name): \(text).", remedy: remedy)
  }
}

/// What an inspection found.
public struct RecordingInspection: Sendable {
  public let file: URL
  public let details: FileFindings
  public let range: RangeVerdict
  /// Everything that is wrong; empty for a file as it should be.
  public let findings: [Finding]

  init(file: URL, _ details: FileFindings, holes: (found: Int, looked: Int), hasDecoded: Bool) {
    self.file = file
    self.details = details
    range = details.range
    var findings = details.all
    if hasDecoded, details.levels == nil, !details.file.frames.isEmpty {
      findings.append(Finding(.undecodable, "no picture could be decoded here, so the range is not known from them"))
    }
    if holes.found > 0 {
      findings.append(Finding(.undecodable, "\(holes.found) of \(holes.looked) frames looked at are holes of zeros"))
    }
    self.findings = findings
  }

  public var isSound: Bool { findings.isEmpty }
}
