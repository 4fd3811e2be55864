/// Elements: made or missing with the reason, and the four ways in which a property is not taken.

import GStreamer
import MediaFormats
import Testing

@Suite struct ElementTests {
  @Test(arguments: [
    ("nosuchelement", nil), ("libcamerasrc", "gstreamer1.0-libcamera"), ("pipewiresrc", "gstreamer1.0-pipewire"),
    ("glcolorconvert", "gstreamer1.0-gl"), ("nvh264enc", "gstreamer1.0-plugins-bad"),
  ])
  func namesThePackageOfAMissingElement(_ factory: String, _ package: String?) throws {
    try #require(!ElementCatalog.contains(factory), "this machine has \(factory); nothing to test")
    let error = try #require(throws: ElementError.self) { try Element(factory: factory) }
    #expect(error == .missing(factory: factory, package: package))
    #expect(error.description.contains(factory))
    if let package { #expect(error.description.contains("apt install \(package)")) }
  }

  @Test func makesABinWithGhostPads() throws {
    let bin = try Element(launch: "videoconvert ! videoscale name=inner", name: "middle")
    #expect(bin.name == "middle")
    #expect(bin.factoryName == "bin")
    #expect(bin.pad("sink") != nil && bin.pad("src") != nil)
    #expect(bin.child(named: "inner")?.factoryName == "videoscale")
    #expect(bin.child(named: "outer") == nil)
  }

  @Test(arguments: ["videoconvert !", "videoconvert ! nosuchelement", "videoconvert colour=blue", "=", ""])
  func saysWhyALaunchDescriptionCannotBeUsed(_ description: String) throws {
    let error = try #require(throws: ElementError.self) { try Element(launch: description) }
    #expect(
      error.description.last.map { ".!?".contains($0) } == true || error.description.contains("apt install"), "\(error)"
    )
    if description.contains("nosuch") { #expect(error == .missing(factory: "nosuchelement", package: nil)) }
  }

  /// The parser counts an element that refuses a property among the missing ones.
  @Test(arguments: ["videoflip video-direction=sideways", "videoconvert ! videoflip direction=horiz"])
  func anElementThatRefusesAPropertyIsNotMissing(_ description: String) throws {
    let error = try #require(throws: ElementError.self) { try Element(launch: description) }
    guard case .launch(description, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("direction") && reason.contains("videoflip"))
  }

  @Test func refusesANumberOutOfRangeInALaunchDescription() throws {
    let error = try #require(throws: ElementError.self) {
      try Element(launch: "videoconvert ! videobalance contrast=9 name=\"a b\" ! videoscale")
    }
    #expect(
      error.description
        == "\"9\" is out of range for the property contrast of videobalance, which takes a number from 0.0 to 2.0.")
    let bin = try Element(launch: "videobalance name=a contrast=1.5 ! capsfilter caps=\"video/x-raw, width=9\"")
    #expect(try bin.child(named: "a")?.get("contrast") == .double(1.5))
  }

  @Test func tellsAnUnknownPropertyWithTheNearestName() throws {
    let encoder = try Element(factory: "x264enc")
    let error = try #require(throws: PropertyError.self) { try encoder.set("bit-rate", to: .int(4000)) }
    #expect(
      error == .unknown(element: "x264enc", property: "bit-rate", value: .int(4000), nearest: "bitrate"))
    #expect(
      error.description
        == "x264enc has no property bit-rate, so it cannot be set to \"4000\" (did you mean bitrate?).")
  }

  @Test(arguments: [
    ("bitrate", PropertyValue.string("fast"), "a whole number from 1 to 2048000"),
    ("bitrate", .bool(true), "a whole number from 1 to 2048000"),
    ("bitrate", .double(0.5), "a whole number from 1 to 2048000"),
    ("bitrate", .caps(Caps()), "a whole number from 1 to 2048000"),
    ("cabac", .string("maybe"), "true or false"), ("cabac", .int(2), "true or false"),
    ("ip-factor", .string("much"), "a number from"),
    ("tune", .string("stillimages"), "any of stillimage, fastdecode, zerolatency, joined by +"),
    ("speed-preset", .string("lightning"), "ultrafast, superfast"), ("speed-preset", .int(99), "ultrafast, superfast"),
    ("option-string", .int(5), "a text"),
  ])
  func tellsAValueThatCannotBeRead(_ property: String, _ value: PropertyValue, _ wanted: String) throws {
    let encoder = try Element(factory: "x264enc")
    let error = try #require(throws: PropertyError.self) { try encoder.set(property, to: value) }
    guard case .unreadable("x264enc", property, value, _) = error else {
      Issue.record("told as \(error)")
      return
    }
    #expect(error.description.contains(wanted) && error.description.contains(property))
  }

  @Test(arguments: [
    ("x264enc", "bitrate", PropertyValue.int(99_999_999), "from 1 to 2048000"),
    ("x264enc", "bitrate", .int(-1), "from 1 to 2048000"),
    ("x264enc", "bitrate", .string("5000000000"), "from 1 to 2048000"),
    ("x264enc", "ip-factor", .double(99), "from 0.0 to 2.0"),
    ("videobalance", "brightness", .string("-1.5"), "from -1.0 to 1.0"),
    ("videobalance", "brightness", .int(2), "from -1.0 to 1.0"),
    ("queue", "max-size-time", .int(-1), "from 0 to 18446744073709551615"),
  ])
  func tellsAValueOutOfRange(
    _ factory: String, _ property: String, _ value: PropertyValue, _ range: String
  ) throws {
    let element = try Element(factory: factory)
    let before = try element.get(property)
    let error = try #require(throws: PropertyError.self) { try element.set(property, to: value) }
    guard case .outOfRange(factory, property, value, _) = error else {
      Issue.record("told as \(error)")
      return
    }
    #expect(error.description.contains(range))
    #expect(try element.get(property) == before)
  }

  @Test func tellsAReadOnlyProperty() throws {
    let queue = try Element(factory: "queue")
    let error = try #require(throws: PropertyError.self) { try queue.set("current-level-bytes", to: .int(1)) }
    #expect(error == .readOnly(element: "queue", property: "current-level-bytes", value: .int(1)))
    #expect(
      error.description == "The property current-level-bytes of queue is read-only, so it cannot be set to \"1\".")
  }

  @Test(arguments: [
    ("x264enc", "bitrate", PropertyValue.int(4000), PropertyValue.int(4000)),
    ("x264enc", "bitrate", .string("4000"), .int(4000)), ("x264enc", "bitrate", .double(4000), .int(4000)),
    ("x264enc", "speed-preset", .string("superfast"), .string("superfast")),
    ("x264enc", "speed-preset", .int(1), .string("ultrafast")),
    ("x264enc", "tune", .string("zerolatency"), .string("zerolatency")),
    ("x264enc", "tune", .string("fastdecode+zerolatency"), .string("fastdecode+zerolatency")),
    ("x264enc", "cabac", .string("false"), .bool(false)), ("x264enc", "cabac", .bool(true), .bool(true)),
    ("x264enc", "option-string", .string("a=b:c=\"d\""), .string("a=b:c=\"d\"")),
    ("queue", "max-size-time", .int(5_000_000_000), .int(5_000_000_000)),
    ("queue", "max-size-time", .string("18446744073709551615"), .string("18446744073709551615")),
    ("identity", "ts-offset", .int(-7), .int(-7)),
    ("videobalance", "contrast", .double(1.16438356), .double(1.16438356)),
    ("videobalance", "contrast", .string("0.5"), .double(0.5)), ("volume", "volume", .int(2), .double(2)),
    ("filesink", "location", .string("/tmp/a \\ \"b\" ü.mp4"), .string("/tmp/a \\ \"b\" ü.mp4")),
    ("videorate", "max-rate", .int(60), .int(60)), ("mp4mux", "fragment-duration", .int(1000), .int(1000)),
    ("fpsdisplaysink", "fps-update-interval", .int(5), .int(5)),
    ("multifilesrc", "caps", .string("image/jpeg"), .caps(Caps([CapsStructure("image/jpeg")]))),
    ("rawvideoparse", "framerate", .fraction(Fraction(7013, 117)), .fraction(Fraction(7013, 117))),
    ("rawvideoparse", "framerate", .string("60000/1001"), .fraction(Fraction(60000, 1001))),
    ("rawvideoparse", "framerate", .int(60), .fraction(Fraction(60))),
  ])
  func takesWhatFits(_ factory: String, _ property: String, _ value: PropertyValue, _ read: PropertyValue) throws {
    let element = try Element(factory: factory)
    try element.set(property, to: value)
    #expect(try element.get(property) == read)
  }
}

