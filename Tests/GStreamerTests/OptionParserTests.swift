/// Command lines and what they are read as.

import GStreamer
import Testing

@Suite struct OptionParserTests {
  static let parser = OptionParser(
    program: "capstan record", operands: "[FILE…]", summary: "Records.", details: "Exit codes: 0.",
    options: [
      CommandOption("verbose", short: "v", description: "Say more"),
      CommandOption("preset", short: "p", kind: .string, argumentName: "NAME", description: "Preset"),
      CommandOption("set", kind: .strings, argumentName: "K=V", description: "Set"),
      CommandOption("output", short: "o", kind: .path, argumentName: "FILE", description: "Output"),
      CommandOption("notes", kind: .paths, argumentName: "FILE", description: "Notes"),
      CommandOption("secret", description: "Unseen", isHidden: true),
    ],
    groups: [
      CommandOptionGroup(
        name: "camera", title: "Camera options:",
        options: [CommandOption("device", short: "d", kind: .string, argumentName: "DEVICE", description: "Camera")])
    ])

  @Test func readsEveryKind() throws {
    let parsed = try Self.parser.parse([
      "-v", "--preset=hd", "first", "--set", "a=1", "--set=b=2", "-o", "x.mp4", "--notes", "n1", "--notes=n2",
      "-d", "/dev/video0", "--secret", "--", "--preset", "-x",
    ])
    #expect(parsed.flag("verbose") && parsed.flag("secret") && !parsed.flag("help"))
    #expect(parsed.string("preset") == "hd" && parsed.strings("set") == ["a=1", "b=2"])
    #expect(parsed.string("output") == "x.mp4" && parsed.strings("notes") == ["n1", "n2"])
    #expect(parsed.string("device") == "/dev/video0" && parsed.has("device"))
    #expect(parsed.remaining == ["first", "--preset", "-x"])
  }

  @Test func nothingGivenIsNothingSet() throws {
    #expect(try Self.parser.parse([]) == Self.parser.parse(["--"]))
    let parsed = try Self.parser.parse([])
    #expect(!parsed.has("preset") && parsed.string("preset") == nil && parsed.remaining == [])
  }

  @Test func theLastOneCounts() throws {
    #expect(try Self.parser.parse(["-p", "a", "--preset", "b"]).string("preset") == "b")
  }

  @Test(arguments: ["--help", "-h"]) func helpIsAFlag(_ spelling: String) throws {
    #expect(try Self.parser.parse([spelling]).flag("help"))
  }

  @Test(arguments: ["ü", "日本 語.mp4", "a\"b\\c", "=", "%d", " "]) func takesAnyText(_ text: String) throws {
    #expect(try Self.parser.parse(["--preset", text, "-o", text, text]).string("preset") == text)
    #expect(try Self.parser.parse(["--preset=\(text)"]).string("preset") == text)
    #expect(try Self.parser.parse([text]).remaining == [text])
  }

  @Test func takesFileNamesOfAnyBytes() throws {
    let name: [UInt8] = [0x66, 0xff, 0xfe, 0x2e]
    let parsed = try Self.parser.parse(bytes: [Array("--output".utf8), name, name])
    #expect(parsed.bytes("output") == name && parsed.remainingBytes == [name])
    #expect(throws: OptionError.notText(option: "preset")) {
      try Self.parser.parse(bytes: [Array("--preset".utf8), name])
    }
  }

  @Test(arguments: [
    ("--presett", Optional("--preset")), ("--ouput=x", "--output"), ("--devise", "--device"), ("--zzzzzz", nil),
    ("-z", nil),
  ])
  func tellsAnUnknownOptionWithTheNearest(_ option: String, _ nearest: String?) throws {
    let error = try #require(throws: OptionError.self) { try Self.parser.parse([option]) }
    guard case .unknown(_, nearest) = error else {
      Issue.record("told as \(error)")
      return
    }
    #expect(error.description.contains(option.prefix { $0 != "=" }))
  }

  @Test(arguments: [["--preset"], ["--verbose=yes"], ["-o"]]) func tellsAMalformedLine(_ arguments: [String]) throws {
    let error = try #require(throws: OptionError.self) { try Self.parser.parse(arguments) }
    guard case .malformed(let reason) = error else {
      Issue.record("told as \(error)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func helpNamesEverythingThatIsNotHidden() {
    let help = Self.parser.helpText
    #expect(help.contains("capstan record [") && help.contains("[FILE…]"))
    for text in [
      "Records.", "Exit codes: 0.", "--preset=NAME", "-v, --verbose", "Camera options:", "--device=DEVICE", "--help",
    ] {
      #expect(help.contains(text), "\(text) is not in \(help)")
    }
    #expect(!help.contains("secret"))
  }

  @Test func takesGStreamersOptionsWhenAsked() throws {
    var parser = Self.parser
    #expect(throws: OptionError.self) { try parser.parse(["--gst-debug-no-color"]) }
    parser.acceptsGStreamerOptions = true
    let parsed = try parser.parse(["--gst-debug-no-color", "--preset", "x", "--gst-version", "--gst-debug-help"])
    #expect(parsed.string("preset") == "x" && parsed.remaining == [])
    #expect(parsed.flag("gst-version") && parsed.flag("gst-debug-help"))
  }
}
