/// What the shell is told, and the one table that says which failure is which code.

import Capstan

enum ExitCode: Int32, Sendable, Hashable {
  case done = 0
  case recordingFailed = 1
  case requestImpossible = 2
  /// A file is not what it says, or not what was asked.
  case contractBreached = 3
  case deviceUnavailable = 4
  case outputUnavailable = 5
  /// `EX_USAGE` of sysexits.h.
  case usage = 64

  static let table: [(code: CaptureError.Code, exit: ExitCode)] = [
    (.noCamera, .deviceUnavailable),
    (.deviceNotFound, .deviceUnavailable),
    (.ambiguousDevice, .deviceUnavailable),
    (.permissionDenied, .deviceUnavailable),
    (.deviceBusy, .deviceUnavailable),
    (.notACaptureDevice, .deviceUnavailable),
    (.deviceLost, .deviceUnavailable),
    (.deviceFailed, .deviceUnavailable),
    (.noFrames, .deviceUnavailable),
    (.usbBandwidth, .deviceUnavailable),
    (.requestImpossible, .requestImpossible),
    (.configuration, .requestImpossible),
    (.elementMissing, .requestImpossible),
    (.encoderUnfit, .requestImpossible),
    (.encoderFailed, .recordingFailed),
    (.notReadable, .recordingFailed),
    (.invalidState, .recordingFailed),
    (.pipelineFailed, .recordingFailed),
    (.fileExists, .outputUnavailable),
    (.folderMissing, .outputUnavailable),
    (.notWritable, .outputUnavailable),
    (.diskFull, .outputUnavailable),
  ]

  /// Codes that are new to this table are failed recordings.
  init(_ code: CaptureError.Code) {
    self = ExitCode.table.first { $0.code == code }?.exit ?? .recordingFailed
  }

  init(_ report: RecordingReport) {
    if report.isSuccess {
      self = report.isContractBreached ? .contractBreached : .done
    } else {
      self = report.error.map { ExitCode($0.code) } ?? .recordingFailed
    }
  }

  /// The end of every help text.
  static let explanation = """
    Exit codes: 0 done; 1 recording failed; 2 request cannot be met; 3 contract
    breached or file at fault; 4 device missing, busy, not permitted or lost; 5 file
    exists, folder missing or not writable, disk full; 64 usage.
    """
}
