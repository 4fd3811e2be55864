/// Records again and again in one process, and prints after each recording what the process holds: for tests of leaks.
///
///     CycleProbe DEVICE COUNT FRAMES FOLDER

import Capstan
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[2]), let frames = Int(arguments[3]) else {
  FileHandle.standardError.write(Data("usage: CycleProbe DEVICE COUNT FRAMES FOLDER\n".utf8))
  exit(64)
}

/// Descriptors and kibibytes of this process, from /proc.
func holdings() -> (descriptors: Int, memory: Int) {
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  return (descriptors, line.split(separator: " ").compactMap { Int($0) }.first ?? 0)
}

do {
  let device = try CaptureDevice.named(arguments[1])
  let session = CaptureSession(device: device, preset: try Preset.named("720p60"))
  for cycle in 0..<count {
    let file = URL(filePath: arguments[4]).appending(path: "cycle-\(cycle).mp4")
    let output = MovieFileOutput(.file(file), maximumFrames: frames)
    try await session.start(recordingTo: output)
    let report = try await session.waitUntilFinished()
    try FileManager.default.removeItem(at: file)
    let (descriptors, memory) = holdings()
    print("\(cycle) \(report.framesWritten) \(report.isSuccess) \(descriptors) \(memory)")
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
