/// The part of the command that tries one encoder for another process, and may hang or crash with it.

import Capstan
import Foundation
import GStreamer

/// `capstan try-encoder JOB` is for `EncoderProber`, not for people: a trial as JSON, answered by a line of greeting and
/// a line with the finding as JSON.
enum TrialProgram {
  static func run(_ words: [String]) -> ExitCode {
    OwnProcess.forbidCoreFiles()
    // Libraries print what they like; the answer has a place of its own.
    let answer = FileHandle(fileDescriptor: dup(1), closeOnDealloc: false)
    dup2(2, 1)
    answer.write(Data("\(EncoderProber.greeting)\n".utf8))
    guard words.count == 1, let trial = try? JSONDecoder().decode(EncoderTrial.self, from: Data(words[0].utf8)) else {
      return .usage
    }
    let finding = EncoderBench(trial: trial).run()
    guard let text = try? JSONText.line(finding) else { return .recordingFailed }
    answer.write(Data("\(text)\n".utf8))
    // Not by exit(3), which would wait for what hangs.
    _exit(ExitCode.done.rawValue)
  }
}
