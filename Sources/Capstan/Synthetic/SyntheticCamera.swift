/// A live camera that everyone has: known pictures at exact times, numbered, dropped when nobody takes them.

import Foundation
import GStreamer
import Synchronization

final class SyntheticCamera: Sendable {
  /// What it can do: a full-range and a limited mode for raw 60 fps, and a webcam's pattern of fast MJPG beside slow
  /// raw pictures.
  static let formats: [DeviceFormat] = [
    row(.raw(.nv12), 1280, 720, ["60", "60000/1001", "30"], "1:3:5:1"),
    row(.raw(.nv12), 1280, 720, ["60", "60000/1001", "30"], "2:3:5:1"),
    row(.raw(.nv12), 1920, 1080, ["30", "30000/1001"], "1:3:5:1"),
    row(.raw(.yuy2), 1280, 720, ["10"], "2:4:5:1"),
    row(.raw(.yuy2), 640, 480, ["30", "15/2"], "2:4:5:1"),
    row(.raw(.i420), 640, 480, ["60", "30"], "1:4:5:1"),
    row(.jpeg, 1280, 720, ["60", "60000/1001", "30"], "1:4:5:1"),
    row(.jpeg, 1920, 1080, ["30"], "1:4:5:1"),
    row(.raw(.nv12), 960, 540, ["60", "30"], "1:3:5:1"),
  ].enumerated().map { index, row in
    var row = row
    row.index = index
    return row
  }

  private static func row(
    _ payload: Payload, _ width: Int, _ height: Int, _ rates: [String], _ colorimetry: String
  ) -> DeviceFormat {
    DeviceFormat(
      payload: payload, dimensions: DimensionsRange(VideoDimensions(width: width, height: height)),
      frameRates: rates.compactMap { Fraction(parsing: $0) }.map { FrameRateRange($0) },
      colorimetry: Colorimetry(parsing: colorimetry) ?? .unknown)
  }

  /// As many frames as a driver has buffers; with more waiting, the next one is lost.
  private static let bufferCount = 4

  private let source: AppSource
  private let rate: Fraction
  private let queue = DispatchQueue(label: "capstan.synthetic", qos: .userInteractive)
  private let picture: Mutex<TestPicture>
  private let isStopped = Atomic<Bool>(false)

  /// `nil` for other devices.
  init?(device: CaptureDevice, mode: CaptureMode, source element: Element?) throws(CaptureError) {
    guard device.kind == .synthetic, let element else { return nil }
    var layout = PixelFormat.i420
    if case .raw(let format) = mode.format.payload { layout = format }
    let colorimetry = mode.format.colorimetry
    rate = mode.frameRate ?? Fraction(30)
    picture = Mutex(TestPicture(layout: layout, dimensions: mode.dimensions, colorimetry: colorimetry))
    guard let source = AppSource(element) else {
      throw CaptureError(
        .pipelineFailed, "The plan feeds the built-in camera into \(element.name), which is no appsrc.")
    }
    self.source = source
    var fields = [
      CapsField("format", .string(layout.name)), CapsField("width", .int(mode.dimensions.width)),
      CapsField("height", .int(mode.dimensions.height)), CapsField("framerate", .fraction(rate)),
      CapsField("interlace-mode", .string("progressive")), CapsField("pixel-aspect-ratio", .fraction(Fraction(1))),
    ]
    // JPEG carries no colour of its own: jpegenc takes full range as it comes.
    if layout != .i420 || mode.format.payload != .jpeg {
      fields.append(CapsField("colorimetry", .string("\(colorimetry)")))
    }
    source.setCaps(Caps([CapsStructure("video/x-raw", fields: fields)]))
  }

  /// Delivers from now on, each frame stamped with the time that it stands for.
  func start(on pipeline: Pipeline) {
    let base = pipeline.runningTime ?? 0
    queue.async { self.deliver(from: base) }
  }

  /// Returns when the last frame is out.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }

  /// Nanoseconds from the first frame to this one, without drift.
  private func time(of number: UInt64) -> Int64 {
    let seconds = number / UInt64(rate.numerator) * UInt64(rate.denominator)
    let rest = number % UInt64(rate.numerator) * UInt64(rate.denominator) * 1_000_000_000 / UInt64(rate.numerator)
    return Int64(seconds * 1_000_000_000 + rest)
  }

  /// Sleeps from frame to frame, on a thread of its own. A frame that nobody takes is lost, as a driver's would be.
  private func deliver(from base: Int64) {
    let first = DispatchTime.now().uptimeNanoseconds
    for number in UInt64(0)... {
      if isStopped.load(ordering: .relaxed) { return }
      let due = time(of: number)
      let early = due - Int64(DispatchTime.now().uptimeNanoseconds - first)
      if early > 0 { Thread.sleep(forTimeInterval: Double(early) / 1e9) }
      guard source.queuedBuffers < SyntheticCamera.bufferCount else { continue }
      let result = picture.withLock { picture in
        picture.paint(number: number)
        return source.push(
          copying: picture.bytes, pts: base + due, duration: time(of: number + 1) - due, offset: number)
      }
      if result != .ok { return }
    }
  }
}