@Suite struct ElementCatalogTests {
  @Test(arguments: [
    ("x264enc", "gstreamer1.0-plugins-ugly"), ("openh264enc", "gstreamer1.0-plugins-bad"),
    ("x265enc", "gstreamer1.0-plugins-bad"), ("av1enc", "gstreamer1.0-plugins-bad"),
    ("h264parse", "gstreamer1.0-plugins-bad"), ("v4l2src", "gstreamer1.0-plugins-good"),
    ("mp4mux", "gstreamer1.0-plugins-good"), ("jpegdec", "gstreamer1.0-plugins-good"),
    ("vp9enc", "gstreamer1.0-plugins-good"), ("videobalance", "gstreamer1.0-plugins-good"),
    ("matroskamux", "gstreamer1.0-plugins-good"), ("avenc_mpeg4", "gstreamer1.0-libav"),
    ("avdec_mjpeg", "gstreamer1.0-libav"), ("vah264enc", "gstreamer1.0-plugins-bad"),
    ("v4l2h264enc", "gstreamer1.0-plugins-good"), ("v4l2slh264dec", "gstreamer1.0-plugins-bad"),
    ("vaapih264enc", "gstreamer1.0-vaapi"), ("alsasrc", "gstreamer1.0-alsa"), ("pulsesrc", "gstreamer1.0-plugins-good"),
    ("timeoverlay", "gstreamer1.0-x"), ("videoconvert", "gstreamer1.0-plugins-base"),
    ("appsrc", "gstreamer1.0-plugins-base"), ("queue", "libgstreamer1.0-0"), ("nosuchelement", nil),
  ])
  func knowsThePackage(_ factory: String, _ package: String?) {
    #expect(ElementCatalog.debianPackage(of: factory) == package)
  }

