/// Asks a device for its formats: GStreamer's caps for what can be negotiated, V4L2 for what caps do not say.

import GStreamer

struct FormatReader: Sendable {
  /// The device's name for people.
  let name: String

  func formats(ofElement launch: String) throws(CaptureError) -> [DeviceFormat] {
    do {
      return CapsFlattener().flatten(try CapsQuery.sourceCaps(launch: launch))
    } catch {
      throw failure(error)
    }
  }

  func formats(ofNode path: String) throws(CaptureError) -> [DeviceFormat] {
    let caps: Caps
    do {
      caps = try CapsQuery.sourceCaps(of: "v4l2src", properties: ["device": .string(path)])
    } catch {
      throw failure(error)
    }
    let rows = CapsFlattener().flatten(caps, node: path)
    do {
      return completed(rows, by: try V4L2Node(path: path).formats(), path: path)
    } catch {
      throw CaptureError(error)
    }
  }

  /// Adds the driver's own codes and flags, the range where caps leave it open, and the formats that GStreamer has no
  /// caps for.
  private func completed(_ rows: [DeviceFormat], by driverFormats: [V4L2Format], path: String) -> [DeviceFormat] {
    var rows = rows.map { row in
      var row = row
      if let match = driverFormats.first(where: { Payload(fourCC: FourCC($0.fourCC)) == row.payload }) {
        row.fourCC = FourCC(match.fourCC)
        row.isEmulated = match.isEmulated
      }
      return row
    }
    let known = Set(rows.map(\.payload))
    for format in driverFormats {
      let code = FourCC(format.fourCC)
      let payload = Payload(fourCC: code) ?? .unsupported(code)
      if known.contains(payload) { continue }
      rows += unsupported(format, code: code, path: path)
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
