/// A preset as JSON.

import Capstan

/// A preset for programs; what it leaves free is null.
struct PresetAnswer: Encodable, Sendable {
  struct Proxy: Encodable, Sendable {
    var name: String
    var size: VideoDimensions
    var bitRate: Int
    /// Left out where they are the main file's.
    var encoders: [String]?
    var container: String?

    init(_ wish: ProxyWish) {
      name = wish.name
      size = wish.scale
      bitRate = wish.bitRate.bitsPerSecond
      encoders = wish.encoders.isEmpty ? nil : wish.encoders
      container = wish.container
    }
  }

  var name: String
  var summary: String
  var size: VideoDimensions?
  var frameRate: Fraction?
  var range: ColorRange?
  var inputFormat: String
  var strict: Bool
  var fallback: String
  /// What is wished in place of that, in order; each in words.
  var alternatives: [String]
  var encoders: [String]
  var bitRate: Int
  /// Left out where a bit rate holds.
  var quality: Int?
  /// Left out where it is off.
  var lossless: Bool?
  var keyFrameInterval: Int64
  /// Left out where there are none.
  var bFrames: Int?
  /// Left out where it is off.
  var lowLatency: Bool?
  /// Left out where the encoder decides.
  var threads: Int?
  var speed: String?
  /// Left out where the encoder's file decides.
  var profile: String?
  /// GStreamer's own preset of the encoder; left out where there is none.
  var elementPreset: String?
  /// One of GStreamer's targets; left out where there is none.
  var encodingTarget: String?
  var encoderOptions: [String: String]
  /// In order of preference.
  var containers: [String]
  /// Left out where it is the camera's.
  var scale: VideoDimensions?
  /// Left out where there is one file alone.
  var proxy: Proxy?
  /// Left out where there are none.
  var controls: [String: ControlValue]?
  /// Left out where it is on.
  var exposureLock: Bool?
  /// Left out where there are none.
  var filters: [String]?
  /// In nanoseconds; left out where there is none.
  var maximumDuration: Int64?
  /// Left out where there is none.
  var maximumFrames: Int?
  /// The program that is run with the finished file; left out where there is none.
  var finishedHook: [String]?
  /// Left out where none is written.
  var report: Bool?

  init(_ preset: Preset) {
    name = preset.name
    summary = preset.summary
    size = preset.request.dimensions
    frameRate = preset.request.frameRate
    range = preset.request.range
    inputFormat = "\(preset.request.payload)"
    strict = preset.request.isStrict
    fallback = preset.request.fallback.rawValue
    alternatives = preset.alternatives.map(\.description)
    encoders = preset.encoders
    bitRate = preset.bitRate.bitsPerSecond
    quality = preset.quality
    lossless = preset.lossless ? true : nil
    keyFrameInterval = preset.keyFrameInterval.nanoseconds
    bFrames = preset.bFrames == 0 ? nil : preset.bFrames
    lowLatency = preset.lowLatency ? true : nil
    threads = preset.threads
    speed = preset.speed
    profile = preset.profile
    elementPreset = preset.elementPreset?.name
    encodingTarget = preset.encodingTarget?.name
    encoderOptions = preset.encoderOptions
    containers = preset.containers
    scale = preset.scale
    proxy = preset.proxy.map(Proxy.init)
    controls = preset.controls.isEmpty ? nil : preset.controls
    exposureLock = preset.exposureLock ? nil : false
    filters = preset.filters.isEmpty ? nil : preset.filters
    maximumDuration = preset.limits.duration?.nanoseconds
    maximumFrames = preset.limits.frames
    report = preset.report ? true : nil
    finishedHook = preset.hooks.finished.isEmpty ? nil : preset.hooks.finished
  }
}