  /// Elements of other providers than Debian's are installed by hand, and none is here.
  @Test func knowsThePackageOfEverythingInstalled() {
    let installed = ElementCatalog.installed
    #expect(installed.count > 100 && installed.contains("queue"))
    let unknown = installed.filter { ElementCatalog.debianPackage(of: $0) == nil }
    #expect(unknown.subtracting(["bin", "pipeline"]) == [])
  }

  /// v4l2src has deprecated properties, whose flag is the sign bit.
  @Test(arguments: ["v4l2src", "x264enc", "mp4mux", "filesink", "appsrc", "splitmuxsink", "videorate", "level"])
  func tellsWhatCanBeSet(_ factory: String) throws {
    let element = try Element(factory: factory)
    let properties = ElementCatalog.properties(of: factory)
    #expect(properties.contains { $0.isWritable } && properties.allSatisfy { !$0.name.isEmpty && !$0.typeName.isEmpty })
    for property in properties where property.isReadable && property.isWritable {
      guard let value = property.defaultValue, ["name", "parent"].contains(property.name) == false else { continue }
      if value == .string("") || value.description.hasPrefix("((") { continue }
      try element.set(property.name, to: value)
    }
  }

  @Test func describesProperties() throws {
    let properties = ElementCatalog.properties(of: "x264enc")
    let bitrate = try #require(properties.first { $0.name == "bitrate" })
    #expect(bitrate.typeName == "guint" && bitrate.isWritable)
    #expect(bitrate.defaultValue == .int(2048) && bitrate.domain == .integers(min: 1, max: 2_048_000))
    let preset = try #require(properties.first { $0.name == "speed-preset" })
    #expect(preset.defaultValue == .string("medium"))
    guard case .choices(let choices) = preset.domain else {
      Issue.record("speed-preset takes \(preset.domain)")
      return
    }
    #expect(choices.map(\.name).contains("superfast"))
    #expect(ElementCatalog.properties(of: "nosuchelement") == [])
    #expect(ElementCatalog.longName(of: "x264enc")?.contains("264") == true)
    #expect(ElementCatalog.pluginVersion(of: "x264enc")?.hasPrefix("1.") == true)
    #expect(ElementCatalog.longName(of: "nosuchelement") == nil)
    #expect(GStreamerRuntime.version.hasPrefix("GStreamer 1."))
  }
}
