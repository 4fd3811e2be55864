/// Who is who: ids and links, names and lists of them, nodes of one camera, cameras that come and go, and errors that
/// name the cause. Next to nothing here is recorded.

import Foundation
import TestSupport
import Testing

@Suite struct DeviceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let c922ID = "usb-046d_C922_Pro_Stream_Webcam_1A2B3C"

  private func c922(_ serial: String? = "1A2B3C", bus: String = "usb-0000:00:14.0-3") -> FakeCamera {
    let usb = ["idVendor": "046d", "idProduct": "085c"].merging(serial.map { ["serial": $0] } ?? [:]) { $1 }
    return FakeCamera("logitech_c922", ["usb": usb, "bus_info": bus])
  }

  private func devices(_ camera: FakeCamera) async throws -> [[String: Any]] {
    let outcome = try await capstan("devices", "--json", camera: camera)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
  }

  private func paths(_ device: [String: Any]) -> [String] {
    (device["nodes"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
  }

  /// The node that a plan records from.
  private func planned(_ camera: FakeCamera, _ arguments: String...) async throws -> String {
    let outcome = try await RunningProgram("capstan", ["plan", "--json"] + arguments, camera: camera).finish()
    let launch = try outcome.json()["launch"] as? String ?? "\(outcome.errors)"
    return launch.firstMatch(of: /device=(\S+)/).map { String($0.1) } ?? launch
  }

  // MARK: Identity

  @Test func linksAndFacts() async throws {
    let device = try #require(try await devices(c922().underUdev).first)
    #expect(device["id"] as? String == Self.c922ID)
    #expect(device["serial"] as? String == "1A2B3C" && device["usb"] as? String == "046d:085c")
    #expect(device["path"] as? String == "/dev/video0" && device["bus"] as? String == "usb-0000:00:14.0-3")
    #expect(
      device["links"] as? [String] == [
        "/dev/v4l/by-id/\(Self.c922ID)-video-index0", "/dev/v4l/by-path/pci-0000:00:14.0-usb-0:3:1.0-video-index0",
      ])
    let text = try await capstan("devices", camera: c922().underUdev).output
    #expect(text.contains(Self.c922ID) && text.contains("/dev/video0") && text.contains("C922 Pro Stream Webcam"))
  }

  @Test(arguments: [
    c922ID, "046d:085c-1A2B3C", "046d:085c", "1A2B3C", "C922 Pro Stream Webcam", "c922", "0", "/dev/video0", "any",
    "/dev/v4l/by-id/\(c922ID)-video-index0", "/dev/v4l/by-path/pci-0000:00:14.0-usb-0:3:1.0-video-index0",
    "Brio,C922,any", "/dev/video9,1A2B3C",
  ]) func case21_chosenBy(_ name: String) async throws {
    // The camera stands second: whatever names it must not end at the first.
    let camera = FakeCamera("laptop_fj_camera_with_ir").at(4).beside(c922()).underUdev
    let other = name == "any" ? FakeCamera("laptop_fj_camera_with_ir").at(4).beside(c922()) : camera
    #expect(try await planned(other, "-d", name) == "/dev/video0")
  }

  @Test(arguments: ["Brio", "C92", "Brio,Kiyo", "/dev/video9", "9", "usb-046d_C922_Pro_Stream_Webcam_OTHER"])
  func case21_noOtherCameraInItsPlace(_ name: String) async throws {
    let outcome = try await capstan("record", "-d", name, camera: c922().underUdev)
    #expect(outcome.status == 4 && outcome.errors.contains("There is no"), "\(outcome.errors)")
  }

  @Test func case21_numbersSwapped() async throws {
    let fj = FakeCamera("laptop_fj_camera_with_ir")
    for (camera, node) in [(c922().beside(fj.at(4)), "/dev/video0"), (fj.beside(c922().at(4)), "/dev/video4")] {
      #expect(try await planned(camera.underUdev, "-d", Self.c922ID) == node)
      #expect(try await planned(camera, "-d", "046d:085c-1A2B3C") == node)
    }
  }

  @Test func case21_twoEqualCameras() async throws {
    let two = c922(nil).beside(c922(nil, bus: "usb-0000:00:14.0-4").at(4)).underUdev
    let ids = try await devices(two).compactMap { $0["id"] as? String }
    #expect(ids == ["046d:085c@usb-0000:00:14.0-3", "046d:085c@usb-0000:00:14.0-4"])
    for name in ["C922", "C922 Pro Stream Webcam", "046d:085c", "Brio,C922,any"] {
      let outcome = try await capstan("record", "-d", name, camera: two)
      #expect(outcome.status == 4 && outcome.errors.contains("Two cameras are called"), "\(outcome.errors)")
      #expect(ids.allSatisfy(outcome.errors.contains), "\(outcome.errors)")
    }
    #expect(try await planned(two, "-d", ids[1]) == "/dev/video4")
  }

  // MARK: Nodes of one camera

  @Test(arguments: [
    "logitech_c922", "logitech_brio_usb3", "laptop_fj_camera_with_ir", "intel_realsense_d435", "elp_h264_two_nodes",
  ]) func case13_metadataNodesAreNoCameras(_ table: String) async throws {
    let all = try await devices(FakeCamera(table))
    #expect(all.count == 1)
    let codes = all.flatMap { $0["nodes"] as? [[String: Any]] ?? [] }.flatMap { $0["codes"] as? [String] ?? [] }
    #expect(!codes.isEmpty && !codes.contains("UVCH"))
  }

  @Test func case13_threeCamerasMixed() async throws {
    let camera = FakeCamera("laptop_fj_camera_with_ir").beside(c922().at(4), FakeCamera("elp_h264_two_nodes").at(6))
    let all = try await devices(camera)
    #expect(all.map(paths) == [["/dev/video0", "/dev/video2"], ["/dev/video4"], ["/dev/video6", "/dev/video7"]])
    #expect(try await planned(camera, "-d", "C922") == "/dev/video4")
  }

  @Test func case56_formatsOfBothNodes() async throws {
    let camera = FakeCamera("elp_h264_two_nodes")
    let outcome = try await capstan("formats", "-d", "H264 USB Camera", "--json", camera: camera)
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    let nodes = Dictionary(grouping: rows) { $0["node"] as? String ?? "" }
    #expect(Set(nodes.keys) == ["/dev/video0", "/dev/video1"])
    #expect(nodes["/dev/video1"]?.allSatisfy { $0["fourCC"] as? String == "H264" } == true)
    #expect(rows.map { $0["index"] as? Int } == rows.indices.map { Optional($0) })
    // The source follows the row.
    #expect(try await planned(camera, "-d", "H264 USB Camera", "--input-format", "h264", "720p30") == "/dev/video1")
    #expect(try await planned(camera, "-d", "H264 USB Camera", "--input-format", "mjpeg", "720p30") == "/dev/video0")
    // A path is that node alone.
    let pinned = try await capstan("plan", "-d", "/dev/video0", "--input-format", "h264", "720p30", camera: camera)
    #expect(pinned.status == 2, "\(pinned.output)")
  }

  @Test func case56_recordedFromTheSecondNode() async throws {
    let log = folder.file("log")
    let file = folder.file("a.mp4").path(percentEncoded: false)
    let outcome = try await capstan(
      "record", "-d", "H264 USB Camera", "--input-format", "h264", "-s", "720p30", "--frames", "10", "-o", file,
      camera: FakeCamera("elp_h264_two_nodes").logging(to: log))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let started = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").filter { $0.contains("streamon") }
    #expect(!started.isEmpty && started.allSatisfy { $0.contains("node=1") }, "\(started)")
  }

  /// The infrared node first, as after another boot.
  private static var infraredFirst: [String: Any] {
    [
      "card": "FJ Camera: FJ Camera", "driver": "uvcvideo", "bus_info": "usb-0000:00:14.0-7",
      "formats": [format("GREY", 640, 360)],
      "other_nodes": [
        ["node": "video1", "device_caps": ["META_CAPTURE", "STREAMING"], "formats": [String]()] as [String: Any],
        ["node": "video2", "device_caps": ["VIDEO_CAPTURE", "STREAMING"], "formats": [format("MJPG", 1280, 720)]],
      ],
    ]
  }

  private static func format(_ code: String, _ width: Int, _ height: Int) -> [String: Any] {
    let size: [String: Any] = [
      "type": "discrete", "width": width, "height": height, "intervals": [["num": 1, "den": 30]],
    ]
    return ["fourcc": code, "description": code, "compressed": code == "MJPG", "sizes": [size]]
  }

  @Test func case36_infraredFirstAndLast() async throws {
    for settings: [String: Any] in [[:], ["table": Self.infraredFirst]] {
      let camera = FakeCamera("laptop_fj_camera_with_ir", settings)
      let launch = try await capstan("plan", "-s", "1280x720", "-r", "30", "--json", camera: camera)
      #expect(launch.output.contains("image/jpeg"), "\(launch.errors)")
    }
    let apart = FakeCamera(format: "GREY", width: 640, height: 480, rate: (30, 1))
      .beside(FakeCamera("logitech_c922", ["bus_info": "usb-0000:00:14.0-9"]).at(4))
    #expect(try await planned(apart) == "/dev/video4")
    #expect(try await planned(apart, "-d", "/dev/video0") == "/dev/video0")
  }

  @Test func case36_depthIsNotTheCamera() async throws {
    let camera = FakeCamera("intel_realsense_d435")
    let all = try await devices(camera)
    #expect(all.map(paths) == [["/dev/video2", "/dev/video4", "/dev/video0"]])
    let depth = try await capstan("plan", "-d", "/dev/video0", camera: camera)
    #expect(depth.status == 2 && depth.errors.contains("Z16"), "\(depth.errors)")
  }

  // MARK: Errors

  @Test func case15_noPermissionIsNotNoCamera() async throws {
    let camera = FakeCamera("logitech_c922", faults: ["permission": true]).underUdev
    for name in ["/dev/video0", "0", "C922", "any", "Brio,C922"] {
      let outcome = try await capstan("record", "-d", name, camera: camera)
      #expect(outcome.status == 4, "\(outcome.errors)")
      #expect(outcome.errors.contains("You may not open /dev/video0: it belongs to the group"), "\(outcome.errors)")
      #expect(outcome.errors.contains("usermod -aG"))
    }
    let all = try await devices(camera)
    #expect(all.compactMap { $0["name"] as? String } == ["C922 Pro Stream Webcam"])
    #expect((all.first?["problem"] as? [String: Any])?["code"] as? String == "permissionDenied")
  }

  @Test func case15_eachCauseHasItsWords() async throws {
    let camera = FakeCamera("logitech_c922")
    for (name, words) in [
      ("/dev/video5", "There is no device /dev/video5"), ("/dev/video1", "a camera's metadata node"),
      ("/dev/null", "not a video device"), ("/etc/passwd", "another kind of file"),
      ("/dev/v4l/by-id/none", "There is no device /dev/v4l/by-id/none"),
    ] {
      let outcome = try await capstan("formats", "-d", name, camera: camera)
      #expect(outcome.status == 4 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func case35_noUsablePayload() async throws {
    let outcome = try await capstan("record", "--frames", "5", camera: FakeCamera("jetson_imx219_bayer"))
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("RG10") && outcome.errors.contains("cannot be recorded"), "\(outcome.errors)")
  }

  /// Another program streams, and is named; this one never is.
  @Test func case14_busyNamesTheHolder() async throws {
    let camera = FakeCamera("logitech_c922")
    let file = folder.file("held.mp4").path(percentEncoded: false)
    // One configuration for both, so that they share the camera.
    let holder = try RunningProgram("capstan", ["record", "-d", "0", "-o", file, "--events"], camera: camera)
    #expect(try await holder.wait { holder.outputSoFar.contains("started") })
    let outcome = try await capstan(
      "record", "-d", "C922", "-o", folder.file("b.mp4").path(percentEncoded: false), environment: holder.environment)
    holder.signal(SIGINT)
    #expect(try await holder.finish().status == 0)
    #expect(outcome.status == 4, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("is busy: capstan (process \(holder.identifier)) is using it. Close it"),
      "\(outcome.errors)")
    #expect(try folder.names.filter { $0.hasPrefix("b") }.isEmpty)
  }

  /// Pulled out while it records: the cause, the exit code, and a file; pulled out before: that it is not there.
  @Test func case20_goneIsSaid() async throws {
    let file = folder.file("a.mp4")
    let pulled = try await capstan(
      "record", "-d", "C922", "-o", file.path(percentEncoded: false), "-t", "60s",
      camera: FakeCamera("logitech_c922", faults: ["unplugAfter": 30]))
    #expect(pulled.status == 4 && pulled.errors.contains("C922 Pro Stream Webcam was unplugged"), "\(pulled.errors)")
    #expect(try folder.names == ["a.mp4"])
    let absent = try await capstan("record", "-d", "0", camera: c922().present(while: folder.file("plug")))
    #expect(absent.status == 4 && absent.errors.contains("There is no device /dev/video0"), "\(absent.errors)")
  }

  // MARK: Openings

  private func openings(_ arguments: String...) async throws -> Int {
    let log = folder.file(UUID().uuidString)
    let outcome = try await RunningProgram(
      "capstan", arguments, camera: FakeCamera("logitech_c922").logging(to: log)
    ).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    return lines.filter { $0.hasSuffix(" open node=0") }.count
  }

  /// v4l2src alone opens the device once when GStreamer loads and once to be asked: ours is one more, to learn who it is.
  /// A recording asks for formats once, tries its mode, and streams.
  @Test func openedOnceForAListing() async throws {
    // The first program of all makes the list of plug-ins, and loads each for it.
    _ = try await openings("formats", "-d", "element:v4l2src device=/dev/video0")
    let alone = try await openings("formats", "-d", "element:v4l2src device=/dev/video0")
    for name in ["/dev/video0", "C922"] { #expect(try await openings("formats", "-d", name) == alone + 1) }
    let file = folder.file("a.mp4").path(percentEncoded: false)
    #expect(try await openings("record", "-d", "0", "--frames", "5", "-o", file) <= alone + 3)
  }

  // MARK: Rows

  @Test func zoomAndStabilisationFromControls() async throws {
    let controls: [[String: Any]] = [
      ["id": "zoom_absolute", "type": "int", "min": 100, "max": 500, "default": 100],
      ["id": "image_stabilization", "type": "bool", "default": 0],
    ]
    let rows = try await formats(FakeCamera("logitech_c922", ["controls": controls]))
    #expect(rows.allSatisfy { $0["maximumZoom"] as? Double == 5 && $0["stabilization"] as? Bool == true })
    let unknown = try await formats(FakeCamera("logitech_c922"))
    #expect(unknown.allSatisfy { !($0["maximumZoom"] is Double) && !($0["fieldOfView"] is Double) })
  }

  @Test func notesOfTheUser() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "capstan"), withIntermediateDirectories: true)
    let file = folder.url.appending(path: "capstan/cameras.json5")
    try Data(#"{ "046d:085c": { modes: [ { size: "1280x720", fieldOfView: 61, binned: true } ] } }"#.utf8).write(
      to: file)
    let home = ["XDG_CONFIG_HOME": folder.url.path(percentEncoded: false)]
    let rows = try await formats(c922(), environment: home)
    for row in rows where row["width"] as? Int == 1280 && row["height"] as? Int == 720 {
      #expect(row["fieldOfView"] as? Double == 61)
    }
    #expect(rows.first { $0["width"] as? Int == 1920 }?["fieldOfView"] as? Double == 70.42)
    #expect(rows.contains { $0["binned"] as? Bool == true } && rows.contains { !($0["binned"] is Bool) })
    try Data("{ a: { fieldOfVew: 1 } }".utf8).write(to: file)
    let broken = try await capstan("formats", "-d", "0", camera: c922(), environment: home)
    #expect(broken.status == 2 && broken.errors.contains("a.fieldOfVew"), "\(broken.errors)")
  }

  private func formats(_ camera: FakeCamera, environment: [String: String] = [:]) async throws -> [[String: Any]] {
    let outcome = try await capstan("formats", "-d", "C922", "--json", camera: camera, environment: environment)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]], "\(outcome.errors)")
  }

  // MARK: Coming and going

  /// By udev's events, and by looking where there is no udev.
  @Test(arguments: [true, false]) func watched(_ hasUdev: Bool) async throws {
    let plug = folder.file("plug")
    let camera = c922().present(while: plug).beside(FakeCamera("laptop_fj_camera_with_ir").at(4))
    let program = try RunningProgram(
      "capstan", ["devices", "--watch", "--json"], camera: hasUdev ? camera.underUdev : camera)
    func changes() -> [String] {
      program.outputSoFar.split(separator: "\n").compactMap { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let device = object?["device"] as? [String: Any]
        return (object?["change"] as? String).map { "\($0) \(device?["serial"] as? String ?? "-")" }
      }
    }
    #expect(try await program.wait { changes() == ["present -"] }, "\(changes())")
    try Data().write(to: plug)
    #expect(try await program.wait { changes().last == "added 1A2B3C" }, "\(changes())")
    try FileManager.default.removeItem(at: plug)
    #expect(try await program.wait { changes().last == "removed 1A2B3C" }, "\(changes())")
    try Data().write(to: plug)
    #expect(try await program.wait { changes().count == 4 }, "\(changes())")
    program.signal(SIGINT)
    let outcome = try await program.finish()
    #expect(outcome.status == 0 && !outcome.wasKilled && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(changes() == ["present -", "added 1A2B3C", "removed 1A2B3C", "added 1A2B3C"])
  }
}
