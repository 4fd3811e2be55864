/// Words in: what a command line becomes, or the sentence that refuses it.

import Capstan
import Foundation
import GStreamer
import Testing

@testable import CapstanCommand

@Suite struct CommandLineTests {
  private static let library = ProfileLibrary(folders: [ProfileLibrary.bundled])

  /// Words are parted at spaces; GStreamer itself is not started.
  private func request(_ line: String) throws -> RecordRequest {
    let words = line.split(separator: " ").map(String.init)
    let options = try RecordCommand.parser(acceptsGStreamerOptions: false).parse(words)
    return try RecordRequest(options, library: CommandLineTests.library)
  }

  @Test func nothingTypedIsTheDefaultPreset() throws {
    let request = try request("")
    let preset = try CommandLineTests.library.preset("720p60")
    #expect(request.preset == preset)
    #expect(request.deviceName == nil)
    #expect(request.progress == .auto)
    #expect(!request.isQuiet && !request.writesEvents && !request.writesReport && request.notes.isEmpty)
    let folder = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    #expect(request.output == MovieFileOutput(.folder(folder)))
  }

  @Test(arguments: [
    ("-s 640x480", "640x480 at 60 fps in full range"),
    ("--size 1080p30", "1920x1080 at 30 fps in full range"),
    ("-s 480p", "640x480 at 60 fps in full range"),
    ("-s 720p59.94", "1280x720 at 59.94 fps in full range"),
    ("-s 576p", "1024x576 at 60 fps in full range"),
    ("1080p60000/1001", "1920x1080 at 59.94 fps in full range"),
    ("--width 800 --height 600 -r 7.5", "800x600 at 7.5 fps in full range"),
    ("-s 720p60 -r 60/1", "1280x720 at 60 fps in full range"),
    ("-s 720p 1280x720", "1280x720 at 60 fps in full range"),
    ("-s 640x480 -s 1280x720", "1280x720 at 60 fps in full range"),
    ("--color-range tv", "1280x720 at 60 fps in limited range"),
    ("--color-range source", "1280x720 at 60 fps"),
    ("--color-range pc --input-format mjpeg", "1280x720 at 60 fps in full range as mjpeg"),
    ("--input-format YUYV", "1280x720 at 60 fps in full range as YUYV"),
    ("-p 1080p30 -r 24", "1920x1080 at 24 fps in full range"),
    ("-p 640x480", "640x480"),
  ])
  func picturesAreAskedFor(line: String, wanted: String) throws {
    #expect("\(try request(line).preset.request)" == wanted)
  }

  @Test(arguments: [
    (
      "--codec h264",
      [
        "x264enc", "openh264enc", "nvh264enc", "qsvh264enc", "v4l2h264enc", "vaapih264enc", "vah264enc", "vah264lpenc",
      ]
    ),
    ("--codec hevc", ["x265enc", "nvh265enc", "vah265enc"]),
    ("--encoder openh264enc", ["openh264enc"]),
    ("--codec H.264 --encoder openh264enc", ["openh264enc"]),
  ])
  func encodersAreChosen(line: String, wanted: [String]) throws {
    #expect(try request(line).preset.encoders == wanted)
  }

  @Test func encodersAreTold() throws {
    let preset = try request("--bitrate 2.5M --encoder-opts tune=zerolatency;option-string=a=b --strict").preset
    #expect(preset.bitRate.bitsPerSecond == 2_500_000)
    #expect(preset.encoderOptions == ["tune": "zerolatency", "option-string": "a=b"])
    #expect(preset.request.isStrict)
  }

  /// What the preset says of the encoder gives way to what is typed.
  @Test(arguments: [
    ("--quality 70 --bframes 2 --threads 3", "q70 b2 t3"), ("-p lossless", "lossless"),
    ("-p lossless --bitrate 3M", ""), ("-p lossless --quality 0", "q0"), ("--lossless --threads auto", "lossless"),
    ("--low-latency --bframes 0", "low"), ("-p low-latency --encoder openh264enc", "low"),
  ])
  func wordsOfAllEncoders(line: String, wanted: String) throws {
    let preset = try request(line).preset
    var words: [String] = preset.quality.map { ["q\($0)"] } ?? []
    if preset.lossless { words.append("lossless") }
    if preset.bFrames > 0 { words.append("b\(preset.bFrames)") }
    if let threads = preset.threads { words.append("t\(threads)") }
    if preset.lowLatency { words.append("low") }
    #expect(words.joined(separator: " ") == wanted)
  }

