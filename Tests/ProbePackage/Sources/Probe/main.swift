/// Records three seconds of the built-in camera, as the README shows it, without a C type or an `unsafe` in sight.

import Capstan
import Foundation

// 1. A camera.
let camera = try CaptureDevice.named("synthetic")

// 2. A session: what to record, by preset.
let session = CaptureSession(device: camera, preset: try Preset.named("720p60"))

// 3. Start, and listen.
let file = URL(filePath: CommandLine.arguments[1])
let output = MovieFileOutput(.file(file), maximumDuration: .seconds(3))
let events = session.events
try await session.start(recordingTo: output)
for await event in events {
  if case .status(let status) = event { print("\(status.framesWritten) frames, \(status.framesLost) lost") }
  if case .finished = event { break }
}

// 4. The report.
let report = try await session.waitUntilFinished()
print("\(report.mode): \(report.framesWritten) frames in \(report.duration)")
guard report.isSuccess, report.framesWritten == 180, report.lost.total == 0 else { exit(1) }
