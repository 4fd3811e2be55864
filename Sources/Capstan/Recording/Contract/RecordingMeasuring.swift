/// Holds a finished recording against what was asked of it, and writes its report.

import Foundation

extension Recording {
  /// Reads the files that are there, where somebody wants to know.
  func fulfill(_ report: inout RecordingReport) async {
    guard output.writesReport || output.isStrict else { return }
    let wasStopped = ![.duration, .frames, .failed].contains(report.endedBy)
    let ask = ContractAsk(plan, output, wasStopped: wasStopped)
    // A camera that got another signal has agreed to several.
    let rates = Set(report.modes.map(\.mode.frameRate))
    let judge = ContractJudge(
      ask: ask, agreedRate: rates.count > 1 ? nil : report.mode.frameRate?.value,
      files: await measured(report.files.compactMap(\.file)),
      ledger: report.ledger)
    var contract = RecordingContract(judge, encodedBitRate: ask.bitRate)
    contract.isBinding = output.isStrict
    report.contract = contract
    let isSaved = report.isReplayOnly && !report.replays.isEmpty
    let replayed = isSaved ? files.current.output.final : nil
    guard output.writesReport, let file = report.files.first?.file ?? report.file ?? replayed else { return }
    do { report.reportFile = try ReportFile.write(report, beside: file, output) } catch {
      broadcast.send(.warning("The report could not be written: \((error as? CaptureError)?.message ?? "\(error)")"))
    }
  }

  /// Of many files, pictures of the first and the last are decoded; of the others the index is read. What was taken away
  /// to make room is not there to be measured.
  private func measured(_ files: [URL]) async -> [MeasuredFile] {
    var found: [MeasuredFile] = []
    for (number, file) in files.enumerated() {
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { continue }
      let isAtEdge = number == 0 || number == files.count - 1
      let inspector = RecordingInspector(file: file, decodesPictures: isAtEdge)
      do throws(CaptureError) {
        let inspection = try await inspector.inspect()
        found.append(MeasuredFile(inspection.details, file: file, findings: inspection.findings))
      } catch {
        broadcast.send(.warning("\(file.lastPathComponent) could not be measured: \(error.message)"))
      }
    }
    return found
  }
}
