/// Every word of an encoder at both ends of what it takes: what its file says can be tried without recording.

import Foundation
import MediaFormats
public import PipelinePlanning

public struct EncoderSample: Sendable {
  /// What is asked, in a word or two.
  public let title: String
  /// The encoder, set so.
  public let node: PipelineDescription.Node

  public var name: String { "\(node.factory ?? "") \(title)" }
}

public struct EncoderSamples {
  private let encoder: EncoderProfile
  private let planner: RecordingPlanner
  private let container: String

  public init(_ encoder: EncoderProfile, _ library: ProfileLibrary) throws {
    self.encoder = encoder
    let containers = try library.containers()
    let elements = [
      encoder.element, encoder.parser ?? "", "appsrc", "capsfilter", "queue", "identity", "capssetter", "videoconvert",
      "filesink",
    ]
    planner = RecordingPlanner(
      encoders: [encoder], containers: containers,
      installedElements: Set(elements + containers.map(\.muxer)), processorCount: 2)
    container = containers.first { $0.codecs.contains(encoder.codec) }?.name ?? ""
  }

  public func all() throws -> [EncoderSample] { try presets.map { try sample($0.title, $0.preset) } }

  private func sample(_ title: String, _ preset: Preset) throws -> EncoderSample {
    let rows = [
      DeviceFormat(
        payload: .raw(PixelFormat(named: encoder.inputs[0])),
        dimensions: DimensionsRange(VideoDimensions(width: 1280, height: 720)),
        frameRates: [FrameRateRange(Fraction(60))],
        colorimetry: Colorimetry(range: .full, matrix: .bt601, transfer: .bt709, primaries: .bt709))
    ]
    let plan = try planner.plan(preset, source: .application, formats: rows, location: "recording")
    guard let node = plan.pipeline.nodes.first(where: { $0.name == NodeName.encoder }) else {
      throw CheckFailure(message: "no encoder is planned for \(title)")
    }
    return EncoderSample(title: title, node: node)
  }

  // MARK: Presets

  /// With whatever the encoder goes by where nothing is asked.
  private var plain: Preset {
    var preset = Preset(name: "sample", encoders: [encoder.element], container: container)
    if encoder.bitRate == nil { preset.quality = encoder.quality == nil ? nil : 50 }
    preset.lossless = encoder.bitRate == nil && encoder.quality == nil
    return preset
  }

  private func with(_ change: (inout Preset) -> Void) -> Preset {
    var preset = plain
    change(&preset)
    return preset
  }

  private var presets: [(title: String, preset: Preset)] {
    [("plain", plain)] + aims + modes + amounts(encoder.bFrames, "bFrames", most: 16) { $0.bFrames = $1 }
      + amounts(encoder.threads, "threads", most: 256) { $0.threads = $1 }
      + [("keys 1ms", with { $0.keyFrameInterval = .milliseconds(1) })]
      + [("keys 1h", with { $0.keyFrameInterval = .seconds(3600) })]
      + (encoder.speeds.map(\.value) + encoder.otherSpeeds).map { speed in ("speed \(speed)", with { $0.speed = speed })
      }
  }

  private var aims: [(String, Preset)] {
    let qualities = encoder.quality == nil ? [] : [0, 100]
    return amounts(encoder.bitRate, "bitrate", least: 1000, most: 9_999_999_999) {
      $0.bitRate = BitRate(bitsPerSecond: $1)
    } + qualities.map { quality in ("quality \(quality)", with { $0.quality = quality }) }
  }

  private var modes: [(String, Preset)] {
    (encoder.lossless == nil ? [] : [("lossless", with { $0.lossless = true })])
      + (encoder.lowLatency == nil ? [] : [("lowLatency", with { $0.lowLatency = true })])
  }

  private func amounts(
    _ amount: EncoderProfile.Amount?, _ name: String, least: Int = 1, most: Int, _ set: (inout Preset, Int) -> Void
  ) -> [(String, Preset)] {
    guard let range = amount?.range else { return [] }
    return [max(least, range.lowerBound), min(most, range.upperBound)].map { value in
      ("\(name) \(value)", with { set(&$0, value) })
    }
  }
}
