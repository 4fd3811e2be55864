/// Asks a device for its formats: GStreamer's caps for what can be negotiated, V4L2 for what caps do not say.

import GStreamer

struct FormatReader: Sendable {
  /// The device's name for people.
  let name: String
  /// Where it is, to notice another camera in its place; empty where that is not known.
  var bus = ""
  var usb: USBIdentity?

  func formats(ofElement launch: String) throws(CaptureError) -> [DeviceFormat] {
    do {
      return CapsFlattener(openRate: .any).flatten(try CapsQuery.sourceCaps(launch: launch))
    } catch {
      throw failure(error)
    }
  }

  /// Of all nodes of a camera, one after the other. A further node that cannot be asked hides nothing of the first, which
  /// is the best one: where that one cannot be asked, an infrared node is no substitute.
  func formats(ofNodes paths: [String]) throws(CaptureError) -> [DeviceFormat] {
    var rows: [DeviceFormat] = []
    for (place, path) in paths.enumerated() {
      do throws(CaptureError) {
        rows += try formats(ofNode: path)
      } catch  where place == 0 {
        throw error
      } catch {
        continue
      }
    }
    for index in rows.indices { rows[index].index = index }
    return rows
  }

  /// The node is opened once, by v4l2src: what caps do not say is asked on the same open device.
  private func formats(ofNode path: String) throws(CaptureError) -> [DeviceFormat] {
    let caps: Caps
    let opened: OpenedSource
    do {
      opened = try OpenedSource(try CapsQuery.source("v4l2src", ["device": .string(path)]))
    } catch {
      throw cause(of: error, at: path)
    }
    defer { opened.close() }
    do {
      caps = try opened.caps()
    } catch {
      throw failure(error)
    }
    do {
      let node = try shared(opened.source, path)
      try checkIdentity(of: node)
      let rows = completed(CapsFlattener().flatten(caps, node: path), by: node, try node.formats())
      return TraitReader(node: node, notes: try CameraNotes.known(card: name, usbID: usb?.id)).completed(rows)
    } catch let error as CaptureError {
      throw error
    } catch let error as V4L2Error {
      throw CaptureError(error)
    } catch let error as ConfigurationError {
      throw CaptureError(error)
    } catch {
      throw CaptureError(.deviceFailed, "\(name): \(error)")
    }
  }

  private func shared(_ source: Element, _ path: String) throws -> V4L2Node {
    guard case .int(let descriptor)? = try? source.get("device-fd"), descriptor >= 0 else {
      return try V4L2Node(path: path)
    }
    return try V4L2Node(path: path, sharing: descriptor)
  }

  /// Node numbers move when cameras come and go: another camera is never taken for the one that was chosen.
  private func checkIdentity(of node: V4L2Node) throws {
    let identity = try node.identity
    guard !bus.isEmpty, identity.busInfo != bus else { return }
    throw CaptureError(
      .deviceLost, "\(node.path) is another camera now, \(identity.card) at \(identity.busInfo): \(name) has left.",
      remedy: "Choose the camera anew, by its id; `capstan devices` lists them.")
  }

  /// v4l2src's words for a device that does not open are few: the node itself tells why.
  private func cause(of error: CapsQueryError, at path: String) -> CaptureError {
    guard case .failure = error else { return failure(error) }
    do {
      _ = try V4L2Node(path: path)
      return failure(error).namingHolders(of: [path])
    } catch {
      return CaptureError(error).namingHolders(of: [path])
    }
  }

  /// Adds the driver's own codes and flags, its colour, and the formats that GStreamer has no caps for.
  private func completed(_ rows: [DeviceFormat], by node: V4L2Node, _ driverFormats: [V4L2Format]) -> [DeviceFormat] {
    var colors = ColorReader(node: node)
    var rows = rows.map { row in
      var row = row
      if let match = driverFormats.first(where: { Payload(fourCC: FourCC($0.fourCC)) == row.payload }) {
        row.fourCC = FourCC(match.fourCC)
        row.isEmulated = match.isEmulated
      }
      if row.colorimetry == .unknown { row.colorimetry = colors.colorimetry(of: row) }
      return row
    }
    let known = Set(rows.map(\.payload))
    for format in driverFormats {
      let code = FourCC(format.fourCC)
      let payload = Payload(fourCC: code) ?? .unsupported(code)
      if known.contains(payload) { continue }
      rows += unsupported(format, code: code, path: node.path)
    }
    for index in rows.indices { rows[index].index = index }
    return rows
  }

  private func unsupported(_ format: V4L2Format, code: FourCC, path: String) -> [DeviceFormat] {
    format.sizes.map { size in
      DeviceFormat(
        payload: .unsupported(code), dimensions: DimensionsRange(size.extent),
        frameRates: size.rates.map(FrameRateRange.init),
        isEmulated: format.isEmulated, node: path)
    }
  }

  private func failure(_ error: CapsQueryError) -> CaptureError {
    switch error {
    case .failure(let failure): CaptureError(failure, device: name)
    case .element(.missing): CaptureError(.elementMissing, "\(error)")
    default: CaptureError(.deviceFailed, "\(name): \(error)")
    }
  }
}

/// Asks the driver for the colour of a format (`VIDIOC_TRY_FMT`): v4l2src of GStreamer 1.22 leaves it out of the caps
/// that it has before it streams.
///
/// Each question is a round trip to the camera, so it is asked once for a format's sizes below 720 lines and once for
/// those from 720 on: drivers tie colour to the picture standard, not to the single size.
private struct ColorReader {
  private struct Key: Hashable {
    let code: FourCC
    let isHighDefinition: Bool
  }

  let node: V4L2Node
  private var known: [Key: Colorimetry] = [:]

  init(node: V4L2Node) { self.node = node }

  mutating func colorimetry(of row: DeviceFormat) -> Colorimetry {
    let size = row.dimensions.largest
    let key = Key(code: row.fourCC, isHighDefinition: size.height >= 720)
    if let answer = known[key] { return answer }
    let isRGB = if case .raw(let format) = row.payload { format.chroma == .rgb } else { false }
    let format = try? node.tryFormat(row.fourCC.description, width: size.width, height: size.height)
    let answer = format?.colorimetry(isRGB: isRGB) ?? .unknown
    known[key] = answer
    return answer
  }
}

extension DimensionsRange {
  init(_ extent: V4L2Extent) {
    switch extent {
    case .discrete(let width, let height): self.init(VideoDimensions(width: width, height: height))
    case .stepwise(let minWidth, let maxWidth, let stepWidth, let minHeight, let maxHeight, let stepHeight):
      self.init(
        width: SteppedRange(min: minWidth, max: maxWidth, step: stepWidth),
        height: SteppedRange(min: minHeight, max: maxHeight, step: stepHeight))
    }
  }
}

extension FrameRateRange {
  init(_ rate: V4L2Rate) {
    switch rate {
    case .discrete(let rate): self.init(rate)
    case .range(let min, let max, _): self.init(min: min, max: max)
    }
  }
}
