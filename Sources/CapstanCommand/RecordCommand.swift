/// `capstan record`: records a camera until a limit or a signal.

import Capstan
import GStreamer

enum RecordCommand: Subcommand {
  static let name = "record"
  static let summary = "records a camera, until Ctrl-C or a limit"
  static let options = RecordOptions.all
  static let takesWords = true
  static let help = """
    Usage: capstan record [OPTION...] [720p60]
      -d, --device DEV         id, name, path, 'A,B,any', synthetic (default: any)
      -p, --preset NAME|FILE   default 720p60; the other options win over it
      -s, --size 1280x720      or 720p60: size and rate; or --width W --height H
      -r, --framerate RATE     60, 59.94, 7.5; --input-format auto, raw, mjpeg, NV12
          --color-range RANGE  full (pc), limited (tv), source; --color-matrix bt709
          --source-color C     if its driver errs: full; --chroma 4:2:2, --depth 10
          --codec CODEC        h264...; --encoder NAME, or copy: the camera's stream
          --bitrate 8M         or --quality 0-100, or --lossless; --scale 640x360
          --bframes N          --low-latency, --threads N, --encoder-opts 'k=v;k=v'
          --element-preset P   or --encoding-target T; --fallback nearest, --strict
          --on-unplug wait     --first-frame-timeout 10s, --stall-timeout 5s
      -t, --duration TIME      5s, 1:30; --frames N, --max-size 1G, --min-free 500M
      -o, --output FILE|DIR/   .mp4 .mkv .mov .webm; -y, --overwrite; --mode 0600
          --segment 10min      or --segment-size 2G, --keep 5G; --rpo 1s: crash loss
          --control NAME=VALUE --no-exposure-lock; --exit-with-parent
          --events, --json     to stdout; --commands from stdin; --report: a file
          --progress MODE      auto, tty, plain or none; -q, --quiet: errors only
          --replay 30s         kept in memory; --replay-memory 256M, --replay-only
    INT (Ctrl-C), TERM and HUP end it well, USR1 saves a replay, USR2 pauses.
    """

  static func run(_ options: ParsedOptions, _ console: Console) async throws -> ExitCode {
    let request = try RecordRequest(options, library: .standard)
    if request.writesEvents, request.writesReport {
      throw UsageError("--events and --json both write to stdout; give one of them.")
    }
    let signals = ProcessSignals(watchesParent: options.flag("exit-with-parent"))
    let run = RecordRun(request: request, console: console)
    do {
      return try await run.record(until: signals)
    } catch let error as CaptureError {
      run.endEvents(with: error)
      throw error
    }
  }
}
