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
      ledger: report.ledger, removed: removed(of: report.files), recoveryPoint: report.recoveryPoint)
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

  /// Without a limit on what is kept, whatever is not there is missing.
  private func removed(of reports: [FileReport]) -> RemovedFiles {
    guard let keep = output.segments?.keep, keep != KeepRule() else { return RemovedFiles() }
    return RemovedFiles(of: reports) { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
  }

  /// Of many files, pictures of the first and the last are decoded; of the others the index is read. What was taken away
  /// to make room is not there to be measured.
  private func measured(_ all: [URL]) async -> [MeasuredFile] {
    let files = all.filter { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
    var found: [MeasuredFile] = []
    for (number, file) in files.enumerated() {
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