  @Test(arguments: [
    ("", FallbackStrategy.nearest), ("--strict", .exact), ("--fallback exact", .exact),
    ("--fallback nearest", .nearest),
    ("--fallback lowerOrNearest", .lowerOrNearest), ("--fallback higher-or-nearest", .higherOrNearest),
    ("--strict --fallback exact", .exact),
  ])
  func fallbacksAreChosen(line: String, wanted: FallbackStrategy) throws {
    #expect(try request(line).preset.request.fallback == wanted)
  }

  /// What is typed is wished in every case.
  @Test func typedWordsApplyToEveryWish() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "capstan-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "mine.json5")
    try Data("{ request: [{ size: '1920x1080' }, { size: '1280x720', fallback: 'exact' }] }".utf8).write(to: file)
    let wishes = try request("-p \(file.path(percentEncoded: false)) -r 25").preset.wishes
    #expect(wishes.map(\.description) == ["1920x1080 at 25 fps in full range", "1280x720 at 25 fps in full range"])
    #expect(wishes.map(\.fallback) == [.nearest, .exact])
  }

  /// Speeds and options of one encoder are another's unknown words.
  @Test func anotherEncoderLosesTheWordsOfTheFirst() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "capstan-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "mine.json5")
    try Data("{ encoder: 'x264enc', speed: 'fast', encoderOptions: { tune: 'zerolatency' } }".utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    let kept = try request("-p \(path) --codec h264 --encoder-opts bframes=1").preset
    #expect(kept.speed == "fast")
    #expect(kept.encoderOptions == ["tune": "zerolatency", "bframes": "1"])
    let other = try request("-p \(path) --encoder openh264enc")
    #expect(
      other.notes == ["what the preset \(other.preset.name) tells x264enc is not told openh264enc: tune=zerolatency"])
    let changed = other.preset
    #expect(changed.speed == nil)
    #expect(changed.encoderOptions.isEmpty)
  }

  @Test func outputsAreNamed() throws {
    let file = try request("-o /tmp/a/clip.mkv -y -t 1:30 --frames 5")
    #expect(file.output.destination == .file(URL(filePath: "/tmp/a/clip.mkv")))
    #expect(file.output.mayOverwrite)
    #expect(file.output.maximumDuration == .seconds(90))
    #expect(file.output.maximumFrames == 5)
    #expect(file.preset.container == "mkv")
    #expect(try request("-o clip.MP4").preset.container == "mp4")
    let missing = URL(filePath: "/nowhere/at/all/", directoryHint: .isDirectory)
    #expect(try request("-o /nowhere/at/all/").output.destination == .folder(missing))
    let existing = URL(filePath: "/tmp", directoryHint: .isDirectory)
    #expect(try request("-o /tmp").output.destination == .folder(existing))
  }

  @Test func strangeExtensionsAreNoted() throws {
    let request = try request("-o clip.avi")
    #expect(request.preset.container == "mp4")
    #expect(
      request.notes == ["the name ends in .avi, the file is mp4; a name in .mkv or .mov or .mp4 or .webm decides that"])
    #expect(try self.request("-o clip").notes.isEmpty)
  }

  @Test func answersAreChosen() throws {
    let request = try request("-d synthetic -q --events --progress none")
    #expect(request.deviceName == "synthetic")
    #expect(request.isQuiet && request.writesEvents)
    #expect(request.progress == .none)
    #expect(try self.request("--json --progress plain").writesReport)
  }

  @Test(arguments: [
    ("-s 720q", "--size 720q makes no sense"), ("-s 0x0", "1280x720"), ("-s 720p0", "720p60"),
    ("-s 99999p", "--size"), ("-r 0", "above 0"), ("-r -5", "--framerate -5"), ("-r 60/0", "59.94"),
    ("-r 1e3", "--framerate"), ("--width 640", "--width and --height belong together"),
    ("--height 480", "belong together"), ("--width 0 --height 480", "from 1 to 65535"),
    ("-s 720p --width 640 --height 480", "1280x720 and 640x480"), ("-s 720p60 -r 30", "60 and 30"),
    ("-s 720p60 720p30", "more than once"), ("out.mp4", "--output"), ("-t 0", "above zero"), ("-t 5x", "2min"),
    ("--frames 0", "above zero"), ("--frames 1.5", "whole number"), ("--frames -1", "--frames -1"),
    ("--frames 99999999999999999999", "--frames"), ("--bitrate fast", "800k"), ("--bitrate 0", "8M"),
    ("--color-range wide", "full, limited or source"),
    ("--fallback lower", "exact, lowerOrNearest, higherOrNearest or nearest"),
    ("--strict --fallback nearest", "contradict"), ("--input-format mjpegg", "four characters"),
    ("--quality 101", "a whole number from 0 to 100"), ("--quality good", "--quality good"),
    ("--bframes 17", "a whole number from 0 to 16"), ("--threads 0", "auto or a whole number from 1 to 256"),
    ("--bitrate 3M --quality 5", "--bitrate and --quality exclude one another"),
    ("--quality 5 --lossless", "--quality and --lossless exclude one another"),
    ("--codec vp7", "av1 or ffv1 or h264 or h265 or mjpeg or vp8 or vp9"),
    ("--encoder x246enc", "did you mean x264enc?"),
    ("--codec h265 --encoder x264enc", "x264enc makes h264, --codec says h265"),
    ("--encoder-opts bframes", "'name=value;name=value'"), ("--encoder-opts =3", "name=value"),
    ("--encoder-opts a=1;a=2", "names a twice"), ("--encoder-opts ;", "name=value"),
    ("--progress loud", "auto, tty, plain or none"), ("-q --progress tty", "contradict"),
    ("-p 720p6", "did you mean 720p60?"), ("-p zzzzzzzz", "there are 4k30, 640x480"), ("-o -", "name of a file"),
    ("--device=", "--device ''"),
  ])
  func nonsenseIsRefused(line: String, sentence: String) throws {
    let error = #expect(throws: UsageError.self) { try request(line) }
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "accepted")")
    #expect(error?.message.hasSuffix(".") == true || error?.message.hasSuffix("?") == true)
  }

  @Test(arguments: [
    ("--famerate 30", "did you mean --framerate?"), ("-Z", "There is no option -Z"), ("-t", "Missing argument"),
  ])
  func unknownOptionsAreRefused(line: String, sentence: String) throws {
    let error = #expect(throws: OptionError.self) { try request(line) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "accepted")")
  }

  /// A file that is wrong is not a slip of the fingers.
  @Test func missingPresetFilesAreConfigurationErrors() {
    #expect(throws: ConfigurationError.self) { try request("-p ./no-such-file.json5") }
  }

  @Test func unknownCommandsGetTheNearestName() {
    #expect(throws: UsageError("There is no command recrod; did you mean record?")) {
      try Subcommands.named("recrod")
    }
    let error = #expect(throws: UsageError.self) { try Subcommands.named("zzzzzzzzz") }
    #expect(
      error?.message.contains(
        "there are devices, formats, plan, record, presets, encoders, controls, check, salvage, help")
        == true)
  }
}

@Suite struct HelpTests {
  @Test(arguments: Subcommands.all.map { $0.name } + ["capstan"]) func fitsAScreen(command: String) throws {
    let text = command == "capstan" ? GeneralHelp.text : try Subcommands.named(command).helpText
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(text.contains("Exit codes: 0 done; 1 recording failed; 2 request cannot be met"))
    #expect(text.contains("64 usage"))
  }

  @Test func namesEveryOption() {
    for command in Subcommands.all where command.name != "plan" {
      for option in command.options {
        #expect(command.help.contains("--\(option.long)"), "\(command.name) --\(option.long)")
        if let short = option.short { #expect(command.help.contains("-\(short), --\(option.long)")) }
      }
    }
    #expect(PlanCommand.options.dropLast() == RecordCommand.options[...])
    #expect(PlanCommand.options.last?.long == "explain" && PlanCommand.help.contains("--explain"))
    #expect(PlanCommand.help.contains("capstan help record"))
  }

  @Test func listsEveryCommand() {
    for command in Subcommands.all { #expect(GeneralHelp.text.contains("  \(command.name) ")) }
  }
}
