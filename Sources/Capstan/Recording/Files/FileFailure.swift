/// What the system refuses to do with a file, as a cause that a person understands.

import Foundation
import GStreamer

extension CaptureError {
  /// - Parameters:
  ///   - path: of the file or folder.
  ///   - what: what was to be done with it, as `created`.
  init(_ failure: SystemFailure, _ path: String, doing what: String) {
    let cause = CaptureError.causes.first { $0.errno == failure.errno }
    self.init(
      cause?.code ?? .notWritable, "\(path) cannot be \(what): \(cause?.sentence ?? "\(failure.text).")",
      remedy: cause?.remedy ?? "Choose another place with --output.")
  }

  /// The cause that an element's words for developers end with (`strerror`); `nil` where they name none of these.
  init?(ofWriting details: String) {
    guard let cause = CaptureError.causes.first(where: { details.contains(SystemFailure.text(of: $0.errno)) }) else {
      return nil
    }
    let sentence = cause.sentence.prefix(1).uppercased() + cause.sentence.dropFirst()
    self.init(cause.code, "The file cannot be written any more. \(sentence)", remedy: cause.remedy)
  }

  private struct Cause {
    var errno: Int32
    var code: CaptureError.Code
    var sentence: String
    var remedy = "Choose another folder with --output."
  }

  private static let causes: [Cause] = [
    Cause(errno: EEXIST, code: .fileExists, sentence: "it exists already.", remedy: "Choose another name."),
    Cause(errno: EACCES, code: .notWritable, sentence: "you may not write to this folder."),
    Cause(errno: EPERM, code: .notWritable, sentence: "the system does not permit it."),
    Cause(errno: EROFS, code: .notWritable, sentence: "the file system is read-only."),
    Cause(
      errno: ENOSPC, code: .diskFull, sentence: "the disk is full.", remedy: "Make room, or record to another disk."),
    Cause(
      errno: EDQUOT, code: .diskFull, sentence: "your quota on this disk is used up.",
      remedy: "Remove files of yours, or record to another disk."),
    Cause(
      errno: EFBIG, code: .notWritable, sentence: "no larger file is allowed here (`ulimit -f`, or the file system).",
      remedy: "Record in several files with --segment-size."),
    Cause(errno: ENAMETOOLONG, code: .notWritable, sentence: "the name is too long.", remedy: "Use a shorter one."),
    Cause(errno: ENOENT, code: .folderMissing, sentence: "its folder is not there any more."),
    Cause(errno: ENOTDIR, code: .folderMissing, sentence: "what should be its folder is none."),
    Cause(errno: EIO, code: .notWritable, sentence: "the disk reports a fault.", remedy: "Check the disk (`dmesg`)."),
    Cause(
      errno: ENOTCONN, code: .notWritable, sentence: "the file system is not connected any more.",
      remedy: "Mount it again."),
    Cause(
      errno: ESTALE, code: .notWritable, sentence: "the file server does not know it any more.",
      remedy: "Mount it again."),
    Cause(
      errno: EMFILE, code: .notWritable, sentence: "this program has too many files open.",
      remedy: "Raise the limit (`ulimit -n`)."),
  ]
}

extension CaptureError {
  /// What Foundation was refused, as the end of a sentence: its own words are for developers.
  package static func cause(of error: any Error) -> String {
    guard let number = errno(of: error) else { return "the system gives no reason" }
    let known = causes.first { $0.errno == number }?.sentence ?? SystemFailure.text(of: number)
    return known.hasSuffix(".") ? String(known.dropLast()) : known
  }

  private static func errno(of error: any Error) -> Int32? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
    if let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError { return errno(of: inner) }
    return numbers[CocoaError.Code(rawValue: error.code)]
  }

  private static let numbers: [CocoaError.Code: Int32] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES, .fileWriteNoPermission: EACCES,
    .fileWriteVolumeReadOnly: EROFS, .fileWriteOutOfSpace: ENOSPC, .fileWriteFileExists: EEXIST,
  ]
}
